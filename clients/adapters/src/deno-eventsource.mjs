// An adapter of Proctor for the `EventSource` of Deno (Docs/clients/adapters.md).
//
// It is told a URL and nothing else: it takes no HttpClient, and so no authorities. A proxy leads to names, and not to loopback; it
// stands in the environment, which Deno reads at the first request of a process. So the process ends with an assignment, and the next
// one gets another.

import { serveEventSource } from "./eventsource.mjs";

function ways({ session: { namesProxy } }) {
  // Where there are no names: a port that nobody listens at, so that no name is looked up.
  const proxy = `http://${namesProxy ?? "127.0.0.1:9"}`;
  Object.assign(process.env, { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "127.0.0.0/8,::1,localhost" });
  return { options: {}, end: () => setTimeout(() => process.exit(0)) };
}

await serveEventSource({
  client: "deno-eventsource", revision: "1", version: `${Deno.version.deno} (V8 ${Deno.version.v8})`, abilities: [], ways,
});
