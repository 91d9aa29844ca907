// Where does the inspector of the process of this number listen, or is it one that listens at this host and port? Says
// host and port, a line each, and has a process start it where it does not run. Else says why not, and then what helps,
// on stderr, and ends with 1; where the system does not permit it, says why and ends with 77.
'use strict';
const fs = require('fs');
const http = require('http');
const net = require('net');
const path = require('path');
const util = require('util');

const [, place, port] = process.argv;
const pid = Number(place);
// signal(7): node starts its inspector on it, anything else that does not await it ends.
const SIGUSR1 = 10;
const PATIENCE_MS = 5000;
const START = 'start it with --inspect=0, which chooses a port of its own';

function refuse(why, instead) {
    process.stderr.write(`${why}\n${instead}\n`);
    process.exit(1);
}

function notPermitted(what, error) {
    const [, words] = util.getSystemErrorMap().get(error.errno);
    process.stderr.write(`${what}: ${words}\n`);
    process.exit(77);
}

function read(path) {
    try {
        return fs.readFileSync(path, 'utf8');
    } catch (error) {
        if (error.code === 'ENOENT' || error.code === 'ESRCH') refuse(`there is no process ${pid}`, 'name a process that runs');
        if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
        notPermitted(`process ${pid} cannot be looked at`, error);
    }
}

// What its descriptors are, by number.
function descriptors() {
    const found = new Map();
    for (const fd of fs.readdirSync(`/proc/${pid}/fd`)) {
        try { found.set(Number(fd), fs.readlinkSync(`/proc/${pid}/fd/${fd}`)); } catch { /* closed meanwhile */ }
    }
    return found;
}

// `sl local_address rem_address st … inode`, addresses as hexadecimal words of the machine's order (proc(5)).
function listening() {
    const own = new Map();
    for (const [fd, what] of descriptors()) {
        const socket = /^socket:\[(\d+)\]$/.exec(what);
        if (socket) own.set(socket[1], fd);
    }
    const found = [];
    for (const [table, any] of [['tcp', '00000000'], ['tcp6', '0'.repeat(32)]]) {
        let text = '';
        try { text = fs.readFileSync(`/proc/${pid}/net/${table}`, 'utf8'); } catch { /* no IPv6 */ }
        for (const line of text.split('\n').slice(1)) {
            const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
            if (state !== '0A' || !own.has(inode)) continue;
            const [address, port] = local.split(':');
            found.push({ host: host(address, any), port: parseInt(port, 16), inode, fd: own.get(inode) });
        }
    }
    return found;
}

function host(address, any) {
    if (address === any) return any.length === 8 ? '127.0.0.1' : '::1';
    const bytes = address.match(/.{8}/g).map((word) => word.match(/../g).reverse().join('')).join('');
    if (bytes.length === 8) return bytes.match(/../g).map((byte) => parseInt(byte, 16)).join('.');
    return bytes.match(/.{4}/g).join(':');
}

// Where is the inspector told to listen?
function told() {
    const text = (file) => read(`/proc/${pid}/${file}`).split('\0');
    const words = [...text('cmdline'), ...text('environ').filter((one) => one.startsWith('NODE_OPTIONS='))].join(' ');
    const named = words.matchAll(/--(?:inspect(?:-brk|-wait|-port)?|debug-port)[= ](?:\S*:)?(\d+)(?!\S)/g);
    const ports = Array.from(named, ([, port]) => Number(port));
    return ports.length ? ports : [9229];
}

// What a loop of its own waits for, as the inspector's does (node, `InspectorIo::ThreadMain`). Node's first three are
// those of traces, timers and the program: the program's own servers are none of these.
function apart() {
    const loops = [...descriptors()].filter(([, what]) => what === 'anon_inode:[eventpoll]').map(([fd]) => fd);
    const waited = loops.sort((a, b) => a - b).slice(3).flatMap((loop) => {
        let text = '';
        try { text = fs.readFileSync(`/proc/${pid}/fdinfo/${loop}`, 'utf8'); } catch { /* closed meanwhile */ }
        return Array.from(text.matchAll(/^tfd:\s*(\d+)/gm), ([, fd]) => Number(fd));
    });
    return listening().filter(({ fd }) => waited.includes(fd));
}

// A program's servers are never asked; of what is left only an inspector answers this.
// It refuses who names it otherwise than by an address (node, `IsAllowedHost` in inspector_socket.cc).
function isInspector({ host, port }, timeout) {
    return new Promise((told) => {
        const asked = http.get({ host, port, path: '/json/version', timeout, headers: { host: 'localhost' } }, (answer) => {
            let text = '';
            answer.on('data', (part) => (text += part));
            answer.on('end', () => told(text.includes('"Protocol-Version"')));
        });
        asked.on('error', () => told(false));
        asked.on('timeout', () => asked.destroy());
        asked.on('close', () => told(false));
    });
}

async function inspector(places) {
    for (const place of places) {
        if (await isInspector(place, 500)) return place;
    }
}

// A container's process listens where only the container's own see it (network_namespaces(7)).
function elsewhere() {
    const network = (process) => fs.readlinkSync(`/proc/${process}/ns/net`);
    return network(pid) !== network('self');
}

async function find() {
    const status = read(`/proc/${pid}/status`);
    read(`/proc/${pid}/maps`);
    if (elsewhere()) {
        const helps = 'start it with --inspect=0.0.0.0:9229 and attach to its address, or run dapdock beside it';
        refuse(`process ${pid} is in a network of its own, a container's: its inspector is not reached from here`, helps);
    }
    const ports = told();
    const there = await inspector(apart().filter(({ port }) => ports.includes(port) || ports.includes(0)));
    if (there) return there;
    const name = /^Name:\s*(.*)$/m.exec(status)[1];
    if (!path.basename(fs.readlinkSync(`/proc/${pid}/exe`)).startsWith('node')) {
        const helps = 'name the process of node; of another runtime, the address of its inspector';
        refuse(`process ${pid} is no Node.js program: ${name}`, helps);
    }
    const awaited = BigInt('0x' + /^SigCgt:\s*(\w+)$/m.exec(status)[1]) >> BigInt(SIGUSR1 - 1) & 1n;
    if (!awaited) refuse(`process ${pid} would end of SIGUSR1, which starts inspectors`, START);
    const before = new Set(listening().map(({ inode }) => inode));
    try {
        process.kill(pid, 'SIGUSR1');
    } catch (error) {
        if (error.code !== 'EPERM') throw error;
        notPermitted('SIGUSR1, which starts inspectors, cannot be sent to it', error);
    }
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
        const started = await inspector(listening().filter(({ inode }) => !before.has(inode)));
        if (started) return started;
        await new Promise((done) => setTimeout(done, 20));
    }
    // The program has started it by itself, where it was to listen.
    const own = await inspector(apart());
    if (own) return own;
    const tracer = /^TracerPid:\s*([1-9]\d*)$/m.exec(read(`/proc/${pid}/status`))?.[1];
    if (tracer) {
        const name = read(`/proc/${tracer}/comm`).trim();
        refuse(`process ${pid} does not start its inspector: ${tracer} (${name}) traces it`, 'end that one first');
    }
    const why = 'another process listens on its port, or it has a handler of its own for SIGUSR1';
    refuse(`process ${pid} does not start its inspector: ${why}`, START);
}

// js-debug tries for 10 s, whatever answers there, and then closes its connection.
async function check(place) {
    const silent = (why) => refuse(`nothing answers at ${place.host}:${place.port}: ${why}`, 'start it with node --inspect');
    await new Promise((connected) => {
        const socket = net.connect(place, () => connected(socket.destroy()));
        socket.on('error', (error) => silent(error.message));
        socket.setTimeout(PATIENCE_MS, () => silent(`no connection within ${PATIENCE_MS / 1000} s`));
    });
    if (await isInspector(place, PATIENCE_MS)) return place;
    const why = `what listens at ${place.host}:${place.port} is no inspector of Node.js`;
    refuse(why, 'name the port that node tells behind `Debugger listening on ws://`');
}

(port ? check({ host: place, port: Number(port) }) : find()).then(({ host, port }) => {
    process.stdout.write(`${host}\n${port}\n`);
    process.exit();
});
