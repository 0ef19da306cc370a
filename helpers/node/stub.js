// Stubs of a test: what is asked and what is replied, in the words that all helpers share (Docs/use/stubs.md).
import { ProctorError } from './server.js';

function short(reply) {
  if (typeof reply === 'number') return { status: reply };
  if (typeof reply === 'string') return { status: 200, body: reply };
  return { status: 200, ...reply };
}

/** Content as a fixture has it. */
const content = (body) => (body instanceof Uint8Array ? { base64: Buffer.from(body).toString('base64') } : body);

/** A request that came; `stub` is the one that answered it, undefined where none did. */
class Request {
  constructor(method, target, fields, body, stub) { Object.assign(this, { method, target, fields, body, stub }); }

  /** The values of a field, joined by commas (RFC 9110 §5.3); undefined without it. */
  header(name) {
    const values = this.fields.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
    return values.length ? values.join(', ') : undefined;
  }

  get text() { return this.body.toString(); }

  get json() { return JSON.parse(this.text); }
}

/** One exchange of a test; each method gives the stub back. */
export class Stub {
  #run;

  constructor(request, { optional, times, ...patterns } = {}) {
    const isText = typeof request === 'string';
    const { optional: alsoOptional = optional, times: alsoTimes = times, ...asked } = isText ? {} : request;
    const [method, target] = isText ? [request.slice(0, request.indexOf(' ')), request.slice(request.indexOf(' ') + 1)] : [];
    const query = isText && target.indexOf('?');
    this.asked = isText ? request : asked;
    // What a request in one line is in full.
    this.full = !isText ? asked : query < 0 ? { method, path: target } : { method, path: target.slice(0, query), query: target.slice(query + 1) };
    this.patterns = patterns;
    this.replies = [];
    // What is undefined is left out of the JSON.
    this.beside = { optional: alsoOptional, times: alsoTimes };
  }

  /** What the request has besides, by the keys of Docs/format/requests.md: `json`, `headers`, `cookies`, `query`, `form`, `body`. */
  having(patterns) {
    this.refuseChange();
    Object.assign(this.patterns, patterns);
    return this;
  }

  /**
   * One reply: its status, and a text, bytes, or `{ json, body, headers, … }`, whose other keys are those of Docs/format/replies.md. Of
   * several each is sent once, in turn, and the last one stays.
   */
  reply(status = 200, what = {}) {
    this.refuseChange();
    const isContent = typeof what === 'string' || what instanceof Uint8Array;
    const { json, body, headers = {}, ...more } = isContent ? { body: what } : what;
    const fields = Array.isArray(headers) ? [...headers] : Object.entries(headers);
    const isTyped = fields.some(([name]) => name.toLowerCase() === 'content-type');
    if (json !== undefined && !isTyped) fields.push(['Content-Type', 'application/json']);
    this.replies.push({
      status, ...more, body: json === undefined ? content(body) : { json },
      // A list, and no mapping, so that a name can come twice.
      ...(fields.length ? { headers: fields.map(([name, value]) => ({ [name]: value })) } : {}),
    });
    return this;
  }

  /** Exactly so many requests, 1 to 1,000,000: one more finds no exchange, and one that does not come fails the test. */
  times(count) { return this.setting('times', { exactly: count }); }

  /** At least so many requests, 1 to 1,000,000. */
  atLeast(count) { return this.setting('times', { 'at-least': count }); }

  /** No request need come. */
  optional() { return this.setting('optional', true); }

  /** Another key of an exchange (Docs/format/requests.md), as `reads`. */
  setting(key, value) {
    this.refuseChange();
    this.beside[key] = value;
    return this;
  }

  /** The requests that this stub has answered so far, in the order in which they came. */
  async requests() {
    return this.#run ? (await requests(this.#run)).filter((request) => request.stub === this) : [];
  }

  /** Notes the run that has the stub. */
  serve(run) { this.#run = run; }

  refuseChange() {
    if (this.#run) throw new ProctorError('a stub is whole before the first url() of its test: say it earlier');
  }

  /** The exchange as a fixture has it. */
  toJSON() {
    const hasMore = Object.keys(this.patterns).length > 0;
    const replies = this.replies.length ? this.replies : [{ status: 200 }];
    return { request: hasMore ? { ...this.full, ...this.patterns } : this.asked, reply: replies, ...this.beside };
  }
}

/**
 * A stub for `expect`: what is asked, as 'GET /job' or as a mapping with method, path and patterns, and in short the reply to each
 * time: a number is a status, a text is a body, and a mapping is a reply as a fixture has it.
 */
export function on(request, ...replies) {
  const stub = new Stub(request);
  stub.replies = replies.map(short);
  return stub;
}

const kept = (line, key) => (line?.[`${key}Base64`] === undefined ? Buffer.from(line?.[key] ?? '') : Buffer.from(line[`${key}Base64`], 'base64'));
const text = (value) => (typeof value === 'string' ? value : Buffer.from(value.base64, 'base64').toString('latin1'));

/** All requests of a run so far, in the order in which they came. */
export async function requests(run) {
  const found = new Map();
  for (const line of await run.journal()) {
    if (line.ev === 'requestHead') found.set(line.request, { head: line });
    else if (line.ev === 'requestBody' || line.ev === 'exchangeChosen') Object.assign(found.get(line.request) ?? {}, { [line.ev]: line });
  }
  return [...found.values()].map(({ head, requestBody, exchangeChosen }) => new Request(
    kept(head, 'method').toString(), kept(head, 'target').toString(), head.fields.map(([name, value]) => [text(name), text(value)]),
    kept(requestBody, 'body'), run.stubs[exchangeChosen?.exchange]));
}
