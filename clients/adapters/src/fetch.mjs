// What the adapters of the `fetch` of Node, Deno and Bun do alike (Docs/clients/adapters.md).
//
// What each of them is told, so that it neither gets help nor is hindered:
//
// - `redirect: "follow"`, with the limit of the Fetch standard (20), or `redirect: "manual"`, which in all three delivers
//   the redirect as it came.
// - A text is a string, for which fetch says Content-Type itself where the caller does not; other content is a Buffer.
// - A streamed body is a `ReadableStream`, a form `URLSearchParams`; a query is appended by `URL.searchParams`.
// - A limit of the load as a signal. To cancel is to abort the signal: before the call or behind it, at the head of the
//   response, or at a piece of the body.
//
// Fetch has no cookie jar, answers no challenge and tells no fragment. It never sends CONNECT, TRACE and TRACK, nor content
// with GET and HEAD; steps with these are `unimplemented`.

import {
  BODY_LIMIT, Unimplemented, bodyFacts, content, fieldFacts, inOrder, isStreamed, serve,
} from "../../kits/node/proctor.mjs";
import { refuseCoded } from "./node-errors.mjs";

const ABILITIES = `methods verbatim-urls encodes-values unix-sockets redirects redirect-refuse challenge-default
  trust identity upload-stream several-loads response-answers cancel time-limit-total fetch`.split(/\s+/);
const MOMENTS = ["before-resume", "after-resume", "response", "data", "progress"];
const PIECE = 64 << 10;
const FORBIDDEN = ["CONNECT", "TRACE", "TRACK"];

function refuse(step, cannot) {
  const method = step.method.toUpperCase();
  if (FORBIDDEN.includes(method)) cannot("method", `never sends ${method} (Fetch §2.2.1)`);
  if ((step.body || step.form) && ["GET", "HEAD"].includes(method)) cannot("body", `sends none with ${method} (Fetch §5.3)`);
}

/** The path of the Unix socket at which the host of a step's URL listens; undefined where it has an address. */
export const socketOf = (step) => step.address?.startsWith("unix:") ? step.address.slice("unix:".length) : undefined;

/** A stream of which nothing tells the length, as the stream of a Blob would in Bun. */
function streamOf(bytes) {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(new Uint8Array(bytes.subarray(at, at += PIECE)));
      else controller.close();
    },
  });
}

function bodyOf(step) {
  if (step.form) return { body: new URLSearchParams(step.form) };
  if (!step.body) return {};
  const bytes = content(step.body);
  if (isStreamed(step)) return { body: streamOf(bytes), duplex: "half" };
  return { body: step.body.base64 === undefined ? bytes.toString() : bytes };
}

function urlOf(step) {
  if (!step.query) return step.url;
  const url = new URL(step.url);
  for (const [name, value] of step.query) url.searchParams.append(name, value);
  return url;
}

async function load(step, task, { session }, trace, adapter, options) {
  const aborter = new AbortController();
  const limit = session.resourceTimeout && AbortSignal.timeout(session.resourceTimeout);
  const facts = {}, pieces = [];
  let bytes = 0, kept = 0;
  const cancelAt = (count, ...events) => {
    if (!events.includes(step.cancelAt?.event) || step.cancelAt.count !== count) return;
    trace.event("cancel", task);
    aborter.abort();
  };
  cancelAt(1, "before-resume");
  trace.event("resume", task);
  try {
    const loading = fetch(urlOf(step), {
      method: step.method, headers: step.headers, ...bodyOf(step), ...options,
      redirect: step.beforehand.follow ? "follow" : "manual",
      signal: limit ? AbortSignal.any([aborter.signal, limit]) : aborter.signal,
    });
    cancelAt(1, "after-resume");
    const response = await loading;
    refuseCoded("fetch", task, response.headers.get("content-encoding"), adapter.undone);
    adapter.refuseResponse?.(step, task, response);
    Object.assign(facts, { url: response.url, status: response.status });
    const type = response.headers.get("content-type");
    if (type) facts.mime = type.split(";")[0].trim().toLowerCase();
    Object.assign(facts, fieldFacts(step, (name) => response.headers.get(name)));
    cancelAt(1, "response");
    if (step.onResponse === "cancel") {
      trace.event("cancel", task);
      aborter.abort();
    }
    let count = 0;
    for await (const piece of response.body ?? []) {
      bytes += piece.length;
      if (kept + piece.length <= BODY_LIMIT) kept += pieces.push(Buffer.from(piece)) && piece.length;
      cancelAt(++count, "data", "progress");
    }
  } catch (error) {
    if (error instanceof Unimplemented) throw error;
    Object.assign(facts, adapter.errorFacts(error, adapter.client));
  }
  trace.event("result", task, { facts: { ...facts, ...bodyFacts(pieces, bytes) } });
}

/** Throws where a redirect led from a Unix socket, which the client is told for a whole load, or to one. */
export function refuseElsewhere(client, session, step, task, url) {
  const sockets = (session.names ?? []).filter(({ address }) => address.startsWith("unix:"));
  if (!sockets.length) return;
  const hostOf = (text) => new URL(text).host;
  const isSocket = sockets.some(({ name, port }) => [name, `${name}:${port}`].includes(hostOf(url)));
  if (hostOf(url) === hostOf(step.url) || !(socketOf(step) || isSocket)) return;
  throw new Unimplemented(
    `steps[${task}]: ${client} is told of Unix sockets before a call, and a redirect led elsewhere`, task);
}

/**
 * The whole program. `ways(assignment)` gives what fetch is told of the way: `of(step)` its options, `end()`, which closes the
 * connections, and `refuse(step, task, response)` where there is something to refuse. `undone` are the codings that the client
 * undoes, and `errorFacts(error, client)` names an error.
 */
export async function serveFetch(adapter) {
  const run = async (assignment, trace) => {
    const ways = adapter.ways(assignment);
    const told = { ...adapter, refuseResponse: ways.refuse };
    await inOrder(assignment.steps, (step, task) => load(step, task, assignment, trace, told, ways.of(step)));
    await ways.end();
  };
  const { client, revision, version } = adapter;
  await serve({
    client, revision, version, abilities: [...ABILITIES, ...adapter.abilities],
    facts: ["url", "status", "mime", "bytes", "body", "header", "error", "message"], moments: MOMENTS, refuse, run,
  });
}
