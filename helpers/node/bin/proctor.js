#!/usr/bin/env node
// `npx proctor …`: becomes the program where Node can, and else passes signals and the status on.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { program } from '../program.js';

const words = process.argv.slice(2);
let path;
try {
  path = program();
} catch (error) {
  console.error(`proctor: ${error.message}`);
  process.exit(2);
}
if (process.execve && path.startsWith('/')) process.execve(path, [path, ...words]);
const child = spawn(path, words, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`proctor: ${error.message}; set PROCTOR_BINARY to the path of proctor`);
  process.exit(2);
});
child.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
