// Finds a tool in the packages of a directory and of those above it, as npm does. Arguments: the
// directory and the name. Prints its path; nothing if no package has it.
'use strict';
const fs = require('fs');
const path = require('path');

let [, directory, name] = process.argv;
for (;;) {
    const file = path.join(directory, 'node_modules', '.bin', name);
    if (fs.existsSync(file)) {
        process.stdout.write(file);
        break;
    }
    const parent = path.dirname(directory);
    if (parent === directory) break;
    directory = parent;
}
