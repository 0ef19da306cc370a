// Calls of the control API and its event streams.
import { byId, make, say } from "./dom.js";

const prefix = "/__proctor/";
const key = "proctor-token";

// A page is opened with #token=TEXT; the token leaves the address bar at once and stays in this tab alone.
const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem(key, given);
  history.replaceState(null, "", location.pathname + location.search);
}

const fields = () => {
  const token = sessionStorage.getItem(key);
  return token ? { Authorization: `Bearer ${token}` } : {};
};

/** An error that a call was answered with. */
export class CallError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function failure(response) {
  let error = {};
  try {
    error = (await response.json()).error || {};
  } catch {
    // The reply has no JSON, and its status alone says what is wrong.
  }
  if (response.status === 401) askForToken();
  return new CallError(response.status, error.code || "", error.message || `the server answers ${response.status}`);
}

/** The JSON that a call is answered with. */
export async function call(method, path, body, type = "application/json") {
  const options = { method, headers: fields(), cache: "no-store", redirect: "error" };
  if (body !== undefined) {
    options.body = typeof body === "string" || body instanceof ArrayBuffer ? body : JSON.stringify(body);
    options.headers["Content-Type"] = type;
  }
  const response = await fetch(prefix + path, options);
  if (!response.ok) throw await failure(response);
  return response.json();
}

/** Shows a form for the token, once; the page is loaded again with it. */
function askForToken() {
  if (byId("token-form")) return;
  const input = make("input", { type: "password", name: "token", autocomplete: "off", required: true });
  const form = make(
    "form", { id: "token-form", class: "bar" },
    make("label", {}, "Token of this server (serve --token) ", input), make("button", {}, "Use it"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem(key, input.value);
    location.reload();
  });
  byId("state").before(form);
  input.focus();
}

/** Without bytes for so long a stream is taken for dead: the server says something every ten seconds. */
const silence = 25_000;

/**
 * Follows an event stream until the server ends it or `signal` does, and begins again where it broke off.
 *
 * `on.event(name, id, data)` gets each event, `on.state(word)` "live", "waiting" or "ended".
 */
export async function follow(path, on, signal) {
  let last = 0;
  let pause = 500;
  while (!signal.aborted) {
    const attempt = new AbortController();
    const stop = () => attempt.abort();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const headers = { ...fields(), Accept: "text/event-stream" };
      if (last > 0) headers["Last-Event-ID"] = String(last);
      const response = await fetch(prefix + path, { headers, cache: "no-store", signal: attempt.signal });
      if (!response.ok) throw await failure(response);
      on.state("live");
      pause = 500;
      const ended = await read(response.body, stop, (name, id, data) => {
        if (id !== null) last = id;
        if (on.event(name, id, data) === "again") {
          last = 0;
          stop();
        }
      });
      if (ended) {
        on.state("ended");
        return;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && error.status < 500) {
        on.state("ended");
        say(error.message, true);
        return;
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
    on.state("waiting");
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(5000, pause * 1.6);
  }
}

/** Reads events; true where an event said that no more come. */
async function read(body, stop, tell) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let ended = false;
  let watch = setTimeout(stop, silence);
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return ended;
      clearTimeout(watch);
      watch = setTimeout(stop, silence);
      const parts = (rest + value).split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const event = parse(part);
        if (!event) continue;
        // A server that stops comes back perhaps; a run that has ended does not.
        if (event.name === "end") ended = JSON.parse(event.data).why === "run-ended";
        tell(event.name, event.id, event.data);
      }
    }
  } finally {
    clearTimeout(watch);
  }
}

/** One event (WHATWG HTML, §9.2.6); null for a comment. */
function parse(text) {
  let name = "message";
  let id = null;
  const data = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("data: ")) data.push(line.slice(6));
    else if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("id: ")) id = Number(line.slice(4));
  }
  return data.length ? { name, id, data: data.join("\n") } : null;
}

/** Has a form make a call instead of loading its action, so that the call has the token. */
export function onSubmit(form, body) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      await body(form);
    } catch (error) {
      say(error.message, true);
    } finally {
      button.disabled = false;
    }
  });
}

