// Runs of scenarios, and their verdicts.
import { AssertionError } from 'node:assert';
import { ask, authority, call, ProctorError } from './server.js';

export { errorName, exam } from './exam.js';
export { on } from './expect.js';
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

  constructor(t) {
    this.t = t;
    t.after(() => this.close());
  }

  async run(scenario, { case: name, ...options } = {}) {
    return this.keep(await ask('POST', 'runs', { scenario, ...options }), name);
  }

  async inline(text, { case: name } = {}) {
    return this.keep(await ask('POST', 'inline', text), name);
  }

  /** A run of exchanges that `on` made; it fails by a request that none expects, and by one that never comes. */
  async expect(...exchanges) {
    return this.inline(JSON.stringify({ summary: 'Exchanges of a test', exchanges }));
  }

  keep(info, name) {
    this.runs.push(new Run(info, name));
    return this.runs.at(-1).open();
  }

  /** Judges what the test has not judged, shows what is not shown yet of a test that failed, and deletes the runs. */
  async close() {
    const failures = [];
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
  if (!proctors.has(t)) proctors.set(t, new Proctor(t));
  return proctors.get(t);
}
