// An adapter of Proctor for `node:http2` (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered:
//
// - `connect` for each origin, once; its session is shared by all steps, and a new one is made where it is closed. Names
//   are led to their addresses or sockets in `createConnection`; other names are not found.
// - The URL as a text; what `new URL` makes of it is asked. A query is appended by `URL.searchParams`, a form encoded by
//   `URLSearchParams`.
// - Fields by their names, several values of one name as a list; Host is `:authority`.
// - A streamed body is written in pieces, any other has Content-Length.
// - A body whose request expects 100 is written when `continue` comes, or after a second without it.
// - A limit of silence is `setTimeout` of the stream, one of the load a timer; either closes the stream with CANCEL, and so
//   does a cancel.
//
// It follows no redirects, keeps no cookies, answers no challenges, sends no request again, and undoes no codings: a step
// whose content is coded is `unimplemented`. It speaks HTTP/2 alone: whatever asks for HTTP/1.1 is `unimplemented`.

import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  BODY_LIMIT, Unimplemented, bodyFacts, content, fieldFacts, inOrder, isStreamed, place, serve,
} from "../../kits/node/proctor.mjs";
import { errorFacts, refuseCoded } from "./node-errors.mjs";

const ABILITIES = `h2 prior-knowledge methods repeated-fields encodes-values unix-sockets redirect-refuse challenge-default trust identity
  upload-stream several-loads response-answers cancel time-limit-silence time-limit-total`.split(/\s+/);
const MOMENTS = ["before-resume", "after-resume", "response", "data", "progress"];
const PIECE = 64 << 10;
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;

function refuse(step, cannot) {
  if (step.method === "CONNECT") cannot("method", "delivers a socket for CONNECT");
}

const failure = (code, message) => Object.assign(new Error(message), { code });

/** The sessions of one assignment, by their origins. */
class Sessions {
  #open = new Map();

  constructor(session) { this.session = session; }

  to(url) {
    const known = this.#open.get(url.origin);
    if (known && !known.closed && !known.destroyed) return known;
    const made = http2.connect(url.origin, { createConnection: () => this.#connection(url) });
    // Each stream is told of it too.
    made.on("error", () => {});
    this.#open.set(url.origin, made);
    return made;
  }

  #connection(url) {
    const { trust, identity } = this.session;
    const isSecure = url.protocol === "https:", host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const isAddress = net.isIP(host) > 0;
    const found = place(this.session, host, port) ?? (isAddress ? { host, port } : undefined);
    if (!found) {
      const silent = new net.Socket();
      silent.destroy(failure("ENOTFOUND", `getaddrinfo ENOTFOUND ${host}`));
      return silent;
    }
    if (!isSecure) return net.connect(found);
    return tls.connect({
      ...found, ALPNProtocols: ["h2"], ...(!isAddress && { servername: host }), ...(trust && { ca: readFileSync(trust) }),
      ...(identity && { cert: readFileSync(identity.certificate), key: readFileSync(identity.key) }),
    });
  }

  close() { for (const session of this.#open.values()) session.destroy(); }
}

/** The header section of a step, and its content. */
function requestOf(step, url) {
  const fields = { ":method": step.method, ":path": `${url.pathname}${url.search}`, ":scheme": url.protocol.slice(0, -1) };
  fields[":authority"] = url.host;
  for (const [name, value] of step.headers) {
    const key = name.toLowerCase();
    if (key === "host") fields[":authority"] = value;
    else if (fields[key] === undefined) fields[key] = value;
    else fields[key] = [fields[key], value].flat();
  }
  if (step.form) fields["content-type"] ??= "application/x-www-form-urlencoded";
  const bytes = step.form ? Buffer.from(`${new URLSearchParams(step.form)}`) : step.body ? content(step.body) : null;
  if (bytes && (step.form || !isStreamed(step))) fields["content-length"] ??= `${bytes.length}`;
  return { bytes, fields, expects: fields.expect !== undefined };
}

async function send(stream, { bytes, expects }, ended) {
  if (bytes && expects) {
    const second = new Promise((go) => setTimeout(go, 1000));
    await Promise.race([once(stream, "continue"), once(stream, "response"), ended, second]);
  }
  for (let start = 0; bytes && start < bytes.length; start += PIECE) {
    if (stream.destroyed || stream.closed) return;
    if (!stream.write(bytes.subarray(start, start + PIECE))) await Promise.race([once(stream, "drain"), ended]);
  }
  if (!stream.destroyed) stream.end();
}

async function load(step, task, { session }, trace, sessions) {
  const facts = {}, pieces = [];
  let bytes = 0, kept = 0, stream, timer;
  const cancelled = Object.assign(new Error("the load was cancelled"), { name: "AbortError" });
  const leave = (error) => {
    stream.close(NGHTTP2_CANCEL);
    stream.destroy(error);
  };
  const cancel = () => {
    trace.event("cancel", task);
    if (stream) leave(cancelled);
  };
  const isMoment = (count, ...events) => events.includes(step.cancelAt?.event) && step.cancelAt.count === count;
  const begin = () => {
    const url = new URL(step.url);
    if (!["http:", "https:"].includes(url.protocol)) throw failure("ERR_INVALID_PROTOCOL", `no scheme of HTTP: ${url}`);
    for (const [name, value] of step.query ?? []) url.searchParams.append(name, value);
    const request = requestOf(step, url), idle = step.timeout ?? session.requestTimeout;
    stream = sessions.to(url).request(request.fields, { endStream: request.bytes === null });
    if (idle) stream.setTimeout(idle, () => leave(failure("ETIMEDOUT", `silence for ${idle} ms`)));
    const whole = session.resourceTimeout;
    if (whole) timer = setTimeout(() => leave(failure("ETIMEDOUT", `not complete after ${whole} ms`)), whole);
    return request;
  };
  trace.event("resume", task);
  try {
    // A stream is sent as soon as it is made.
    if (isMoment(1, "before-resume")) {
      cancel();
      throw cancelled;
    }
    const request = begin(), owner = stream.session;
    // An error of the session ends its streams, and not every stream is told so.
    const lose = (error) => stream.destroy(error ?? failure("ECONNRESET", "the session was closed"));
    owner?.once("error", lose).once("close", () => stream.closed || stream.readableEnded || lose());
    const [head, , lines] = await new Promise((done, fail) => {
      const ended = new Promise((end) => stream.once("close", end));
      stream.once("response", (...heard) => done(heard)).on("error", fail);
      stream.once("close", () => fail(failure("ECONNRESET", `the stream ended without a response (code ${stream.rstCode})`)));
      if (request.bytes !== null) send(stream, request, ended).catch(fail);
      if (isMoment(1, "after-resume")) cancel();
    });
    // The head has the first Content-Encoding alone.
    refuseCoded("node-http2", task, lines.filter((_, at) => at % 2 && lines[at - 1] === "content-encoding").join());
    facts.status = head[":status"];
    const type = head["content-type"];
    if (type) facts.mime = type.split(";")[0].trim().toLowerCase();
    Object.assign(facts, fieldFacts(step, (name) => head[name.toLowerCase()]));
    const isLeft = () => {
      cancel();
      throw cancelled;
    };
    if (isMoment(1, "response") || step.onResponse === "cancel") isLeft();
    let count = 0;
    for await (const piece of stream) {
      bytes += piece.length;
      if (kept + piece.length <= BODY_LIMIT) kept += pieces.push(piece) && piece.length;
      if (isMoment(++count, "data", "progress")) isLeft();
    }
    // As the manual says, no error tells of a stream that was reset with CANCEL, or lost its session.
    if (stream.rstCode !== NGHTTP2_NO_ERROR) throw failure("ECONNRESET", `the stream was reset (code ${stream.rstCode})`);
  } catch (error) {
    if (error instanceof Unimplemented) throw error;
    Object.assign(facts, errorFacts(error, "node-http2"));
  } finally {
    clearTimeout(timer);
  }
  trace.event("result", task, { facts: { ...facts, ...bodyFacts(pieces, bytes) } });
}

async function run(assignment, trace) {
  if (assignment.protocol !== "h2" && !assignment.needs?.includes("h2")) {
    throw new Unimplemented("protocol: node-http2 speaks HTTP/2 alone");
  }
  const sessions = new Sessions(assignment.session);
  await inOrder(assignment.steps, (step, task) => load(step, task, assignment, trace, sessions));
  sessions.close();
}

await serve({
  client: "node-http2", revision: "1", version: process.versions.node, abilities: ABILITIES,
  facts: ["status", "mime", "bytes", "body", "header", "error", "message"],
  moments: MOMENTS, refuse, run,
});
