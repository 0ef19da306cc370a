// A Proctor server: the one that the environment names, or one of our own.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './program.js';

// The shell ends the server when this process is gone, however it ended, since the pipe to its input is closed then.
const guard = '"$@" & exec >&-; read -r _; kill $! 2>&-; wait';
const readySeconds = 30;

/** The server can't be had, or refuses a call. */
export class ProctorError extends Error {
  name = 'ProctorError';
}

/** Starts a server, which ends with this process, and resolves with its URL. */
function start(path) {
  const command = ['-c', guard, 'sh', path, 'serve', '--port', '0', '--own-token', '--ephemeral-ca', '--grace', '0'];
  // A session of its own: ^C is for the tests, which then end the server.
  const child = spawn('/bin/sh', command, { detached: true, stdio: 'pipe' });
  return new Promise((resolve, reject) => {
    let [out, said] = ['', ''];
    const end = () => child.stdin.end();
    const timer = setTimeout(end, readySeconds * 1000);
    child.stdin.on('error', () => {});
    child.stderr.on('data', (data) => { said = (said + data).slice(-2000); });
    child.stdout.on('data', (data) => {
      out += data;
      if (!out.includes('\n')) return;
      clearTimeout(timer);
      // Neither the process nor its pipes keep the tests from ending.
      for (const one of [child, child.stdin, child.stdout, child.stderr]) one.unref();
      process.once('beforeExit', reportUnused);
      const ready = JSON.parse(out);
      // Other users of the machine reach the port too, and the token keeps them out of what the tests send.
      token = ready.token;
      resolve(ready.base);
    });
    child.stdout.on('end', end);
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(timer);
      reject(new ProctorError(`'${path} serve' has not started in ${readySeconds} s, or has ended; set PROCTOR_BINARY to the `
        + `path of proctor, or PROCTOR_SERVER to the URL of a running server; it said:\n${said.trim() || 'nothing'}`));
    });
  });
}

/** Says on standard error which exchanges of the scenarios that were used no request asked for; once the tests have ended. */
async function reportUnused() {
  const { unused } = await ask('GET', 'unused').catch(() => ({ unused: [] }));
  if (unused.length) console.error(['proctor: exchanges that no test asked for:', ...unused.map((line) => `  ${line}`)].join('\n'));
}

const named = process.env.PROCTOR_SERVER?.replace(/\/+$/, '');
let base;
let token = process.env.PROCTOR_TOKEN;
let trust;

/** The URL of the server, which is started when it is first needed. */
export function serverURL() {
  base ??= named ? Promise.resolve(named) : start(program());
  return base;
}

/** Calls `/__proctor/PATH` and resolves with the body; what is not text is sent as JSON. */
export async function call(method, path, body) {
  const url = `${await serverURL()}/__proctor/${path}`;
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const { status, text } = await new Promise((resolve, reject) => {
    const away = (error) => reject(new ProctorError(
      `the Proctor server at ${url}${named ? ', which PROCTOR_SERVER names,' : ''} does not answer: ${error.message || error.code}`));
    try {
      const request = (url.startsWith('https:') ? https : http).request(url, { method, headers, agent: false, timeout: 60_000 });
      request.on('error', away).on('timeout', () => request.destroy(new Error('nothing came for 60 s')));
      request.on('response', async (response) => {
        try {
          let text = '';
          for await (const piece of response.setEncoding('utf8')) text += piece;
          resolve({ status: response.statusCode, text });
        } catch (error) {
          away(error);
        }
      });
      request.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
    } catch (error) {
      away(error);
    }
  });
  if (status < 300) return text;
  const told = /^{"error"/.test(text) && JSON.parse(text).error;
  if (!told) throw new ProctorError(`no Proctor server answers ${status} to ${url}, which PROCTOR_SERVER names`);
  const hints = {
    'token-needed': ' (PROCTOR_TOKEN holds it here)',
    'unknown-scenario': "\n(scenarios are those in PROCTOR_FIXTURES, or else in the nearest 'fixtures' folder, and Proctor's own)",
  };
  throw new ProctorError(told.message + (hints[told.code] ?? ''));
}

/** Like `call`, for an answer that is a JSON object. */
export async function ask(method, path, body) {
  const text = await call(method, path, body);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProctorError(`no Proctor server answers at ${await serverURL()}: what comes is no JSON`);
  }
}

async function fetchTrust() {
  const folder = mkdtempSync(join(tmpdir(), 'proctor-http-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [path, ca] = [join(folder, 'ca.pem'), await call('GET', 'ca.pem')];
  writeFileSync(path, ca);
  return { path, ca };
}

/** The certificate of the server's authority, and the path of a file with it that is there until the process ends. */
export function authority() {
  trust ??= fetchTrust();
  return trust;
}
