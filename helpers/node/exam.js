// Exams inside a test: each case of a client's exam is a test of its own, and a function makes its loads.
import { AssertionError } from 'node:assert';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { dirname, relative } from 'node:path';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { ask, call, ProctorError } from './server.js';

const session = randomUUID();
const bodyLimit = 640 << 10;
// How often a control is asked that goes wrong each time; the server says when it is enough.
const controlLimit = 5;

/** The client can't be told a part of the program. */
class Cannot extends Error {}

/** The class of the dispatcher that `fetch` itself uses: Node ships undici without its module. */
async function agentClass() {
  await fetch('data:,');
  // Jest gives each file of tests a global object of its own; that of `fetch` is where the dispatcher is.
  const home = await fetch.constructor('return globalThis')();
  return home[Symbol.for('undici.globalDispatcher.1')].constructor;
}

/** Whether a value is an error, of whichever global object: Jest's tests have classes of their own. */
const isError = (value) => value instanceof Error || Object.prototype.toString.call(value) === '[object Error]'
  || (typeof value === 'object' && value !== null && typeof value.message === 'string' && typeof value.stack === 'string');

/** Leads the names of the case to their addresses, and finds no other. */
function connector(setup) {
  const place = (host, port) => {
    const name = host.toLowerCase().replace(/\.$/, '');
    const address = setup.names?.find((one) => one.name === name && one.port === port)?.address;
    if (!address) return net.isIP(host.replace(/^\[|\]$/g, '')) ? { host: host.replace(/^\[|\]$/g, ''), port } : undefined;
    if (address.startsWith('unix:')) return { path: address.slice(5) };
    const at = address.lastIndexOf(':');
    return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
  };
  const secrets = setup.trust ? { ca: readFileSync(setup.trust) } : {};
  if (setup.identity) Object.assign(secrets, { cert: readFileSync(setup.identity.certificate), key: readFileSync(setup.identity.key) });
  return ({ hostname, protocol, port, servername }, done) => {
    const isSecure = protocol === 'https:';
    const found = place(hostname, Number(port) || (isSecure ? 443 : 80));
    if (!found) return void done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }));
    const name = net.isIP(hostname) ? {} : { servername: servername || hostname };
    const socket = isSecure ? tls.connect({ ...found, ...name, ...secrets, ALPNProtocols: ['http/1.1'] }) : net.connect({ ...found, noDelay: true });
    const fail = (error) => done(error);
    socket.once('error', fail);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      socket.off('error', fail);
      done(null, socket);
    });
  };
}

/** One load that the client is to make: what is asked, how questions are answered, and what comes of it. */
class Load {
  #sitting;

  constructor(sitting, step, setup, signal) {
    this.#sitting = sitting;
    const told = step.beforehand ?? {};
    Object.assign(this, {
      step, session: setup, signal, case: sitting.name, method: step.method, url: step.url, fields: step.headers,
      form: step.form ?? [], query: step.query ?? [], follows: told.follow ?? step.onRedirect[0].answer === 'follow',
      credential: told.credential, timeout: step.timeout ?? setup.requestTimeout, trust: setup.trust, identity: setup.identity,
      proxy: setup.proxy && `http://${setup.proxy}`, keepsCookies: setup.cookies !== 'never',
      cancelsAt: step.cancelAt && { event: step.cancelAt.event, count: step.cancelAt.count ?? 1 },
    });
  }

  /** The content, or undefined. */
  get body() {
    const { body } = this.step;
    if (!body) return undefined;
    const data = body.base64 === undefined ? Buffer.from(body.text ?? '') : Buffer.from(body.base64, 'base64');
    return body.count === undefined || !data.length ? data : Buffer.alloc(body.count, data);
  }

  /** Whether the length of the content is not to be known beforehand. */
  get isStreamed() { return Boolean(this.step.body) && /(stream|pair)$/.test(this.step.bodyForm); }

  /** The second argument of `fetch`, and of clients that are shaped like it. */
  get init() {
    const { body } = this;
    // A text is handed over as one: the Buffer of a body is lost where undici follows a redirect with it (Node 20).
    const data = this.step.body?.text === undefined ? body : body.toString();
    const stream = this.isStreamed && new ReadableStream({ start(sink) { if (body.length) sink.enqueue(body); sink.close(); } });
    return {
      method: this.method, headers: this.fields, redirect: this.follows ? 'follow' : 'manual', signal: this.signal,
      ...(this.form.length ? { body: new URLSearchParams(this.form) } : body ? { body: stream || data } : {}),
      ...(stream ? { duplex: 'half' } : {}), dispatcher: this.#sitting.dispatcher,
    };
  }

  /** What `make` gave at the first load of the case, for all its loads. */
  once(make) { return this.#sitting.once(make); }

  /** Throw it where the client can't be told a part of the program: the case is skipped with the reason. */
  cannot(reason) { return new Cannot(reason); }

  /** What came of the load: a reply of `fetch`, or `{ status, headers, url, body }`. */
  async result({ status, headers = [], url, body, arrayBuffer }) {
    const fields = new Headers(headers instanceof Headers || Array.isArray(headers) ? headers : Object.entries(headers));
    const content = Buffer.from(arrayBuffer ? await arguments[0].arrayBuffer() : body ?? '');
    const text = content.toString();
    const isText = Buffer.compare(Buffer.from(text), content) === 0 && !text.includes('\0');
    const mime = fields.get('content-type')?.split(';')[0].trim().toLowerCase();
    const found = (this.step.fieldNames ?? []).filter((name) => fields.has(name)).map((name) => `${name}: ${fields.get(name)}`);
    return {
      status, ...(url ? { url } : {}), ...(mime ? { mime } : {}), ...(this.step.fieldNames ? { header: found.join('\n') } : {}),
      ...(content.length > bodyLimit ? { bytes: content.length } : { body: isText ? text : { base64: content.toString('base64') } }),
    };
  }

  /** A failure by its name, as `timedOut` (Docs/judging/traces.md), with what else is known, as `status`. */
  error(name, message = name, partial = {}) { return { ...partial, error: name, message }; }
}

const names = {
  ENOTFOUND: 'cannotFindHost', EAI_AGAIN: 'cannotFindHost', ECONNREFUSED: 'cannotConnect', ENOENT: 'cannotConnect',
  ECONNRESET: 'connectionLost', EPIPE: 'connectionLost', UND_ERR_SOCKET: 'connectionLost', ERR_INVALID_URL: 'badURL',
  ETIMEDOUT: 'timedOut', UND_ERR_CONNECT_TIMEOUT: 'timedOut', UND_ERR_HEADERS_TIMEOUT: 'timedOut', UND_ERR_BODY_TIMEOUT: 'timedOut',
  CERT_HAS_EXPIRED: 'serverCertificateHasBadDate', CERT_NOT_YET_VALID: 'serverCertificateNotYetValid', UND_ERR_HEADERS_OVERFLOW: 'tooLarge',
};
const patterns = [
  [/^HPE_|^UND_ERR_/, 'badServerResponse'], [/^Z_|^ERR__ERROR_|^ERR_BROTLI/, 'cannotDecodeContentData'],
  [/^ERR_SSL_|^EPROTO$/, 'secureConnectionFailed'], [/CERT|^UNABLE_TO|^HOSTNAME_MISMATCH$/, 'serverCertificateUntrusted'],
];

/** The neutral name of what a client threw, by it and by its causes. */
export function errorName(error) {
  const chain = [];
  for (let one = error; isError(one) && chain.length < 20; one = one.cause) chain.push(one, ...(one.errors ?? []));
  for (const { code } of chain.filter((one) => typeof one.code === 'string')) {
    const name = names[code] ?? patterns.find(([pattern]) => pattern.test(code))?.[1];
    if (name) return name;
  }
  if (chain.some((one) => one.name === 'TimeoutError')) return 'timedOut';
  if (chain.some((one) => one.name === 'AbortError')) return 'cancelled';
  const says = (text) => chain.some((one) => one.message.includes(text));
  if (says('redirect count exceeded')) return 'tooManyRedirects';
  return says('unknown scheme') || says('URL scheme must be') ? 'unsupportedURL' : 'unknown';
}

/** Whether an error is one of the test, and not of its client: an assertion, or one that its own file throws. */
const isMistake = (error, file) => error instanceof Cannot || error instanceof ProctorError || ['AssertionError', 'ReferenceError'].includes(error?.name)
  || error?.matcherResult !== undefined || (error?.name === 'TypeError' && !error.cause && String(error.stack).split('\n').find((line) => /^\s+at /.test(line))?.includes(file));

/** One case of an exam in a run of its own. */
class Sitting {
  #kept = [];

  constructor(exam, name, client) { Object.assign(this, { exam, name, client }); }

  once(make) {
    if (!this.#kept.length) this.#kept.push(make());
    return this.#kept[0];
  }

  async perform(t) {
    try {
      const { path, body } = await this.sit({ case: this.name }, { case: this.name.split('#')[1] });
      let verdict = await ask('POST', path, body);
      // A pass by what the client left undone counts where the client can do it.
      if (verdict.controls) {
        for (const control of verdict.controls) await this.meet(control);
        verdict = await ask('POST', path, body);
      }
      if (this.exam.writes && verdict.isFailure) await this.exam.write();
      this.report(verdict, t);
    } catch (error) {
      if (!(error instanceof Cannot)) throw error;
      t?.skip?.(`the client can't be told so: ${error.message}`);
    }
  }

  /** Asks for a control until the server has seen enough of it. */
  async meet(control) {
    for (let count = 0; count < controlLimit; count += 1) {
      const { path, body } = await new Sitting(this.exam, `control/${control}`, this.client).sit({ control }, { control });
      if (!(await ask('POST', path, body)).again) return;
    }
  }

  /** Has the client make the loads of a run; gives the call that judges it, and its body. */
  async sit(what, judged) {
    const { run, assignment } = await ask('POST', `exams/${this.exam.name}/sit?${new URLSearchParams(what)}`, '');
    const Agent = await agentClass();
    this.dispatcher = new Agent({ connect: connector(assignment.session), ...(assignment.session.connectionsPerHost ? { connections: assignment.session.connectionsPerHost } : {}) });
    const results = [];
    const away = new AbortController();
    let timer;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, assignment.deadline, true); });
    try {
      const isHung = await Promise.race([this.load(assignment, results, away.signal), late]);
      away.abort();
      await this.dispatcher.destroy();
      const query = new URLSearchParams({ run, ...judged, ...(isHung ? { hung: assignment.deadline } : {}) });
      return { path: `exams/${this.exam.name}/judge?${query}`, body: { results } };
    } catch (error) {
      await call('DELETE', `runs/${run}`).catch(() => {});
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async load(assignment, results, signal) {
    for (const step of assignment.steps) {
      try {
        const result = await this.client(new Load(this, step, assignment.session, signal));
        if (!(result && typeof result === 'object')) throw new ProctorError('the function gives what load.result(…) or load.error(…) gave');
        results.push(result);
      } catch (error) {
        if (isMistake(error, this.exam.file)) throw error;
        results.push({ error: errorName(error), message: `${error?.name}: ${error?.message}`.slice(0, 2000) });
      }
    }
    return false;
  }

  report({ outcome, isFailure, text, sentence, verdict, unjudged }, t) {
    if (isFailure && this.exam.writes) return void t?.diagnostic?.(`written to the ledger: ${sentence ?? outcome}`);
    if (isFailure) {
      const message = `${text}\n\nagain: ${again(this.name, this.exam.file)}`;
      const error = new AssertionError({ message, actual: outcome, expected: 'pass', operator: 'exam' });
      // The place of a failure is in the timeline, and not in this file.
      error.stack = `${error.name}: ${error.message}`;
      throw error;
    }
    if (outcome === 'known') (t?.todo ?? t?.skip)?.call(t, `known: ${(verdict.ledger?.notes ?? []).join('; ')}`);
    else if (unjudged) t?.skip?.(`not judged: ${unjudged}`);
    else if (['lacks', 'not-in-this-adapter', 'skipped'].includes(outcome)) t?.skip?.(verdict.reason ?? outcome);
  }
}

/** Which program runs the tests: Vitest and Jest tell it by a variable of theirs. */
const runner = process.env.VITEST ? 'vitest' : process.env.JEST_WORKER_ID ? 'jest' : 'node';

/** The command that runs one case again, and nothing else. */
function again(name, file) {
  const pattern = `'${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$'`;
  const path = `'${relative(process.cwd(), file) || file}'`;
  if (runner === 'vitest') return `npx vitest run ${path} -t ${pattern}`;
  if (runner === 'jest') return `NODE_OPTIONS=--experimental-vm-modules npx jest --runTestsByPath ${path} -t ${pattern}`;
  return `node --test --test-name-pattern=${pattern} ${path}`;
}

/** Makes a test in the form of the runner. */
function declare(test, name, timeout, skip, run) {
  if (runner !== 'jest') return test(name, { timeout, skip }, run);
  // Jest hands a callback to a function with a parameter, and has the time behind the function.
  return (skip ? test.skip : test)(skip ? `${name} (${skip})` : name, () => run(undefined), timeout);
}

/** The file that called `exam`. */
function caller() {
  // Jest's stacks have paths, and Node's have URLs.
  const own = fileURLToPath(import.meta.url);
  const line = new Error().stack.split('\n').slice(1).find((one) => !one.includes(own)) ?? '';
  const place = /(file:\/\/[^\s)]+?|\/[^\s)]+?)(:\d+)*\)?$/.exec(line)?.[1] ?? '';
  return place.startsWith('file:') ? fileURLToPath(place) : place;
}

/**
 * Makes each case of an exam a test of its own, by the `test` of node:test, Vitest or Jest. `client` makes one load and resolves with what
 * `load.result` or `load.error` gave.
 *
 * `cases` are as `proctor exam` has them. A case that needs an ability that is not among `abilities` is skipped. `ledger` is a file of
 * failures that are known, as a URL or a path. With the variable PROCTOR_WRITE_LEDGER, it is brought up to date.
 */
export async function exam(test, cases, { client: name = 'client', ledger, timeout = 60_000, ...terms } = {}, client = undefined) {
  const file = caller();
  const path = ledger === undefined ? undefined : ledger instanceof URL ? fileURLToPath(ledger) : ledger;
  const id = createHash('sha256').update(`${session}${file}${name}${cases}`).digest('hex').slice(0, 32);
  const exam = {
    name: id, file, writes: Boolean(path && process.env.PROCTOR_WRITE_LEDGER),
    async write() {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(`${path}.${process.pid}.tmp`, await call('GET', `exams/${id}/ledger`));
      renameSync(`${path}.${process.pid}.tmp`, path);
    },
  };
  let known;
  try { known = path && readFileSync(path, 'utf8'); } catch { /* The first exam has none yet. */ }
  if (typeof client !== 'function') throw new ProctorError('exam(test, cases, options, client) wants a function that makes a load');
  const told = await ask('PUT', `exams/${id}`, { cases, client: name, ...terms, ...(known ? { ledger: known } : {}) });
  for (const one of told.cases) {
    const skip = one.outcome ? `${one.outcome}: ${one.reason}` : false;
    declare(test, one.case, timeout, skip, (t) => new Sitting(exam, one.case, client).perform(t));
  }
}
