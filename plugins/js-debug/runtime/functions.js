// Finds functions by their name in a program's own files. Standard input has the directory and the
// name, a line each. Prints JSON: `found` has path, line and column (from 1) of the first code in
// each function, `near` has similar names if none was found.
'use strict';
const fs = require('fs');
const path = require('path');

const [root, wanted] = fs.readFileSync(0, 'utf8').split('\n');
const dot = wanted.lastIndexOf('.');
const [owner, name] = [wanted.slice(0, Math.max(dot, 0)), wanted.slice(dot + 1)];

const INSTALLED = ['node_modules', 'bower_components', 'vendor', 'coverage'];
const BUILT = ['dist', 'build', 'out'];
const MOST_FILES = 2000;
const MOST_BYTES = 1 << 20;
const MOST_NAMES = 3;

function entriesOf(directory) {
    try {
        return fs.readdirSync(directory, { withFileTypes: true });
    } catch {
        return []; // not readable
    }
}

function read(file) {
    try {
        return fs.readFileSync(file, 'utf8');
    } catch {
        return ''; // deleted after the listing
    }
}

function isSource(name) {
    return /\.[mc]?[jt]sx?$/.test(name) && !/\.d\.[mc]?ts$/.test(name);
}

// Source files below the root, without generated ones.
function files(skipped) {
    const found = [];
    const pending = [root];
    while (pending.length && found.length < MOST_FILES) {
        const directory = pending.pop();
        for (const entry of entriesOf(directory)) {
            const file = path.join(directory, entry.name);
            const isSkipped = entry.name.startsWith('.') || skipped.includes(entry.name);
            if (entry.isDirectory() && !isSkipped) {
                pending.push(file);
            } else if (entry.isFile() && isSource(entry.name)) {
                found.push(file);
            }
        }
    }
    return found.filter((file) => !isGenerated(file, found)).sort();
}

// Whether a script with a source map is in the directory of its TypeScript source.
function isGenerated(file, found) {
    const source = file.replace(/js(x?)$/, 'ts$1');
    if (source === file || !found.includes(source)) return false;
    if (fs.existsSync(`${file}.map`)) return true;
    return read(file).includes('//# sourceMappingURL=data:');
}

// The text with comments and strings blanked, every other character at its place.
function blank(text) {
    const parts = [
        /\/\/.*/,
        /\/\*[^]*?\*\//,
        /'(?:\\.|[^'\\\n])*'/,
        /"(?:\\.|[^"\\\n])*"/,
        /`(?:\\[^]|[^`\\])*`/,
    ];
    const any = new RegExp(parts.map((part) => part.source).join('|'), 'g');
    return text.replace(any, (part) => part.replace(/[^\n]/g, part.startsWith('/') ? ' ' : '_'));
}

const ID = '[A-Za-z_$#][\\w$]*';
const FUNCTION = `function\\b\\s*\\*?\\s*(?:${ID})?\\s*(?=[<(])`;
const VALUE = `(?:async\\s+)?(?:${FUNCTION}|(?=[<(]|${ID}\\s*=>))`;
const MODIFIERS = '(?:(?:static|async|get|set|public|private|protected|override)\\s+)*';
const FORMS = [
    // function NAME(
    new RegExp(`\\bfunction\\b\\s*\\*?\\s*(${ID})\\s*(?=[<(])`, 'g'),
    // NAME = (…) =>, NAME = function (, and the same with a colon
    new RegExp(`(${ID})\\s*(?::[^=;,\\n(]*=|[=:])\\s*${VALUE}`, 'g'),
    // NAME(…) {
    new RegExp(`(?<=^|[{;}])[ \\t]*${MODIFIERS}\\*?\\s*(${ID})\\s*(?=[<(])`, 'gm'),
];
const KEYWORDS = [
    'if', 'for', 'while', 'switch', 'catch', 'with', 'function', 'return', 'await', 'new',
];

// The index after the bracket that closes the one at this index.
function closed(text, at, [open, close]) {
    for (let depth = 0; at < text.length; at += 1) {
        if (text[at] === open) depth += 1;
        if (text[at] === close && (depth -= 1) === 0) return at + 1;
    }
    return at;
}

// The index of the first code in the body of a function whose parameters are at this index; none if
// it is not a function.
function body(text, at, arrow) {
    if (text[at] === '<') at = closed(text, at, '<>');
    if (text[at] === '(') at = closed(text, at, '()');
    const start = arrow ? /\s*(?::[^={};]*?|[\w$]*)\s*=>\s*\{?\s*/y : /\s*(?::[^={};]*?)?\{\s*/y;
    start.lastIndex = at;
    return start.test(text) ? start.lastIndex : undefined;
}

function functions(text) {
    const found = new Map();
    for (const form of FORMS) {
        for (const match of text.matchAll(form)) {
            const end = match.index + match[0].length;
            const arrow = form === FORMS[1] && !/\bfunction\b/.test(match[0]);
            const at = KEYWORDS.includes(match[1]) ? undefined : body(text, end, arrow);
            const starts = match.index + match[0].indexOf(match[1]);
            if (at !== undefined) found.set(at, { name: match[1], starts, at });
        }
    }
    return [...found.values()].sort((a, b) => a.at - b.at);
}

// Whether a function belongs to the class or object with the requested name.
function isOwned(text, { starts }) {
    const before = text.slice(0, starts);
    if (!owner) return true;
    if (before.endsWith(`${owner}.`) || before.endsWith(`${owner}.prototype.`)) return true;
    const encloses = (match) => closed(text, text.indexOf('{', match.index), '{}') > starts;
    const owners = new RegExp(`\\bclass\\s+(${ID})|(${ID})\\s*=\\s*\\{`, 'g');
    const all = [...before.matchAll(owners)];
    // Brackets in a regular expression disturb the search; then the last class or object is taken.
    const last = all.filter(encloses).pop() ?? all.pop();
    return last !== undefined && (last[1] ?? last[2]) === owner;
}

function distance(one, other) {
    let row = Array.from({ length: other.length + 1 }, (_, at) => at);
    for (let i = 1; i <= one.length; i += 1) {
        const next = [i];
        for (let j = 1; j <= other.length; j += 1) {
            const change = one[i - 1] === other[j - 1] ? 0 : 1;
            next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + change));
        }
        row = next;
    }
    return row[other.length];
}

function search(skipped) {
    const found = [];
    const names = new Set();
    for (const file of files(skipped)) {
        const source = read(file);
        if (source.length > MOST_BYTES) continue;
        const text = blank(source);
        for (const candidate of functions(text)) {
            names.add(candidate.name);
            if (candidate.name !== name || !isOwned(text, candidate)) continue;
            const lines = text.slice(0, candidate.at).split('\n');
            const column = lines[lines.length - 1].length + 1;
            found.push({ path: file, line: lines.length, column });
        }
    }
    const limit = Math.max(1, name.length / 3);
    const near = [...names].filter((other) => other !== name && distance(name, other) <= limit);
    near.sort((a, b) => distance(name, a) - distance(name, b));
    return { found, near: near.slice(0, MOST_NAMES) };
}

// Built files are searched only if the sources have no such function.
const own = search([...INSTALLED, ...BUILT]);
const result = own.found.length ? own : { ...search(INSTALLED), near: own.near };
process.stdout.write(JSON.stringify(result));
