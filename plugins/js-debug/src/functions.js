// Where do functions of this name begin in a program's own files? Standard input is their directory and the name, a line
// each. Says paths with line and column from 1 of the first code inside, and names like it where there is none.
'use strict';
const fs = require('fs');
const path = require('path');

const [root, wanted] = fs.readFileSync(0, 'utf8').split('\n');
const cut = wanted.lastIndexOf('.');
const [owner, name] = [wanted.slice(0, Math.max(cut, 0)), wanted.slice(cut + 1)];

const INSTALLED = ['node_modules', 'bower_components', 'vendor', 'coverage'];
const BUILT = ['dist', 'build', 'out'];
const MOST_FILES = 2000;
const LONGEST = 1 << 20;
const NEAR = 3;

function files(skipped) {
    const found = [];
    const ahead = [root];
    while (ahead.length && found.length < MOST_FILES) {
        const directory = ahead.pop();
        let entries = [];
        try { entries = fs.readdirSync(directory, { withFileTypes: true }); } catch { /* not to be read */ }
        for (const entry of entries) {
            const file = path.join(directory, entry.name);
            if (entry.isDirectory() && !entry.name.startsWith('.') && !skipped.includes(entry.name)) ahead.push(file);
            if (entry.isFile() && /\.[mc]?[jt]sx?$/.test(entry.name) && !/\.d\.[mc]?ts$/.test(entry.name)) found.push(file);
        }
    }
    // What lies beside its source was made of it, and leads to it where it has a map.
    const source = (file) => file.replace(/js(x?)$/, 'ts$1');
    const isMade = (file) => source(file) !== file && found.includes(source(file)) && isMapped(file);
    return found.filter((file) => !isMade(file)).sort();
}

function isMapped(file) {
    if (fs.existsSync(`${file}.map`)) return true;
    try { return fs.readFileSync(file, 'utf8').includes('//# sourceMappingURL=data:'); } catch { return false; }
}

// The same without remarks and texts, every letter at its place.
function bare(text) {
    const other = /\/\/.*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/g;
    return text.replace(other, (part) => part.replace(/[^\n]/g, part.startsWith('/') ? ' ' : '_'));
}

const ID = '[A-Za-z_$#][\\w$]*';
const FUNCTION = `function\\b\\s*\\*?\\s*(?:${ID})?\\s*(?=[<(])`;
const FORMS = [
    // function NAME(
    new RegExp(`\\bfunction\\b\\s*\\*?\\s*(${ID})\\s*(?=[<(])`, 'g'),
    // NAME = (…) =>, NAME = function (, NAME: the same
    new RegExp(`(${ID})\\s*(?::[^=;,\\n(]*=|[=:])\\s*(?:async\\s+)?(?:${FUNCTION}|(?=[<(]|${ID}\\s*=>))`, 'g'),
    // NAME(…) {
    new RegExp(`(?<=^|[{;}])[ \\t]*(?:(?:static|async|get|set|public|private|protected|override)\\s+)*\\*?\\s*(${ID})\\s*(?=[<(])`, 'gm'),
];
const WORDS = ['if', 'for', 'while', 'switch', 'catch', 'with', 'function', 'return', 'await', 'new'];

// Behind the bracket that closes the one at this place.
function closed(text, at, [open, close]) {
    for (let depth = 0; at < text.length; at += 1) {
        if (text[at] === open) depth += 1;
        if (text[at] === close && (depth -= 1) === 0) return at + 1;
    }
    return at;
}

// The first code of the body of what has its arguments here; none: it is no function.
function body(text, at, arrow) {
    if (text[at] === '<') at = closed(text, at, '<>');
    if (text[at] === '(') at = closed(text, at, '()');
    const begins = arrow ? /\s*(?::[^={};]*?|[\w$]*)\s*=>\s*\{?\s*/y : /\s*(?::[^={};]*?)?\{\s*/y;
    begins.lastIndex = at;
    return begins.test(text) ? begins.lastIndex : undefined;
}

function functions(text) {
    const found = new Map();
    for (const form of FORMS) {
        for (const match of text.matchAll(form)) {
            const end = match.index + match[0].length;
            const arrow = form === FORMS[1] && !/\bfunction\b/.test(match[0]);
            const at = WORDS.includes(match[1]) ? undefined : body(text, end, arrow);
            if (at !== undefined) found.set(at, { name: match[1], starts: match.index + match[0].indexOf(match[1]), at });
        }
    }
    return [...found.values()].sort((a, b) => a.at - b.at);
}

// Does it belong to the class or the object of that name?
function isOwned(text, { starts }) {
    const before = text.slice(0, starts);
    if (!owner || before.endsWith(`${owner}.`) || before.endsWith(`${owner}.prototype.`)) return true;
    const around = (match) => closed(text, text.indexOf('{', match.index), '{}') > starts;
    const all = [...before.matchAll(new RegExp(`\\bclass\\s+(${ID})|(${ID})\\s*=\\s*\\{`, 'g'))];
    // A regular expression may have brackets, too: then it is the last one.
    const last = all.filter(around).pop() ?? all.pop();
    return last !== undefined && (last[1] ?? last[2]) === owner;
}

function distance(one, other) {
    let row = Array.from({ length: other.length + 1 }, (_, at) => at);
    for (let i = 1; i <= one.length; i += 1) {
        const next = [i];
        for (let j = 1; j <= other.length; j += 1) {
            next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1)));
        }
        row = next;
    }
    return row[other.length];
}

function search(skipped) {
    const found = [];
    const names = new Set();
    for (const file of files(skipped)) {
        let text = '';
        try { text = fs.readFileSync(file, 'utf8'); } catch { /* gone meanwhile */ }
        if (text.length > LONGEST) continue;
        text = bare(text);
        for (const one of functions(text)) {
            names.add(one.name);
            if (one.name !== name || !isOwned(text, one)) continue;
            const before = text.slice(0, one.at).split('\n');
            found.push({ path: file, line: before.length, column: before[before.length - 1].length + 1 });
        }
    }
    const far = (other) => distance(name, other);
    const near = [...names].filter((other) => other !== name && far(other) <= Math.max(1, name.length / 3));
    return { found, near: near.sort((a, b) => far(a) - far(b)).slice(0, NEAR) };
}

const own = search([...INSTALLED, ...BUILT]);
process.stdout.write(JSON.stringify(own.found.length ? own : { ...search(INSTALLED), near: own.near }));
