// Whether a package's compiled files are those of its TypeScript sources. Arguments: the directory
// of the package, and that of the compiled files in it; without one they are beside the sources.
// Prints `built`, nothing if a source is newer, `none` if nothing is compiled, and `about` if both
// may be files of one checkout.
'use strict';
const fs = require('fs');
const path = require('path');

const [, root, output] = process.argv;
const MOST_FILES = 20000;
// Within so many milliseconds a checkout writes its files, in any order.
const CHECKOUT = 10000;
const SOURCE = /(?<!\.d)\.[mc]?tsx?$|^(tsconfig.*|package)\.json$/;
const COMPILED = /\.([mc]?jsx?|tsbuildinfo)$/;

/** The times of the latest change of files with these names below a directory; 0 without one. */
function newest(directory, names, skipped) {
    let [latest, count] = [0, 0];
    const pending = [directory];
    while (pending.length > 0 && count < MOST_FILES) {
        const at = pending.pop();
        for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
            const file = path.join(at, entry.name);
            count += 1;
            const isSkipped = entry.name === 'node_modules' || entry.name.startsWith('.');
            if (entry.isDirectory() && !isSkipped && file !== skipped) pending.push(file);
            if (!entry.isFile() || !names.test(entry.name)) continue;
            latest = Math.max(latest, fs.statSync(file).mtimeMs);
        }
    }
    return latest;
}

const compiled = path.join(root, output || '.');
const of = (directory, names, skipped) =>
    fs.existsSync(directory) ? newest(directory, names, skipped) : 0;
const sources = of(root, SOURCE, output ? compiled : undefined);
const latest = of(compiled, COMPILED);
const behind = sources - latest;
if (latest === 0 && sources > 0) process.stdout.write('none');
else if (behind <= CHECKOUT) process.stdout.write(behind <= 0 ? 'built' : 'about');
