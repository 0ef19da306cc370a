import http from "node:http";
import https from "node:https";
import { readFileSync } from "node:fs";

function agent(module, port) {
  class Leading extends module.Agent {
    createConnection({ path, ...options }, done) {
      // Names that no name server knows lead to their places.
      const place = PLACES[`${options.host.replace(/\.$/, "")}:${Number(options.port) || port}`];
      return super.createConnection({ ...options, ...(place && { host: place[0], port: place[1] }) }, done);
    }
  }
  return new Leading({ keepAlive: true, ...(TRUST && { ca: readFileSync(TRUST) }) });
}
const agents = { "http:": agent(http, 80), "https:": agent(https, 443) };

async function load(method, text, { headers = [], data, query, timeout, isStreamed } = {}) {
  let told = "", count = 0;
  try {
    const url = new URL(text), names = headers.map(([name]) => name.toLowerCase()), fields = headers.flat();
    for (const [name, value] of query ?? []) url.searchParams.append(name, value);
    const add = (name, value) => { if (!names.includes(name.toLowerCase())) fields.push(name, value); };
    if (!names.includes("host")) fields.unshift("Host", url.host);
    if (Array.isArray(data)) add("Content-Type", "application/x-www-form-urlencoded");
    const bytes = Array.isArray(data) ? Buffer.from(`${new URLSearchParams(data)}`) : data && Buffer.from(data);
    if (bytes && isStreamed) add("Transfer-Encoding", "chunked");
    else if (bytes || ["POST", "PUT", "PATCH"].includes(method)) add("Content-Length", `${bytes?.length ?? 0}`);
    const module = url.protocol === "https:" ? https : http;
    const response = await new Promise((done, fail) => {
      const request = module.request(url, { method, headers: fields, agent: agents[url.protocol] });
      if (timeout) request.setTimeout(timeout * 1000, () => request.destroy(new Error("silence")));
      request.on("error", fail).once("response", done);
      request.once("close", () => fail(new Error("the request was closed without a response")));
      request.end(bytes);
    });
    told = `${response.statusCode} -, `;
    for await (const piece of response) count += piece.length;
    console.log(`${told}${count} bytes`);
  } catch (error) {
    console.log(`${told}error${told ? ` after ${count} bytes` : ""}: ${error.message}`);
  }
}

