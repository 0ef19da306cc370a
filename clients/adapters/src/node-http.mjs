// An adapter of Proctor for `node:http` and `node:https` (Docs/clients/adapters.md).
//
// What they are told, so that they neither get help nor are hindered:
//
// - An `Agent` with `keepAlive` for each scheme, shared by all steps. Names are led to their addresses or sockets in its
//   `createConnection`; other names are not found. Of several addresses `lookup` gives all, and `autoSelectFamily` is as
//   it comes.
// - The URL as a text; what `new URL` makes of it is asked. A query is appended by `URL.searchParams`, a form encoded by
//   `URLSearchParams`.
// - The fields as a list of names and values, in order; where Host or the length is missing, Node writes them.
// - A streamed body is written in pieces without a length, any other with Content-Length.
// - A body whose request expects 100 is written when `continue` comes, or after a second without it.
// - A limit of silence is `timeout`, at whose event the request is destroyed, as the manual says; one of the load is a
//   signal.
// - To cancel is to destroy the request.
//
// They follow no redirects, keep no cookies, answer no challenges, and undo no codings: a step whose content is coded is
// `unimplemented`. CONNECT is `unimplemented`: it is for tunnels, and delivers a socket.

import http from "node:http";
import https from "node:https";
import net from "node:net";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import {
  BODY_LIMIT, Unimplemented, bodyFacts, content, fieldFacts, addresses, inOrder, isStreamed, place, serve,
} from "../../kits/node/proctor.mjs";
import { errorFacts, refuseCoded } from "./node-errors.mjs";

const ABILITIES = `addresses methods repeated-fields verbatim-urls encodes-values unix-sockets redirect-refuse challenge-default
  connection-limit trust identity upload-stream several-loads response-answers cancel time-limit-silence
  time-limit-total`.split(/\s+/);
const MOMENTS = ["before-resume", "after-resume", "response", "data", "progress"];
const PIECE = 64 << 10;

function refuse(step, cannot) {
  if (step.method === "CONNECT") cannot("method", "delivers a socket for CONNECT");
}

/** `Agent` of http or https, which connects where the assignment says. */
function makeAgent(module, session) {
  const port = module === https ? 443 : 80;
  const notFound = (host, _, done) => {
    done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }));
  };

  class TableAgent extends module.Agent {
    createConnection(options, done) {
      const found = place(session, options.host, Number(options.port) || port);
      // Node itself takes `path` of the options, that of the request, for a socket's where no port is given.
      const { path, ...rest } = options;
      const way = found?.path ? { ...found, host: undefined } : found;
      const several = addresses(session, options.host, Number(options.port) || port);
      // Of several addresses the name stays, and `lookup` gives all of them, as that of Node does.
      if (several.length) {
        const lookup = (_, __, told) => process.nextTick(told, null, several);
        return super.createConnection({ ...rest, port: several[0].port, lookup }, done);
      }
      return super.createConnection({ ...rest, lookup: notFound, ...way }, done);
    }
  }

  const { certificate, key } = session.identity ?? {};
  return new TableAgent({
    keepAlive: true, ...(session.connectionsPerHost && { maxSockets: session.connectionsPerHost }),
    ...(session.trust && { ca: readFileSync(session.trust) }),
    ...(certificate && { cert: readFileSync(certificate), key: readFileSync(key) }),
  });
}

/** The bytes of the body and the fields that go with them. */
function contentOf(step) {
  const names = step.headers.map(([name]) => name.toLowerCase());
  const fields = step.headers.flat();
  const add = (name, value) => { if (!names.includes(name.toLowerCase())) fields.push(name, value); };
  if (!names.includes("host")) fields.unshift("Host", new URL(step.url).host);
  if (step.form) add("Content-Type", "application/x-www-form-urlencoded");
  const bytes = step.form ? Buffer.from(`${new URLSearchParams(step.form)}`) : step.body ? content(step.body) : null;
  if (bytes && (step.form || !isStreamed(step))) add("Content-Length", `${bytes.length}`);
  else if (bytes) add("Transfer-Encoding", "chunked");
  else if (["POST", "PUT", "PATCH"].includes(step.method)) add("Content-Length", "0");
  return { bytes, fields, expects: names.includes("expect") };
}

async function send(request, { bytes, expects }, ended) {
  if (bytes && expects) {
    const second = new Promise((go) => setTimeout(go, 1000));
    await Promise.race([once(request, "continue"), once(request, "response"), ended, second]);
  }
  for (let start = 0; bytes && start < bytes.length; start += PIECE) {
    if (request.destroyed) return;
    if (!request.write(bytes.subarray(start, start + PIECE))) await Promise.race([once(request, "drain"), ended]);
  }
  request.end();
}

async function load(step, task, { session }, trace, agents) {
  const facts = {}, pieces = [];
  let bytes = 0, kept = 0, request;
  const cancelled = Object.assign(new Error("the load was cancelled"), { name: "AbortError" });
  const cancel = (reason) => {
    trace.event("cancel", task);
    request.destroy(reason);
  };
  const isMoment = (count, ...events) => events.includes(step.cancelAt?.event) && step.cancelAt.count === count;
  const begin = () => {
    const url = new URL(step.url);
    for (const [name, value] of step.query ?? []) url.searchParams.append(name, value);
    const module = url.protocol === "https:" ? https : http;
    const body = contentOf(step), idle = step.timeout ?? session.requestTimeout;
    request = module.request(url, {
      method: step.method, headers: body.fields, agent: agents.get(module), ...(idle && { timeout: idle }),
      ...(session.resourceTimeout && { signal: AbortSignal.timeout(session.resourceTimeout) }),
    });
    request.on("timeout", () => request.destroy(Object.assign(new Error("silence"), { code: "ETIMEDOUT" })));
    return body;
  };
  let isResumed = false;
  try {
    if (isMoment(1, "before-resume")) {
      begin();
      request.on("error", () => {});
      cancel(cancelled);
    }
    trace.event("resume", task);
    isResumed = true;
    const body = request ? null : begin();
    const response = await new Promise((done, fail) => {
      if (!body) return fail(cancelled);
      const ended = new Promise((end) => request.once("close", end));
      request.once("response", done).on("error", fail);
      request.once("upgrade", (head, socket) => {
        socket.destroy();
        done(head);
      });
      request.once("close", () => fail(new Error("the request was closed without a response")));
      send(request, body, ended).catch(fail);
      if (isMoment(1, "after-resume")) cancel(cancelled);
    });
    refuseCoded("node-http", task, response.headers["content-encoding"]);
    facts.status = response.statusCode;
    const type = response.headers["content-type"];
    if (type) facts.mime = type.split(";")[0].trim().toLowerCase();
    Object.assign(facts, fieldFacts(step, (name) => response.headers[name.toLowerCase()]));
    // What a response says when its request is destroyed (ECONNRESET), it says of a lost connection too. Where all of the response
    // has come, the connection belongs to the request no more, and nobody hears of an error there.
    const isLeft = () => {
      cancel();
      throw cancelled;
    };
    if (isMoment(1, "response") || step.onResponse === "cancel") isLeft();
    let count = 0;
    for await (const piece of response) {
      bytes += piece.length;
      if (kept + piece.length <= BODY_LIMIT) kept += pieces.push(piece) && piece.length;
      if (isMoment(++count, "data", "progress")) isLeft();
    }
  } catch (error) {
    if (error instanceof Unimplemented) throw error;
    Object.assign(facts, errorFacts(error, "node-http"));
  }
  if (!isResumed) trace.event("resume", task);
  trace.event("result", task, { facts: { ...facts, ...bodyFacts(pieces, bytes) } });
}

async function run(assignment, trace) {
  const agents = new Map([http, https].map((module) => [module, makeAgent(module, assignment.session)]));
  await inOrder(assignment.steps, (step, task) => load(step, task, assignment, trace, agents));
  for (const agent of agents.values()) agent.destroy();
}

await serve({
  client: "node-http", revision: "1", version: process.versions.node, abilities: ABILITIES,
  facts: ["status", "mime", "bytes", "body", "header", "error", "message"],
  moments: MOMENTS, refuse, run,
});
