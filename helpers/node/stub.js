// Stubs of a test: what is asked and what is replied, in the words that all helpers share (Docs/use/stubs.md).
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProctorError } from './server.js';

function short(reply) {
  if (typeof reply === 'number') return { status: reply };
  return typeof reply === 'string' ? { body: reply } : reply;
}

/** Whether a value can be parts of a reply by their names; a name that is none is refused by the server. */
const isParts = (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
const shown = (value) => JSON.stringify(value) ?? String(value);
const jsonCall = (status, value) => `for JSON write reply(${status === undefined ? '' : `${status}, `}{ json: ${shown(value)} })`;

// How deep a value may be nested.
const mostDepth = 200;

/** The value of a key, if JSON has a form for all of it; the error names the first place that has none, by its JSON pointer. */
export function checked(value, key, pointer = '', depth = 0) {
  const place = pointer ? `${key} ${pointer}` : key;
  if (depth > mostDepth) throw new ProctorError(`${key} is nested deeper than ${mostDepth} values, or contains itself`);
  if (value instanceof Uint8Array || typeof value?.toJSON === 'function') return value;
  const isLost = ['function', 'symbol', 'bigint'].includes(typeof value) || (typeof value === 'number' && !Number.isFinite(value))
    || value instanceof Map || value instanceof Set || (value === undefined && pointer);
  if (isLost) {
    throw new ProctorError(`${place} is ${typeof value === 'object' ? value.constructor.name : String(value)}, for which JSON has no form: `
      + 'wanted text, a finite number, a boolean, null, an array or a plain object');
  }
  if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      // JSON leaves a member without a value out.
      if (member !== undefined || Array.isArray(value)) {
        checked(member, key, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
      }
    }
  }
  return value;
}

/** Each value of a mapping checked. */
const checkedAll = (members) => {
  for (const [key, value] of Object.entries(members)) checked(value, key);
  return members;
};

/** Content as a fixture has it. */
const content = (body) => (body instanceof Uint8Array ? { base64: Buffer.from(body).toString('base64') } : body);

/** FILE:LINE of the first frame of the stack that is no file of this helper, undefined where the stack has none. */
export function caller() {
  for (const line of String(new Error().stack).split('\n').slice(1)) {
    const [, url, number] = /\(?((?:file:\/\/)?[^()\s]+):(\d+):\d+\)?$/.exec(line) ?? [];
    if (!url || url.startsWith('node:') || own.test(url)) continue;
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    const near = relative(process.cwd(), path);
    return `${near.startsWith('..') ? path : near}:${number}`;
  }
  return undefined;
}
const own = new RegExp(`^${import.meta.url.replace(/[^/]*$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(index|stub)\\.js`);

/** A request that came; `stub` is the one that answered it, undefined where none did. */
class Request {
  constructor(members) { Object.assign(this, members); }

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
    this.patterns = checkedAll(patterns);
    this.replies = [];
    // FILE:LINE of the test, which failures name.
    this.place = caller();
    // What is undefined is left out of the JSON.
    this.beside = { optional: alsoOptional, times: alsoTimes };
  }

  /** What the request has besides, by the keys of Docs/format/requests.md: `json`, `headers`, `cookies`, `query`, `form`, `body`. */
  having(patterns) {
    this.refuseChange();
    Object.assign(this.patterns, checkedAll(patterns));
    return this;
  }

  /**
   * One reply: its status, and a text, bytes, or `{ json, body, headers, … }`, whose other keys are those of Docs/format/replies.md, as
   * `effects`, `events` and `websocket`. Of several each is sent once, in turn, and the last one stays. Without a status it is 200, or
   * what a `websocket` or a `script` says.
   */
  reply(status, what) {
    this.refuseChange();
    if (status !== undefined && typeof status !== 'number') {
      if (what !== undefined || !isParts(status)) {
        const remedy = /^\d+$/.test(status) ? `write reply(${status})` : jsonCall(200, status);
        throw new ProctorError(`a reply begins with its status, a number, found ${shown(status)}: ${remedy}`);
      }
      [status, what] = [undefined, status];
    }
    const isContent = typeof what === 'string' || what instanceof Uint8Array;
    if (what !== undefined && !isContent && !isParts(what)) {
      throw new ProctorError(`the content of a reply is text, bytes or { json, body, … }, found ${shown(what)}: ${jsonCall(status, what)}`);
    }
    const { json, body, headers = {}, ...more } = checkedAll(isContent ? { body: what } : what ?? {});
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

  /** The test passes without a request to the stub. */
  optional() { return this.setting('optional', true); }

  /** Another key of an exchange (Docs/format/requests.md), as `reads`. */
  setting(key, value) {
    this.refuseChange();
    this.beside[key] = checked(value, key);
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
    const replies = this.replies.length ? this.replies : [{}];
    return { request: hasMore ? { ...this.full, ...this.patterns } : this.asked, reply: replies, ...this.beside, place: this.place };
  }
}

/**
 * A stub for `expect`: what is asked, as 'GET /job' or as a mapping with method, path and patterns, and in short the reply to each
 * time: a number is a status, a text is a body, and a mapping is a reply as a fixture has it.
 */
export function on(request, ...replies) {
  const stub = new Stub(request);
  stub.replies = replies.map((reply) => checked(short(reply), 'reply'));
  return stub;
}

const kept = (line, key) => (line?.[`${key}Base64`] === undefined ? Buffer.from(line?.[key] ?? '') : Buffer.from(line[`${key}Base64`], 'base64'));
const text = (value) => (typeof value === 'string' ? value : Buffer.from(value.base64, 'base64').toString('latin1'));

/** All requests of a run so far, in the order in which they came. */
export async function requests(run) {
  const found = new Map();
  for (const line of await run.journal()) {
    const request = found.get(line.request);
    if (line.ev === 'requestHead') found.set(line.request, { head: line, messages: [] });
    else if (!request) continue;
    else if (line.ev === 'replySent') request.end = 'read';
    else if (line.ev === 'replyAborted') request.end = line.client;
    else if (line.ev === 'requestBody' || line.ev === 'exchangeChosen') request[line.ev] = line;
    else if (line.ev === 'webSocketFrame' && line.by === 'client' && ['text', 'binary'].includes(line.message?.kind)) {
      const message = kept(line.message, 'content');
      request.messages.push(line.message.kind === 'text' ? message.toString() : message);
    }
  }
  return [...found.values()].map(({ head, messages, end, requestBody, exchangeChosen }) => new Request({
    method: kept(head, 'method').toString(), target: kept(head, 'target').toString(),
    fields: head.fields.map(([name, value]) => [text(name), text(value)]), body: kept(requestBody?.decoded ?? requestBody, 'body'),
    codedBody: kept(requestBody, 'body'),
    stub: run.stubs[exchangeChosen?.exchange], time: head.ns / 1e6, messages, end,
  }));
}
