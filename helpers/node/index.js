// Runs of scenarios, and their verdicts.
import { AssertionError } from 'node:assert';
import { ask, authority, call, ProctorError } from './server.js';

export { on } from './expect.js';
export { ProctorError };

// How long nothing may come, in milliseconds, until a run without open requests is judged.
const quiet = 50;
const good = ['pass', 'partly', 'observed'];
const query = (name) => (name ? `?case=${encodeURIComponent(name)}` : '');

/** The trace of a client that reports the result of each step. */
function trace(results) {
  const names = new Set();
  const lines = results.flatMap(({ body, ...facts }, task) => {
    if (body !== undefined) {
      const data = Buffer.from(body);
      Object.assign(facts, { bytes: data.length, bodyBase64: data.toString('base64') });
      names.add('body');
    }
    for (const name of ['error', ...Object.keys(facts)]) names.add(name);
    return [{ lane: 'harness', ev: 'resume', task }, { lane: 'harness', ev: 'result', task, facts }];
  });
  const head = { trace: 'proctor', version: 1, lanes: ['harness'], facts: [...names] };
  return [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
}

class Run {
  judged = false;
  raised = false;
  environment = {};

  constructor(info, name) {
    Object.assign(this, { info, case: name, id: info.run, scenario: info.scenario, base: info.base, origins: info.origins });
  }

  async open() {
    const { environment } = await this.ask('GET', `environment${query(this.case)}`);
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

  ask(method, path, body) {
    return ask(method, `runs/${this.id}/${path}`, body);
  }

  async journal({ after = 0, wait = 0 } = {}) {
    const text = await call('GET', `runs/${this.id}/journal?after=${after}&wait=${wait}`);
    return text.split('\n').filter(Boolean).map((line) => JSON.parse(line));
  }

  async reset() {
    await this.ask('POST', 'reset');
    this.judged = false;
  }

  /** The journal, as soon as no request and no handshake is under way, or after `timeout` milliseconds. */
  async settle(timeout = 5000) {
    const [end, lines, busy] = [performance.now() + timeout, [], new Set()];
    for (;;) {
      const left = Math.max(0, Math.floor(end - performance.now()));
      const fresh = await this.journal({ after: lines.at(-1)?.seq ?? 0, wait: Math.min(left, busy.size ? 1000 : quiet) });
      lines.push(...fresh);
      for (const { ev, connection } of fresh) {
        if (ev === 'connectionOpened' || ev === 'requestHead') busy.add(connection);
        if (ev === 'replySent' || ev === 'replyAborted' || ev === 'connectionClosed') busy.delete(connection);
      }
      if (!left || !(fresh.length || busy.size)) return lines;
    }
  }

  async judge(name = this.case, result = [], { timeout = 5000 } = {}) {
    const lines = await this.settle(timeout);
    if (!lines.some((line) => line.ev === 'connectionOpened')) {
      const hint = this.info.names ? '; its hosts have names: the client needs the proxy in run.environment' : '';
      const place = this.base.split('://')[1];
      const text = `the client made no connection to ${place}\n${this.scenario}: run.url('/…') leads there${hint}`;
      return { outcome: 'not-judged', text, data: {} };
    }
    try {
      const data = await this.ask('POST', `grade${query(name)}`, typeof result === 'string' ? result : trace([result].flat()));
      return { outcome: data.outcome, text: data.text, data };
    } catch (error) {
      throw new ProctorError(error.message.replace('as ?case=NAME', "to judge by, as run.verdict('NAME')"));
    }
  }

  async verdict(name, result, options) {
    const verdict = await this.judge(name, result, options);
    this.judged = true;
    this.raised = !good.includes(verdict.outcome);
    if (!this.raised) return verdict;
    throw new AssertionError({ message: verdict.text, actual: verdict.outcome, expected: 'pass', operator: 'verdict' });
  }

  async timeline() {
    const verdict = await this.judge(this.case, [], { timeout: 1000 }).catch((error) => {
      // Which names the cases; the timeline is much the same for each.
      const first = /'NAME'\); \S+ has ([^,]+)/.exec(error.message);
      return this.judge(first?.[1], [], { timeout: 1000 });
    });
    const parts = verdict.text.split('\n\n');
    if (!verdict.data.text || parts.length < 2) return parts[0];
    // Before the timeline what went wrong, where the requests fail.
    return parts.slice(verdict.outcome === 'fail' ? 0 : 1, 2).join('\n');
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
