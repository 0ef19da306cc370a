// A server that outlives the step which starts it, and whose exit code a later step reads.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

/** Milliseconds between two looks at a file of the server. */
const INTERVAL = 20;

// The shell waits for the program also when both are told to end, and then writes a line with the exit code to the file $0.
const KEEPER = 'trap : TERM INT; "$@"; echo $? >"$0"';

/**
 * Starts the program with a process group of its own. The files lie in `folder` but for `log`, its standard error.
 * What is returned can be written as JSON, and names the server in another step.
 */
function start(file, serveWords, folder, log) {
  const exit = path.join(folder, 'exit');
  const err = fs.openSync(log, 'w');
  const child = spawn('/bin/sh', ['-c', KEEPER, exit, file, ...serveWords], { detached: true, stdio: ['ignore', 'ignore', err] });
  fs.closeSync(err);
  child.unref();
  if (child.pid === undefined) throw new Error('/bin/sh does not start');
  return { group: child.pid, exit };
}

/** Looks until the answer is not null; null when so many seconds have passed. */
async function until(seconds, look) {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const answer = look();
    if (answer !== null || Date.now() > end) return answer;
    await pause(INTERVAL);
  }
}

function text(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Signals the group; false when there is none. */
function send(server, signal) {
  try {
    process.kill(-server.group, signal);
    return true;
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

/** How the server ended, or null while it runs: `code` is null when nobody saw the end. */
function ending(server) {
  const alive = send(server, 0);
  // Read behind the look at the group, for it is written before the group ends.
  const line = text(server.exit);
  if (line?.endsWith('\n')) return { code: Number(line) };
  return alive ? null : { code: null };
}

/** The ready line as an object; or how the server ended without it; or null when it took longer. */
function ready(server, file, seconds) {
  return until(seconds, () => {
    const end = ending(server);
    // Read behind the look at the server, for a server that has ended may have been ready before.
    const line = text(file);
    return line === null ? end : JSON.parse(line);
  });
}

/** SIGTERM, and SIGKILL where that is not enough; says how the server ended, `killed` when it had to be. */
async function stop(server, seconds) {
  const before = ending(server);
  if (before) return { ...before, early: true };
  send(server, 'SIGTERM');
  const end = await until(seconds, () => ending(server));
  if (end) return end;
  kill(server);
  return { code: null, killed: true };
}

/** Ends the whole group at once; harmless when it has ended. */
function kill(server) {
  send(server, 'SIGKILL');
}

module.exports = { start, ready, stop, kill };
