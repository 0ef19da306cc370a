// An adapter of Proctor for the `fetch` of Node, which is undici's (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered:
//
// - A dispatcher whose `connect` leads names to their addresses or sockets; other names are not found. Node ships undici
//   without its module, so its class `Agent` is taken from the dispatcher that `fetch` itself uses.
// - `redirect: "follow"`, with the limit of the Fetch standard (20), or `redirect: "manual"`, which in Node delivers
//   the redirect as it came.
// - A limit of silence as `headersTimeout` and `bodyTimeout` of the dispatcher, a limit of the load as a signal.
// - A text is a string, for which fetch says Content-Type itself where the caller does not; other content is a Buffer.
// - A streamed body is a `ReadableStream`, a form `URLSearchParams`; a query is appended by `URL.searchParams`.
// - To cancel is to abort the signal: before the call or behind it, at the head of the response, or at a piece of the
//   body.
//
// Fetch has no cookie jar, answers no challenge and tells no fragment. Node 20 gives it no proxy. It never sends CONNECT,
// TRACE and TRACK, nor content with GET and HEAD; steps with these are `unimplemented`.

import { BODY_LIMIT, Unimplemented, bodyFacts, content, fieldFacts, isStreamed, serve } from "../../kits/node/proctor.mjs";
import { errorFacts, refuseCoded } from "./node-errors.mjs";
import { dispatcher } from "./node-undici.mjs";

const ABILITIES = `methods verbatim-urls encodes-values unix-sockets redirects redirect-refuse challenge-default
  connection-limit trust identity upload-stream several-loads response-answers cancel time-limit-silence
  time-limit-total fetch`.split(/\s+/);
const MOMENTS = ["before-resume", "after-resume", "response", "data", "progress"];
const FORBIDDEN = ["CONNECT", "TRACE", "TRACK"];

function refuse(step, cannot) {
  const method = step.method.toUpperCase();
  if (FORBIDDEN.includes(method)) cannot("method", `never sends ${method} (Fetch §2.2.1)`);
  if ((step.body || step.form) && ["GET", "HEAD"].includes(method)) cannot("body", `sends none with ${method} (Fetch §5.3)`);
}

function bodyOf(step) {
  if (step.form) return { body: new URLSearchParams(step.form) };
  if (!step.body) return {};
  const bytes = content(step.body);
  if (isStreamed(step)) return { body: new Blob([bytes]).stream(), duplex: "half" };
  return { body: step.body.base64 === undefined ? bytes.toString() : bytes };
}

function urlOf(step) {
  if (!step.query) return step.url;
  const url = new URL(step.url);
  for (const [name, value] of step.query) url.searchParams.append(name, value);
  return url;
}

async function load(step, task, { session }, trace, agent) {
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
      method: step.method, headers: step.headers, ...bodyOf(step), dispatcher: agent,
      redirect: step.beforehand.follow ? "follow" : "manual",
      signal: limit ? AbortSignal.any([aborter.signal, limit]) : aborter.signal,
    });
    cancelAt(1, "after-resume");
    const response = await loading;
    refuseCoded("fetch", task, response.headers.get("content-encoding"), ["gzip", "x-gzip", "deflate", "br"]);
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
    Object.assign(facts, errorFacts(error, "node-fetch"));
  }
  trace.event("result", task, { facts: { ...facts, ...bodyFacts(pieces, bytes) } });
}

async function run(assignment, trace) {
  const common = dispatcher(assignment.session);
  const agents = [common];
  let begun = [];
  for (const [task, step] of assignment.steps.entries()) {
    if (!step.together) {
      await Promise.all(begun);
      begun = [];
    }
    const agent = step.timeout ? dispatcher(assignment.session, step) : common;
    if (agent !== common) agents.push(agent);
    begun.push(load(step, task, assignment, trace, agent));
  }
  await Promise.all(begun);
  await Promise.all(agents.map((agent) => agent.destroy()));
}

await serve({
  client: "node-fetch", revision: "2", version: `${process.versions.node} (undici ${process.versions.undici})`,
  abilities: ABILITIES, facts: ["url", "status", "mime", "bytes", "body", "header", "error", "message"],
  moments: MOMENTS, refuse, run,
});
