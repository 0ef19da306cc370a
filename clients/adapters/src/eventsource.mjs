// What the adapters of the `EventSource` of Node and Deno do alike (Docs/clients/adapters.md).
//
// It takes no field and no method of the caller. Every event is seen where the EventSource dispatches it, whatever its type: its
// own `dispatchEvent` stands in front of that of EventTarget. An EventSource tells neither status nor URL, and nothing of an
// error but its readyState.

import { inOrder, serve } from "../../kits/node/proctor.mjs";

const ABILITIES = "event-source redirects challenge-default cancel several-loads fetch".split(" ");
const DATA_LIMIT = 640 << 10;

function refuse(step, cannot) {
  if (step.task !== "event-source") cannot("task", "is an event source");
  if (step.method !== "GET") cannot("method", "sends GET");
  if (step.headers.length) cannot("headers", "takes no fields");
  if (!step.beforehand.follow) cannot("beforehand", "follows redirects");
  for (const key of ["body", "form", "query", "timeout"]) if (step[key]) cannot(key, "is told a URL alone");
}

const lane = { lane: "task", family: "ES" };

function load(step, task, trace, options) {
  return new Promise((resolve) => {
    const counts = {};
    trace.event("resume", task, { family: "ES" });
    const source = new EventSource(step.url, options);
    const tell = (name, rest) => {
      trace.event(name, task, { ...lane, ...rest });
      counts[name] = (counts[name] ?? 0) + 1;
      if (step.cancelAt?.event !== name || step.cancelAt.count !== counts[name]) return;
      trace.event("cancel", task, { family: "ES" });
      source.close();
      // What would still come has the time of a few connections.
      setTimeout(() => resolve({}), 300);
    };
    source.dispatchEvent = (event) => {
      if ("lastEventId" in event) {
        const { data, lastEventId, origin } = event;
        const bytes = Buffer.byteLength(data);
        tell("esEvent", { arg: event.type, facts: { bytes, lastEventId, origin, ...(bytes <= DATA_LIMIT && { data }) } });
      } else if (event.type === "open") {
        tell("esOpen");
      } else {
        const isOver = source.readyState === EventSource.CLOSED;
        tell("esError", { arg: isOver ? "fatal" : "retry" });
        if (isOver && !step.cancelAt) resolve({});
      }
      return EventTarget.prototype.dispatchEvent.call(source, event);
    };
  }).then((facts) => trace.event("result", task, { facts, family: "ES" }));
}

/**
 * The whole program. `ways(assignment)` gives what an EventSource is told of the way: its `options`, and `end()`, which closes what
 * is left.
 */
export async function serveEventSource({ client, revision, version, abilities, ways }) {
  const run = async (assignment, trace) => {
    const way = ways(assignment);
    await inOrder(assignment.steps, (step, task) => load(step, task, trace, way.options));
    await way.end();
  };
  await serve({
    client, revision, version, abilities: [...ABILITIES, ...abilities], lanes: ["task", "harness"], facts: ["message"],
    moments: ["esOpen", "esEvent", "esError"], refuse, run,
  });
}
