// An adapter of Proctor for the `fetch` of Node, which is undici's (Docs/clients/adapters.md).
//
// What it is told, so that it neither gets help nor is hindered, beside what fetch.mjs says:
//
// - A dispatcher whose `connect` leads names to their addresses or sockets; other names are not found. Node ships undici
//   without its module, so its class `Agent` is taken from the dispatcher that `fetch` itself uses.
// - A limit of silence as `headersTimeout` and `bodyTimeout`: of the dispatcher, or of one call, where a step has its own.
//
// Node 20 gives it no proxy.

import { serveFetch } from "./fetch.mjs";
import { errorFacts } from "./node-errors.mjs";
import { dispatcher } from "./node-undici.mjs";

function ways({ session, steps }) {
  const common = dispatcher(session, steps);
  return {
    // All loads share its connections, whatever their limits are.
    of({ timeout }) {
      if (!timeout) return { dispatcher: common };
      const limits = { headersTimeout: timeout, bodyTimeout: timeout };
      return { dispatcher: { dispatch: (options, handler) => common.dispatch({ ...options, ...limits }, handler) } };
    },
    end: () => common.destroy(),
  };
}

await serveFetch({
  client: "node-fetch", revision: "2", version: `${process.versions.node} (undici ${process.versions.undici})`,
  abilities: ["connection-limit", "time-limit-silence"], undone: ["gzip", "x-gzip", "deflate", "br"], ways, errorFacts,
});
