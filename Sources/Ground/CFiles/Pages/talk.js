// What two ends say to each other, a line each: messages of a WebSocket, events of a stream.
import { make, plural } from "./dom.js";
import { text } from "./entries.js";

/** Lines that are shown at a time. */
const lineBound = 40;
/** Characters of a line. */
const textBound = 400;

/** What an entry of a WebSocket says; null for one that is no message, such as a frame that others go on with. */
export function said(entry) {
  if (entry.ev === "webSocketFrame" && entry.message) {
    const { kind, code } = entry.message;
    return { by: entry.by, what: code === undefined ? kind : `${kind} ${code}`, content: text(entry.message, "content") ?? "" };
  }
  if (entry.ev === "webSocketExpected" && entry.how !== "met") {
    return { by: "note", what: "", content: `wanted ${entry.wanted}${entry.got ? `, got ${entry.got}` : ""}`, isBad: true };
  }
  if (entry.ev === "webSocketViolation") return { by: "note", what: "", content: `${entry.sentence} (${entry.section})`, isBad: true };
  return null;
}

/** Whether a reply is an event stream whose bytes can be read. */
export const isEventStream = (reply) => (reply.fields || []).some(
  ([name, value]) => /^content-type$/i.test(name) && /^text\/event-stream\b/i.test(value))
  && !(reply.fields || []).some(([name]) => /^content-encoding$/i.test(name));

/** The events of a stream (WHATWG HTML §9.2.6), and what is not dispatched: comments, times of retries, a cut event. */
export function events(content) {
  const lines = [];
  let data = [];
  let fields = {};
  for (const line of content.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    if (line === "") {
      const what = [fields.event || "message", fields.id === undefined ? null : `id ${fields.id}`].filter(Boolean).join(", ");
      if (data.length) lines.push({ by: "server", what, content: data.join("\n") });
      data = [];
      fields = {};
      continue;
    }
    const [, name, value] = /^([^:]*)(?:: ?(.*))?$/s.exec(line);
    if (name === "data") data.push(value ?? "");
    else if (name === "event" || name === "id") fields[name] = value ?? "";
    else if (name === "" || name === "retry") lines.push({ by: "note", what: name || "comment", content: value ?? "" });
  }
  if (data.length) {
    lines.push({ by: "note", what: "", content: `no empty line ends the last event, so a client does not get it: ${data.join("\n")}` });
  }
  return lines;
}

/** How many messages came from each end: `2 messages from the client, 1 from the server, close 1000`. */
export function summary(lines) {
  const isControl = (line) => /^(close|ping|pong)/.test(line.what);
  const count = (by) => lines.filter((line) => line.by === by && !isControl(line)).length;
  const close = lines.find((line) => /^close/.test(line.what));
  return [
    `${plural(count("client"), "message")} from the client, ${count("server")} from the server`,
    close ? `${close.what} by the ${close.by}` : null,
  ].filter(Boolean).join(", ");
}

const ends = { client: "client", server: "server", note: "" };
const cut = (value) => (value.length > textBound ? `${value.slice(0, textBound)}… (${plural(value.length, "character")})` : value);

/** The lines from `first` on; `turn(first)` shows others. The last ones are shown where `first` is null. */
export function talkView(lines, first, turn) {
  const begin = Math.min(first ?? Infinity, Math.max(0, lines.length - lineBound));
  const end = Math.min(lines.length, begin + lineBound);
  const button = (name, to) => {
    const element = make("button", { type: "button", class: "small" }, name);
    element.addEventListener("click", () => turn(to));
    return element;
  };
  return make(
    "div", { class: "talk" },
    begin > 0 ? button(`${plural(begin, "line")} before`, Math.max(0, begin - lineBound)) : null,
    make("ol", { start: begin + 1, "aria-label": "What was said" }, ...lines.slice(begin, end).map((line) => make(
      "li", { class: `${line.by}${line.isBad ? " bad-line" : ""}` },
      ends[line.by] ? make("span", { class: "end" }, ends[line.by]) : null,
      line.what ? make("span", { class: "soft" }, line.what) : null,
      make("span", { class: "words" }, cut(line.content))))),
    end < lines.length ? button(`${plural(lines.length - end, "line")} behind`, end) : null);
}
