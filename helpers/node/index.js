// Runs of scenarios, and their verdicts.
import { AssertionError } from 'node:assert';
import { ask, authority, call, ProctorError } from './server.js';
import { requests, Stub } from './stub.js';

export { errorName, exam } from './exam.js';
export { on } from './stub.js';
export { ProctorError };

const query = (items) => {
  const given = Object.entries(items).filter(([, value]) => value !== undefined && value !== '');
  return given.length ? `?${new URLSearchParams(given)}` : '';
};
// What JSON has no form for: content that is no text.
const plain = ({ body, ...facts }) =>
  (body === undefined ? facts : { ...facts, body: typeof body === 'string' ? body : { base64: Buffer.from(body).toString('base64') } });

class Run {
  judged = false;
  raised = false;
  environment = {};
  stubs = [];

  constructor(info, name) {
    Object.assign(this, { info, case: name, id: info.run, scenario: info.scenario, base: info.base, origins: info.origins });
  }

  async open() {
    const { environment } = await this.call('GET', `environment${query({ case: this.case })}`);
    const path = environment.PROCTOR_CA;
    if (path) ({ path: this.trust, ca: this.ca } = await authority());
    for (const [name, value] of Object.entries(environment)) this.environment[name] = value === path ? this.trust : value;
    return this;
  }

  url(path = '/', origin = undefined) {
    const base = origin === undefined ? this.base : this.origins[origin];
    if (!base) throw new ProctorError(`${this.scenario} has no origin '${origin}', but ${Object.keys(this.origins).join(', ')}`);
    return base + (path.startsWith('/') ? path : `/${path}`);
  }

  wsURL(path, origin) { return `ws${this.url(path, origin).slice('http'.length)}`; }

  call(method, path, body) {
    return ask(method, `runs/${this.id}/${path}`, body);
  }

  async journal({ after = 0, wait = 0 } = {}) {
    const text = await call('GET', `runs/${this.id}/journal?after=${after}&wait=${wait}`);
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }

  async reset() {
    await this.call('POST', 'reset');
    this.judged = false;
  }

  async judge(name = this.case, result = [], { within = 5000 } = {}) {
    const results = [result].flat();
    const body = typeof result === 'string' ? result : results.length ? { results: results.map(plain) } : '';
    const data = await this.call('POST', `judge${query({ case: name, within })}`, body);
    return { outcome: data.outcome, codes: data.codes, text: data.text, data };
  }

  async verdict(name, result, options) {
    const verdict = await this.judge(name, result, options);
    this.judged = true;
    this.raised = verdict.data.isFailure;
    if (!this.raised) return verdict;
    throw new AssertionError({ message: verdict.text, actual: verdict.outcome, expected: 'pass', operator: 'verdict' });
  }

  async timeline() {
    const { data } = await this.judge(this.case, [], { within: 1000 });
    return [data.sentence, data.timeline].filter(Boolean).join('\n');
  }
}

/** Makes the runs of one test, and ends them with it. */
class Proctor {
  runs = [];
  stubs = [];

  /** `t` tells by `error` whether the test has failed, and shows a line by `diagnostic`. */
  constructor(t) { this.t = t; }

  async run(scenario, { case: name, ...options } = {}) {
    return this.keep(await ask('POST', 'runs', { scenario, ...options }), name);
  }

  async inline(text, { case: name } = {}) {
    return this.keep(await ask('POST', 'inline', text), name);
  }

  /** A run of stubs that `on` made; it fails by a request that none expects, and by one that never comes. */
  async expect(...stubs) {
    const scenario = { summary: 'Exchanges of a test', origins: this.main && { main: this.main }, exchanges: stubs };
    const info = await ask('POST', 'stubs', scenario).catch((error) => {
      if (/unknown key .* in a reply/.test(error.message)) error.message += '\n(JSON content is written reply(200, { json: … }))';
      throw error;
    });
    const run = await this.keep(info);
    run.stubs = stubs;
    for (const stub of stubs) stub.serve(run);
    return run;
  }

  /** A stub of the test; all of them stand before the first `url`. */
  on(request, patterns) {
    this.refuseChange();
    this.stubs.push(new Stub(request, patterns));
    return this.stubs.at(-1);
  }

  /** What the stubs' server is, by the keys of Docs/format/origins.md: `{ scheme: 'https', host: 'api.example.org' }`. */
  origin(keys) {
    this.refuseChange();
    this.main = { ...this.main, ...keys };
  }

  refuseChange() {
    if (this.opened) throw new ProctorError('all stubs of a test stand before its first url(), which opens their ports');
  }

  /** The run of the stubs, which is opened when it is first asked for. */
  stubbed() {
    if (!this.stubs.length) return Promise.reject(new ProctorError("there is no stub yet: proctor.on('GET /items').reply(200)"));
    this.opened ??= this.expect(...this.stubs);
    return this.opened;
  }

  /** The URL of a path at the stubs. */
  async url(path) { return (await this.stubbed()).url(path); }

  /** The same for a WebSocket: `ws:`, or `wss:` where the stubs speak TLS. */
  async wsURL(path) { return (await this.stubbed()).wsURL(path); }

  /** The authority to trust where the stubs speak TLS, PEM. */
  async ca() { return (await this.stubbed()).ca; }

  /** All requests that came to the stubs so far, also those that none expected. */
  async requests() { return requests(await this.stubbed()); }

  /** Judges the stubs now, when what is under way has come to its end; without it they are judged at the end of the test. */
  async verify(options) { return (await this.stubbed()).verdict(undefined, [], options); }

  keep(info, name) {
    this.runs.push(new Run(info, name));
    return this.runs.at(-1).open();
  }

  /** Judges what the test has not judged, shows what is not shown yet of a test that failed, and deletes the runs. */
  async close() {
    const failures = [];
    if (this.stubs.length && !this.t.error) await this.stubbed().catch((error) => failures.push(error));
    for (const run of this.runs.splice(0)) {
      // Node 18 does not tell whether the test has failed; there, the verdict decides.
      const hasFailed = Boolean(this.t.error);
      if (!run.judged && !hasFailed) await run.verdict().catch((error) => failures.push(error));
      if (hasFailed ? !run.raised : failures.length && this.t.error === undefined) await this.show(run);
      await call('DELETE', `runs/${run.id}`).catch(() => {});
    }
    if (failures.length) throw failures[0];
  }

  async show(run) {
    const text = await run.timeline().catch((error) => error.message);
    for (const line of [`${run.scenario} at ${run.base}`, ...text.split('\n')]) this.t.diagnostic(line);
  }
}

const proctors = new WeakMap();

/** What makes runs for the test with the context `t`. */
export function proctor(t) {
  if (!proctors.has(t)) {
    const made = new Proctor(t);
    t.after(() => made.close());
    proctors.set(t, made);
  }
  return proctors.get(t);
}

/**
 * The function of a test, for every runner whose tests are async functions: Jest, Vitest, Mocha, node:test. What `body` throws gets the
 * timeline behind its message.
 */
export function withProctor(body) {
  // Without a parameter: Jest and Mocha hand a callback to a function that has one.
  return async () => {
    const lines = [];
    const t = { diagnostic: (line) => lines.push(line) };
    const made = new Proctor(t);
    try {
      await body(made);
    } catch (error) {
      t.error = error;
    }
    await made.close();
    if (!t.error) return;
    if (lines.length && typeof t.error?.message === 'string') explain(t.error, `${t.error.message}\n\n${lines.join('\n')}`);
    throw t.error;
  };
}

/** Gives an error another message; its stack, which runners show, was written with the old one. */
function explain(error, message) {
  const stack = String(error.stack);
  const old = error.message;
  error.message = message;
  error.stack = stack.includes(old) ? stack.replace(old, () => message) : `${error.name}: ${message}\n${stack}`;
}
