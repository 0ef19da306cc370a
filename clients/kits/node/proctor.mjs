// The frame of an adapter for Proctor: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
//
//   import { serve } from "./proctor.mjs";
//   await serve({ client, revision, version, abilities, facts, moments, refuse, run });
//
// It runs in Node, Deno and Bun; clock.mjs beside it has the times of the lines.

import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { now } from "./clock.mjs";

// Bytes of a body that are told (in base64 they fit a line of 1 MiB), and bytes of one that is sent.
export const BODY_LIMIT = 640 << 10, UPLOAD_LIMIT = 256 << 20;
// Milliseconds before the deadline at which the kit gives up.
const MARGIN = 200;
const isMany = process.env.PROCTOR_ASSIGNMENTS === "many";
const DONE = 0, USAGE = 64, UNREAD = 74;

/** The program asks for what cannot be told to the client; `task` is the number of the step. */
export class Unimplemented extends Error {
  constructor(reason, task = 0) { super(reason); this.task = task; }
}
/** What is on standard input is no assignment, or the arguments are wrong. */
class Misuse extends Error {}

const leave = (code, text) => {
  if (text) process.stderr.write(`${text}\n`);
  process.exit(code);
};

function write(text) {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length;) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") leave(UNREAD, `the trace could not be written: ${error.message}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** Writes lines, of the lane `harness` where no other is named; each has left the process when the call returns. */
class Trace {
  #count = 0;
  #open = new Set();
  #timer;

  constructor(adapter, assignment, began) {
    const { scenario, case: name, run, deadline } = assignment;
    write(JSON.stringify({
      trace: "proctor", version: 1, client: adapter.client, clientVersion: adapter.version, adapter: adapter.client,
      adapterVersion: adapter.revision, clock: "monotonic", unit: "ns", lanes: adapter.lanes ?? ["harness"], facts: adapter.facts,
      abilities: [...adapter.abilities].sort(), scenario, case: name, run,
    }) + "\n");
    const left = deadline - MARGIN - (performance.now() - began);
    this.#timer = setTimeout(() => this.#giveUp(), Math.max(100, left));
  }

  event(name, task = 0, { arg, facts, family, lane = "harness" } = {}) {
    if (name === "resume") this.#open.add(task);
    if (name === "result") this.#open.delete(task);
    // A longer text would not fit a line.
    const told = facts && Object.fromEntries(Object.entries(facts).filter(([, one]) => typeof one !== "string" || one.length <= BODY_LIMIT));
    const rest = JSON.stringify({ lane, task, ev: name, arg, family, facts: told });
    write(`{"seq":${++this.#count},"ns":${now()},${rest.slice(1)}\n`);
  }

  end() { clearTimeout(this.#timer); }

  #giveUp() {
    const facts = { error: "timedOut", domain: "adapter", message: "the step had not ended at the deadline" };
    for (const task of this.#open) this.event("result", task, { facts });
    leave(DONE, isMany && write("\n"));
  }
}

/**
 * The whole program. `refuse(step, cannot)` calls `cannot(key, reason)` for what the client can't be told, `run(assignment,
 * trace)` does the rest and may throw Unimplemented; `moments` are events at which the client can be cancelled.
 */
export async function serve(adapter) {
  try {
    const word = process.argv[2];
    if (word === "--version") leave(DONE, write(`${adapter.client} ${adapter.version}\n`));
    if (word) throw new Misuse(`unknown argument '${word}'; expected none or --version`);
    if (isMany) {
      for await (const line of createInterface({ input: process.stdin })) {
        await perform(adapter, line, performance.now());
        write("\n");
      }
    } else await perform(adapter, readFileSync(0, "utf8"), 0);
    leave(DONE);
  } catch (error) {
    if (!(error instanceof Misuse || error instanceof SyntaxError)) throw error;
    leave(USAGE, `${adapter.client} adapter: ${error.message}`);
  }
}

async function perform(adapter, text, began) {
  const assignment = check(text);
  const trace = new Trace(adapter, assignment, began);
  try {
    refuse(assignment, adapter);
    await adapter.run(assignment, trace);
  } catch (error) {
    if (!(error instanceof Unimplemented)) throw error;
    trace.event("unimplemented", error.task, { arg: error.message });
  } finally {
    trace.end();
  }
}

function check(text) {
  const value = JSON.parse(text);
  if (value?.version !== 1) throw new Misuse(`the assignment has version ${value?.version}; this program knows 1`);
  if (!Number.isInteger(value.deadline)) throw new Misuse("deadline is missing or no whole number");
  if (!value.session || !value.steps?.length) throw new Misuse("session or steps are missing");
  for (const [index, step] of value.steps.entries()) {
    const key = KEYS.find((one) => step?.[one] === undefined);
    if (key) throw new Misuse(`steps[${index}].${key} is missing`);
  }
  return value;
}

const isSet = (value) => value !== undefined && value !== null;
const KEYS = ["method", "url", "headers", "bodyForm", "onRedirect", "onChallenge"];
const SCHEMES = ["basic", "digest", "bearer"];

/** Throws for the first part of a program that the client lacks, or can't be told before a step. */
function refuse({ needs, steps }, adapter) {
  const { client, abilities, moments = [] } = adapter;
  const word = (needs ?? []).find((one) => !abilities.includes(one));
  if (word) throw new Unimplemented(`needs: ${client} has no ${word}`);
  for (const [task, step] of steps.entries()) {
    const cannot = (key, reason) => { throw new Unimplemented(`steps[${task}].${key}: ${client} ${reason}`, task); };
    const answers = step.onChallenge.slice(0, step.challengeCount);
    const isUsed = answers.some(({ answer }) => answer === "use");
    if (isUsed && !SCHEMES.some((one) => abilities.includes(one))) cannot("onChallenge", "answers no challenge");
    if (!step.beforehand) cannot("beforehand", "is told no such answers before a load");
    const { event, count } = step.cancelAt ?? {};
    if (event && !moments.includes(event)) cannot("cancelAt", `can't be cancelled at ${event}`);
    if (event === "response" && count > 1) cannot("cancelAt", "tells one response");
    // A question in whose callback the load is cancelled is not answered.
    const answer = event === "response" ? "allow" : step.onResponse ?? "allow";
    if (!["allow", "cancel"].includes(answer)) cannot("onResponse", `can't say ${answer}`);
    if (step.download) cannot("download", "decides nothing about a file");
    adapter.refuse?.(step, cannot);
  }
}

/** Calls `load(step, task)` for each step when the one before is over, and at once for a step with `together`. */
export async function inOrder(steps, load) {
  let begun = [];
  for (const [task, step] of steps.entries()) {
    if (!step.together) {
      await Promise.all(begun);
      begun = [];
    }
    begun.push(load(step, task));
  }
  await Promise.all(begun);
}

/** Whether the length of the body is not to be known. */
export const isStreamed = (step) => step.bodyForm.endsWith("stream") || step.bodyForm.endsWith("pair");

/** The bytes of a body. */
export function content({ text, base64, count }) {
  const data = base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64");
  if (count === undefined || !data.length) return data;
  if (count > UPLOAD_LIMIT) throw new Unimplemented(`a body has at most ${UPLOAD_LIMIT} bytes, not ${count}`);
  return Buffer.alloc(count, data);
}

/** `bytes` of a body, and the body itself where `pieces` are all of it. */
export function bodyFacts(pieces, bytes) {
  const body = Buffer.concat(pieces), text = body.toString();
  if (body.length < bytes) return { bytes };
  if (!body.includes(0) && Buffer.from(text).equals(body)) return { bytes, body: text };
  return { bytes, bodyBase64: body.toString("base64") };
}

/** What `find(name)` gives for each field that the program asks for; undefined or null for none. */
export function fieldFacts({ fieldNames }, find) {
  const lines = (fieldNames ?? []).map((name) => [name, find(name)]).filter(([, value]) => isSet(value));
  return fieldNames?.length ? { header: lines.map(([name, value]) => `${name}: ${value}`).join("\n") } : {};
}

/** All addresses of a name that has several, in the order in which they are to be tried; else an empty list. */
export function addresses(session, host, port) {
  const plain = host.toLowerCase().replace(/\.$/, "");
  const entry = (session.names ?? []).find((one) => one.name === plain && one.port === port);
  return (entry?.addresses ?? []).map((text) => {
    const [, address, number] = /^\[?(.*?)\]?:([0-9]+)$/.exec(text);
    return { address, family: address.includes(":") ? 6 : 4, port: Number(number) };
  });
}

/** Where a name and its port stand: `{ host, port }` or `{ path }`; undefined for names that nobody is to look up. */
export function place(session, host, port) {
  const plain = host.toLowerCase().replace(/\.$/, "");
  const entry = (session.names ?? []).find((one) => one.name === plain && one.port === port);
  if (entry?.address.startsWith("unix:")) return { path: entry.address.slice(5) };
  const found = entry && /^\[?(.*?)\]?:([0-9]+)$/.exec(entry.address);
  if (found) return { host: found[1], port: Number(found[2]) };
  if (plain === "localhost") return { host: "127.0.0.1", port };
  return undefined;
}
