// Everything that one entry says: fields in words, bytes as text and in hex.
import { chapter, duration, make, plural } from "./dom.js";
import { differenceView } from "./difference.js";

/** Bytes that the hex view shows. */
const hexBound = 4096;
/** Characters of a text that are shown. */
const textBound = 20_000;

const labels = {
  seq: "number", ns: "time", ev: "event", connection: "connection", request: "request", byteCount: "bytes",
  bytes: "exact bytes", sentence: "what is wrong", section: "section", headByteCount: "bytes of the head",
};
/** What every entry has, or what the heading says. */
const hidden = new Set(["seq", "ns", "ev", "scenario", "run", "connection", "request", "stream"]);
/** What the heading says of a callback of a trace. */
const hiddenOfCallback = new Set([...hidden, "n", "lane", "text", "words", "ms"]);

function bytesOf(value) {
  const binary = atob(value);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function hex(bytes) {
  const lines = [];
  const shown = bytes.subarray(0, hexBound);
  for (let at = 0; at < shown.length; at += 16) {
    const row = [...shown.subarray(at, at + 16)];
    const numbers = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const signs = row.map((byte) => (byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    lines.push(`${at.toString(16).padStart(6, "0")}  ${numbers.padEnd(47)}  ${signs}`);
  }
  if (bytes.length > hexBound) lines.push(`… ${plural(bytes.length - hexBound, "byte")} more`);
  return lines.join("\n");
}

/** Line ends and other controls as signs. */
function visible(text) {
  const cut = text.length > textBound ? `${text.slice(0, textBound)}\n… ${text.length - textBound} more` : text;
  return cut.replace(/\r\n/g, "␍␊\n").replace(/\r/g, "␍").replace(/\t/g, "→\t").replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, "�");
}

function block(text, label) {
  return make("pre", { tabindex: "0", "aria-label": label }, text);
}

/** Bytes as text, with the hex view behind a switch. */
function bytesView(name, value, isCoded) {
  const bytes = isCoded ? bytesOf(value) : new TextEncoder().encode(value);
  const view = make("div", { class: "bytes" });
  if (!isCoded) view.append(block(visible(value), name));
  const dump = make("details", {}, make("summary", {}, `${name} in hex, ${plural(bytes.length, "byte")}`));
  dump.open = isCoded;
  const fillDump = () => {
    if (dump.open && dump.children.length === 1) dump.append(block(hex(bytes), `${name} in hex`));
  };
  dump.addEventListener("toggle", fillDump);
  fillDump();
  view.append(dump);
  return view;
}

function sectionLink(text) {
  const found = /^RFC (\d+)(?:,? §([\d.]+))?/.exec(text);
  if (!found) return document.createTextNode(text);
  const fragment = found[2] ? `#section-${found[2].replace(/\.$/, "")}` : "";
  return make("a", { href: `https://www.rfc-editor.org/rfc/rfc${found[1]}${fragment}`, rel: "noreferrer" }, text);
}

/** Field lines of a head. */
function fieldLines(list) {
  return make(
    "table", { class: "fields" },
    make("tbody", {}, ...list.map(([name, value]) => make(
      "tr", {}, make("th", { scope: "row" }, shown(name)), make("td", {}, shown(value))))));
}

/** The items of a field block, with the way in which each is written. */
function blockItems(list) {
  return make(
    "table", { class: "fields" },
    make("tbody", {}, ...list.map((item) => (item.tableSize === undefined
      ? make(
        "tr", {}, make("th", { scope: "row" }, shown(item.name ?? { base64: item.nameBase64 })),
        make("td", {}, shown(item.value ?? { base64: item.valueBase64 })), make("td", { class: "soft" }, written(item)))
      : make("tr", {}, make("th", { scope: "row" }, "table size"), make("td", {}, String(item.tableSize)), make("td", {}))))));
}

/** `without-indexing, name 4, value in Huffman code`. */
function written(item) {
  const coded = ["Name", "Value"].filter((part) => item[`is${part}Huffman`]).map((part) => part.toLowerCase());
  return [
    item.as, item.index === undefined ? null : `${item.as === "indexed" ? "index" : "name"} ${item.index}`,
    coded.length ? `${coded.join(" and ")} in Huffman code` : null,
  ].filter(Boolean).join(", ");
}

const shown = (value) => (typeof value === "object" && value !== null && "base64" in value
  ? `base64 ${value.base64}` : String(value));

function valueView(key, value) {
  if (key === "fields" && Array.isArray(value)) return fieldLines(value);
  if (key === "items" && Array.isArray(value)) return blockItems(value);
  if (key === "section") return sectionLink(value);
  if (["bytes", "body", "wanted", "got"].includes(key) && typeof value === "string") return bytesView(key, value, false);
  if (/Base64$/.test(key)) return bytesView(key.replace(/Base64$/, ""), value, true);
  if (Array.isArray(value)) {
    if (!value.length) return "none";
    if (value.every((one) => typeof one !== "object")) return value.join(", ");
    return make("ol", { class: "plain" }, ...value.map((one) => make("li", {}, objectView(one))));
  }
  if (typeof value === "object" && value !== null) {
    return "base64" in value ? bytesView(key, value.base64, true) : objectView(value);
  }
  return value === true ? "yes" : value === false ? "no" : String(value);
}

function objectView(object, leaveOut = new Set()) {
  if (typeof object !== "object" || object === null) return make("span", {}, String(object));
  const list = make("dl", {});
  for (const [key, value] of Object.entries(object)) {
    if (leaveOut.has(key)) continue;
    // The bytes of a request of HTTP/2 are those of its form in HTTP/1.1.
    const label = object.version === "HTTP/2" && key.startsWith("bytes") ? "as HTTP/1.1" : labels[key] || key;
    list.append(make("dt", {}, label), make("dd", {}, valueView(key, value)));
  }
  return list;
}

/** What differs between `wanted` and `got` of a finding or an entry; null where it has not both. */
function difference(object) {
  const bytes = (name) => object[name] ?? (object[`${name}Base64`] === undefined ? undefined : bytesOf(object[`${name}Base64`]));
  const [wanted, got] = [bytes("wanted"), bytes("got")];
  return wanted === undefined || got === undefined ? null : differenceView(wanted, got);
}

/** Whether the sentence of a verdict, which may have a section behind it, is that of a finding. */
export const isSaidBy = (sentence, finding) => {
  const text = finding.plain || finding.sentence;
  return sentence === text || Boolean(sentence?.startsWith(`${text}, by `));
};

/** What a finding says, but for its sentence where that was said before, and below it the notation and what differs. */
export function findingParts(finding, saysSentence) {
  const view = make("div", { class: `finding ${finding.weight}` });
  if (saysSentence) view.append(make("p", { class: "sentence" }, finding.plain || finding.sentence));
  const rule = /\bR\d{1,2}\b/.exec(finding.sentence || "");
  if (rule) view.append(chapter(rule[0], `Chapter of ${rule[0]}`));
  if (finding.location) view.append(make("div", { class: "soft" }, `asked by ${finding.location}`));
  // Some of them have a caret below the place that they are about.
  const notation = [...(finding.plain ? [finding.sentence] : []), ...(finding.details || [])];
  const differing = difference(finding);
  if (notation.length || differing) {
    view.append(make(
      "details", { class: "notation" }, make("summary", {}, "As the fixture writes it, and byte by byte"),
      notation.length ? make("pre", { tabindex: "0", class: "lines" }, notation.join("\n")) : null, differing));
  }
  if (finding.cases?.length) view.append(make("div", { class: "soft" }, `says ${finding.cases.join(", ")}`));
  return view;
}

/** One finding of a verdict in a list; `jump(seq)`, where it is given, shows its entry. */
export function findingView(finding, jump) {
  const view = make("li", {}, findingParts(finding, true));
  // A verdict of the wire says `seq`, one with callbacks `entry`.
  const sequence = finding.seq ?? finding.entry;
  if (sequence === undefined || !jump) return view;
  const button = make("button", { type: "button", class: "small" }, `entry ${sequence}`);
  button.addEventListener("click", () => jump(sequence));
  view.append(button);
  return view;
}

/** The whole view of an item; `findings` are those of verdicts about it, `buttons` what can be done with it. */
export function itemView(item, findings, buttons = []) {
  const { entry } = item;
  const where = [
    item.kind === "callback" && entry.lane ? `callback ${entry.n}, ${entry.lane}` : `entry ${entry.seq}`, duration(item.time),
    entry.connection === undefined ? null : `connection ${entry.connection + 1}`,
    entry.request === undefined ? null : `request ${entry.request + 1}`, item.stream ? `stream ${item.stream}` : null,
  ].filter(Boolean).join(" · ");
  const view = make(
    "div", {}, make("p", { class: "soft" }, where), make("h3", {}, entry.ev), make("p", {}, item.sentence));
  if (buttons.length) view.append(make("div", { class: "bar" }, ...buttons));
  if (findings.length) view.append(make("ul", { class: "findings" }, ...findings.map((finding) => findingView(finding))));
  const differing = difference(entry);
  if (differing) view.append(differing);
  const known = item.kind === "callback" && entry.lane ? hiddenOfCallback : hidden;
  view.append(objectView(entry, differing ? new Set([...known, "wanted", "got", "wantedBase64", "gotBase64"]) : known));
  return view;
}
