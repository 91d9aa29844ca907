// Finds the address of a process's inspector and starts the inspector if needed (argument: the
// pid), or checks that an inspector listens at an address (arguments: host and port). Prints host
// and port, a line each. If there is no inspector, prints the reason and then a remedy on stderr, a
// line each, and exits with 1. If the system does not permit it, prints the reason and exits with
// 77.
'use strict';
const fs = require('fs');
const http = require('http');
const net = require('net');
const path = require('path');
const util = require('util');

const [, pidOrHost, port] = process.argv;
const pid = Number(pidOrHost);
// signal(7): node starts its inspector on this signal; it ends a process without a handler.
const SIGUSR1 = 10;
const TIMEOUT_MS = 5000;
const START = 'start it with --inspect=0, which selects a free port';

function refuse(reason, remedy) {
    process.stderr.write(`${reason}\n${remedy}\n`);
    process.exit(1);
}

function notPermitted(what, error) {
    const [, message] = util.getSystemErrorMap().get(error.errno);
    process.stderr.write(`${what}: ${message}\n`);
    process.exit(77);
}

function read(path) {
    try {
        return fs.readFileSync(path, 'utf8');
    } catch (error) {
        if (error.code === 'ENOENT' || error.code === 'ESRCH') {
            refuse(`there is no process ${pid}`, 'give the pid of a running process');
        }
        if (error.code !== 'EACCES' && error.code !== 'EPERM') throw error;
        notPermitted(`cannot inspect process ${pid}`, error);
    }
}

// The text of a file; empty if it does not exist.
function readIfPresent(path) {
    try {
        return fs.readFileSync(path, 'utf8');
    } catch {
        return '';
    }
}

// The open files of the process: descriptor -> target of its link.
function descriptors() {
    const found = new Map();
    for (const fd of fs.readdirSync(`/proc/${pid}/fd`)) {
        try {
            found.set(Number(fd), fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
        } catch {
            // The descriptor was closed after the listing.
        }
    }
    return found;
}

// The listening sockets of the process. The tables have the columns `sl local_address rem_address
// st … inode`, with addresses as hexadecimal words in the machine's byte order (proc(5)).
function listeningSockets() {
    const own = new Map();
    for (const [fd, target] of descriptors()) {
        const socket = /^socket:\[(\d+)\]$/.exec(target);
        if (socket) own.set(socket[1], fd);
    }
    const found = [];
    for (const [table, any] of [['tcp', '00000000'], ['tcp6', '0'.repeat(32)]]) {
        const text = readIfPresent(`/proc/${pid}/net/${table}`);
        for (const line of text.split('\n').slice(1)) {
            const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
            if (state !== '0A' || !own.has(inode)) continue;
            const [address, port] = local.split(':');
            const fd = own.get(inode);
            found.push({ host: host(address, any), port: parseInt(port, 16), inode, fd });
        }
    }
    return found;
}

function host(address, any) {
    if (address === any) return any.length === 8 ? '127.0.0.1' : '::1';
    const words = address.match(/.{8}/g);
    const bytes = words.map((word) => word.match(/../g).reverse().join('')).join('');
    if (bytes.length === 8) return bytes.match(/../g).map((byte) => parseInt(byte, 16)).join('.');
    return bytes.match(/.{4}/g).join(':');
}

// The ports in the options of the inspector.
function requestedPorts() {
    const words = read(`/proc/${pid}/cmdline`).split('\0');
    for (const variable of read(`/proc/${pid}/environ`).split('\0')) {
        if (variable.startsWith('NODE_OPTIONS=')) words.push(variable);
    }
    const option = /--(?:inspect(?:-brk|-wait|-port)?|debug-port)[= ](?:\S*:)?(\d+)(?!\S)/g;
    const ports = Array.from(words.join(' ').matchAll(option), ([, port]) => Number(port));
    return ports.length ? ports : [9229];
}

// The listening sockets in event loops other than node's first three, which are those of traces,
// timers and the program. The inspector has a loop of its own (node, `InspectorIo::ThreadMain`);
// servers of the program are in the program's loop.
function separateSockets() {
    const loops = [];
    for (const [fd, target] of descriptors()) {
        if (target === 'anon_inode:[eventpoll]') loops.push(fd);
    }
    const polled = [];
    for (const loop of loops.sort((a, b) => a - b).slice(3)) {
        const text = readIfPresent(`/proc/${pid}/fdinfo/${loop}`);
        for (const [, fd] of text.matchAll(/^tfd:\s*(\d+)/gm)) polled.push(Number(fd));
    }
    return listeningSockets().filter(({ fd }) => polled.includes(fd));
}

// Whether an inspector answers there. A program's own servers get no request. The inspector refuses
// a host that is a name, except localhost (node, `IsAllowedHost` in inspector_socket.cc).
function isInspector({ host, port }, timeout) {
    const options = { host, port, path: '/json/version', timeout, headers: { host: 'localhost' } };
    return new Promise((resolve) => {
        const request = http.get(options, (response) => {
            let text = '';
            response.on('data', (part) => (text += part));
            response.on('end', () => resolve(text.includes('"Protocol-Version"')));
        });
        request.on('error', () => resolve(false));
        request.on('timeout', () => request.destroy());
        request.on('close', () => resolve(false));
    });
}

async function firstInspector(sockets) {
    for (const socket of sockets) {
        if (await isInspector(socket, 500)) return socket;
    }
}

// Whether the process is in a container's network (network_namespaces(7)).
function isInOtherNetwork() {
    const network = (process) => fs.readlinkSync(`/proc/${process}/ns/net`);
    return network(pid) !== network('self');
}

async function find() {
    const status = read(`/proc/${pid}/status`);
    read(`/proc/${pid}/maps`);
    if (isInOtherNetwork()) {
        refuse(
            `process ${pid} is in the network of a container: its inspector cannot be reached`,
            'start it with --inspect=0.0.0.0:9229 and attach to its address, '
                + 'or run dapdock in the container',
        );
    }
    const ports = requestedPorts();
    const isRequested = ({ port }) => ports.includes(port) || ports.includes(0);
    const present = await firstInspector(separateSockets().filter(isRequested));
    if (present) return present;
    const name = /^Name:\s*(.*)$/m.exec(status)[1];
    if (!path.basename(fs.readlinkSync(`/proc/${pid}/exe`)).startsWith('node')) {
        refuse(
            `process ${pid} is not a Node.js program: ${name}`,
            'give the pid of node; for another runtime give the address of its inspector',
        );
    }
    const handled = BigInt('0x' + /^SigCgt:\s*(\w+)$/m.exec(status)[1]);
    if (!(handled >> BigInt(SIGUSR1 - 1) & 1n)) {
        refuse(`SIGUSR1, which starts an inspector, would end process ${pid}`, START);
    }
    const before = new Set(listeningSockets().map(({ inode }) => inode));
    try {
        process.kill(pid, 'SIGUSR1');
    } catch (error) {
        if (error.code !== 'EPERM') throw error;
        notPermitted('SIGUSR1, which starts an inspector, cannot be sent to it', error);
    }
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
        const added = listeningSockets().filter(({ inode }) => !before.has(inode));
        const started = await firstInspector(added);
        if (started) return started;
        await new Promise((done) => setTimeout(done, 20));
    }
    // The program itself may have started the inspector, on a port of its choice.
    const own = await firstInspector(separateSockets());
    if (own) return own;
    const tracer = /^TracerPid:\s*([1-9]\d*)$/m.exec(read(`/proc/${pid}/status`))?.[1];
    if (tracer) {
        const name = read(`/proc/${tracer}/comm`).trim();
        refuse(
            `process ${pid} does not start its inspector: ${tracer} (${name}) traces it`,
            'end that tracer first',
        );
    }
    const why = 'another process listens on its port, or it has its own handler for SIGUSR1';
    refuse(`process ${pid} does not start its inspector: ${why}`, START);
}

// Without this check js-debug would try for 10 s, whatever answers there, and then close its
// connection.
async function check(address) {
    const noAnswer = (why) => {
        const reason = `nothing answers at ${address.host}:${address.port}: ${why}`;
        refuse(reason, 'start it with node --inspect');
    };
    await new Promise((connected) => {
        const socket = net.connect(address, () => connected(socket.destroy()));
        socket.on('error', (error) => noAnswer(error.message));
        const seconds = TIMEOUT_MS / 1000;
        socket.setTimeout(TIMEOUT_MS, () => noAnswer(`no connection within ${seconds} s`));
    });
    if (await isInspector(address, TIMEOUT_MS)) return address;
    refuse(
        `the server at ${address.host}:${address.port} is not an inspector of Node.js`,
        'give the port that node prints after `Debugger listening on ws://`',
    );
}

(port ? check({ host: pidOrHost, port: Number(port) }) : find()).then(({ host, port }) => {
    process.stdout.write(`${host}\n${port}\n`);
    process.exit();
});
