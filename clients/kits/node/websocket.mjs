// What a step says over a WebSocket of browsers (WHATWG WebSockets), with its events as the trace has them (Docs/clients/trace.md).
//
// Everything stands in one function, so that its text can also be run in a page.

/** Refuses what the constructor and the methods of a WebSocket are told nothing of. */
export function refuseSteps(step, cannot) {
  if (step.task !== "websocket") cannot("task", "opens a WebSocket");
  if (!step.beforehand.follow) cannot("beforehand", "is told nothing of redirects");
  for (const key of ["body", "form", "query", "timeout"]) if (step[key]) cannot(key, "is told a URL and protocols alone");
  for (const { act, code = 1000, isText, base64 } of step.conversation ?? []) {
    if (act === "ping" || act === "cancel") cannot("conversation", `has no ${act}`);
    if (act === "send" && isText && base64) cannot("conversation", "sends no text that is no UTF-8");
    if (code !== 1000 && (code < 3000 || code > 4999)) cannot("conversation", `has no close with ${code}`);
  }
}

/**
 * Does the acts of one step over `open(url)`; gives the facts of its result.
 *
 * `tell(name, lane, arg, facts)` writes an event, `cancelAt` is the step's own: then the caller closes the WebSocket.
 */
export async function converse(step, open, tell) {
  const queue = [], messages = [], facts = {};
  let wake = () => {}, isOver = false, ended, length = 0;
  const over = new Promise((resolve) => { ended = resolve; });
  const crc32 = (bytes) => {
    let sum = -1;
    for (const byte of bytes) {
      sum ^= byte;
      for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
    }
    return ~sum >>> 0;
  };
  const factsOf = (bytes, isText) => ({ bytes: bytes.length, crc32: crc32(bytes), isText });
  const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const socket = open("ws" + step.url.slice("http".length));
  socket.binaryType = "arraybuffer";
  const opened = new Promise((resolve) => {
    socket.onopen = () => {
      if (socket.protocol) facts.protocol = socket.protocol;
      tell("wsOpen", "task", socket.protocol || undefined);
      resolve(true);
    };
    socket.onclose = ({ code, reason, wasClean }) => {
      if (isOver) return;
      isOver = true;
      // No Close frame came: 1006 in WHATWG WebSockets, 0 in Deno.
      if (code !== 1006 && code !== 0) {
        facts.closeCode = code;
        if (reason) facts.closeReason = reason;
        tell("wsClose", "task", String(code), reason ? { closeReason: reason } : {});
      }
      if (!wasClean) facts.error = "unknown";
      wake();
      resolve(false);
      ended();
    };
    socket.onerror = (event) => {
      const text = event.message || event.error?.message;
      if (text) facts.message = String(text).slice(0, 2000);
      // A close event comes next; a WebSocket of Node that was not opened has none.
      setTimeout(() => socket.onclose({ code: 1006, reason: "", wasClean: false }), 300);
    };
  });
  socket.onmessage = ({ data }) => {
    queue.push(data);
    wake();
  };
  const receive = async () => {
    if (!queue.length && !isOver) await new Promise((resolve) => { wake = resolve; });
    if (!queue.length) return void tell("wsReceived", "handler", "unknown");
    const data = queue.shift(), isText = typeof data === "string";
    const bytes = isText ? new TextEncoder().encode(data) : new Uint8Array(data);
    length += bytes.length;
    if (length <= 160 << 10) messages.push(isText ? `text ${data}` : `binary ${hexadecimal(bytes)}`);
    tell("wsReceived", "handler", "ok", factsOf(bytes, isText));
    return true;
  };
  const send = ({ text = "", base64, isText }) => {
    const bytes = base64 === undefined ? new TextEncoder().encode(text) : Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
    // A WebSocket that is closing takes the message, and drops it (WHATWG WebSockets, send()).
    if (socket.readyState !== 1) return void tell("wsSent", "handler", "unknown");
    socket.send(isText ? text : bytes);
    tell("wsSent", "handler", "ok", factsOf(bytes, isText));
    return true;
  };
  const perform = async () => {
    for (const act of step.conversation ?? []) {
      if (act.act === "close") {
        if (act.code === undefined) socket.close();
        else socket.close(act.code, act.reason ?? "");
        return;
      }
      if (act.act === "send" && !send(act)) return;
      for (let left = act.act === "receive" ? act.count : 0; left > 0; left--) if (!await receive()) return;
    }
  };
  if (await opened) await perform();
  await over;
  if (!facts.error) delete facts.message;
  tell("complete", "task", facts.error ?? "ok");
  // More of them might not fit a line of the trace, which has 1 MiB.
  return length > 160 << 10 ? facts : { ...facts, messages: JSON.stringify(messages) };
}
