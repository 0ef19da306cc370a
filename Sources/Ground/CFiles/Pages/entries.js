// What a journal says, as the pages keep it: bounded, with a sentence for each entry.
import { plural } from "./dom.js";

/** Entries that a page keeps, and how many it forgets at a time when it has more. */
export const bound = 20_000;
const step = 4_000;
/** Requests of HTTP/2 whose streams are known. */
const streamBound = 10_000;
/** Milliseconds without an entry that stand as they are; of longer pauses only the logarithm counts. */
const longest = 5;
/** Milliseconds from which a folded pause has a sign. */
const noted = 100;

const fold = (pause) => (pause <= longest ? pause : longest + 2 * Math.log(pause / longest));

/** A value of bytes as text; `bytes` or `bytesBase64`. */
export function text(entry, name) {
  if (entry[name] !== undefined) return entry[name];
  const coded = entry[`${name}Base64`];
  return coded === undefined ? undefined : `(${plural(Math.floor(coded.length * 0.75), "byte")})`;
}

const reply = (entry) => `${entry.status ?? "raw"}, ${plural(entry.byteCount, "byte")}`;

/** Bytes that belong to no readable request, by what they are a part of. */
const bytesReceived = {
  refused: "that were refused", unfinished: "of what was not whole", behind: "behind the last request",
  late: "of a body behind its reply", opaque: "after the last step of the reply, which were not read",
};

// A kind decides the colour and where an entry stands; the sentence is what the list shows.
const sentences = {
  runBegun: (e) => ["state", `the run begins, seed ${e.seed}`],
  connectionOpened: (e) => ["open", `connected from ${e.peer} to ${e.origin}`],
  clientHello: (e) => ["tls", `ClientHello: TLS ${e.versions.join(", ")}${e.serverName ? `, for ${e.serverName}` : ""}`],
  secured: (e) => ["tls", `TLS ${e.version}, ${e.cipherSuite}${e.isResumed ? ", resumed" : ""}, certificate ${e.certificate}`],
  handshakeFailed: (e) => ["fault", `the handshake failed at ${e.moment}: ${e.reason}`],
  alert: (e) => [e.isFatal ? "fault" : "tls", `alert ${e.name} by the ${e.by}`],
  requestHead: (e) => ["request", `${text(e, "method")} ${text(e, "target")}${e.stream ? `, stream ${e.stream}` : ""}`],
  routed: (e) => ["note", `led to ${e.origin} by ${e.by}`],
  tunnelOpened: (e) => ["note", `tunnel to ${e.authority}`],
  cookiesSet: (e) => ["note", `${plural(e.cookies.length, "cookie")} set: ${e.cookies.map((one) => one.outcome).join(", ")}`],
  cookiesJudged: (e) => e.differences.length
    ? ["fault", `cookies: ${e.differences.map((one) => one.sentence).join("; ")}`]
    : ["note", "the cookies are as a conforming client sends them"],
  requestBody: (e) => ["request", `content of ${plural(e.byteCount, "byte")}${e.isComplete ? "" : ", not complete"}${e.isWithheld ? ", kept back" : ""}`],
  bytesReceived: (e) => ["note", `${plural(e.byteCount, "byte")} ${bytesReceived[e.of] ?? e.of}`],
  bytesExpected: (e) => [e.how === "met" ? "note" : "fault", `${plural(e.byteCount, "byte")} expected: ${e.how}`],
  described: (e) => e.faults.length
    ? ["fault", `the ${e.of} is not as described: ${e.faults.map((one) => `${one.part} ${one.pointer}: ${one.sentence} (${one.place})`).join("; ")}`]
    : ["note", `the ${e.of} is not judged: ${e.open.join("; ")}`],
  continueSent: () => ["reply", "100 (Continue) sent"],
  violation: (e) => ["fault", `${e.sentence} (${e.section})`],
  frame: (e) => [e.by === "client" ? "frameIn" : "frameOut", frame(e)],
  fieldBlock: (e) => [
    e.by === "client" ? "frameIn" : "frameOut",
    `${e.of} block${place(e)}: ${plural(e.items.filter((one) => one.tableSize === undefined).length, "field")} in `
      + `${plural(e.frameCount, "frame")}, ${plural(e.byteCount, "byte")}`,
  ],
  frameViolation: (e) => [
    "fault",
    `${e.sentence} (${e.section})${e.scope === "none" || e.isReadOver ? "" : `, answered by ${e.scope === "stream" ? "RST_STREAM" : "GOAWAY"} ${e.code}`}`,
  ],
  webSocketOpened: (e) => ["open", `the WebSocket is open${e.protocol ? `, protocol ${e.protocol}` : ""}`],
  webSocketFrame: (e) => [e.by === "client" ? "frameIn" : "frameOut", webSocketFrame(e)],
  webSocketViolation: (e) => ["fault", `${e.sentence} (${e.section})`],
  webSocketExpected: (e) => e.how === "met"
    ? ["note", `as expected: ${e.wanted}`] : ["fault", `wanted ${e.wanted}${e.got ? `, got ${e.got}` : ""}`],
  exchangeChosen: (e) => ["note", `exchange ${e.exchange} answers, turn ${e.turn}`],
  stateChanged: (e) => ["state", `${text(e, "name")} = ${text(e, "value") ?? "(removed)"}`],
  stateRefused: (e) => ["fault", `the state stays as it is: ${e.reason}`],
  missed: (e) => ["fault", `nothing expects it${differences(e)}`],
  guarded: (e) => e.faults.length
    ? ["fault", `${e.guard}: ${e.outcome}: ${e.faults.map((one) => one.sentence).join("; ")}`]
    : ["note", `${e.guard}: ${e.outcome}${e.user ? ` (${e.user})` : ""}`],
  effectPlayed: (e) => ["effect", `${e.action} at ${e.position}`],
  pipelined: (e) => ["note", `came before ${plural(e.behind, "reply", "replies")} had gone out`],
  slicesKept: (e) => ["effect", `sent in ${plural(e.count, "slice")}`],
  syncPassed: (e) => ["effect", `waited for ${e.event}: ${e.how}`],
  replyBegun: (e) => ["reply", `${e.status ?? "raw bytes"} begins`],
  replySent: (e) => ["reply", reply(e)],
  replyAborted: (e) => ["fault", `broken off after ${plural(e.sentByteCount, "byte")}: ${e.reason}`],
  replyFailed: (e) => ["fault", `no reply could be made: it ${e.reason}`],
  connectionClosed: (e) => ["close", `ended by the ${e.by}: ${e.how}`],
  boundReached: (e) => ["fault", `the bound of ${e.count} ${e.of} is reached`],
  loopHeld: (e) => ["fault", e.text],
  turnedAway: (e) => ["fault", e.text],
  clientReached: (e) => ["callback", `the client reports ${e.event}`],
  callback: (e) => ["callback", e.words === e.text ? e.text : `${e.text}: ${e.words}`],
};

const place = (entry) => (entry.stream ? `, stream ${entry.stream}` : "");

/** `text, 5 bytes: hello`. */
function webSocketFrame(e) {
  const head = `${e.opcode}${e.flags.includes("FIN") ? "" : " without FIN"}, ${plural(e.byteCount, "byte")}`;
  if (!e.message) return head;
  const code = e.message.code === undefined ? "" : `${e.message.code} `;
  return `${head}: ${code}${text(e.message, "content")}`;
}

/** `HEADERS, stream 1: END_STREAM END_HEADERS, 32 bytes`. */
function frame(e) {
  const parts = [plural(e.byteCount, "byte")];
  if (e.flags.length) parts.unshift(e.flags.join(" "));
  if (e.padding !== undefined) parts.push(`${plural(e.padding, "byte")} of padding`);
  if (e.settings) parts.push(e.settings.map((one) => `${one.name}=${one.value}`).join(" ") || "no settings");
  if (e.code !== undefined) parts.push(e.code);
  if (e.goAway) parts.push(`${e.goAway.code}, last stream ${e.goAway.lastStream}`, text(e.goAway, "debug"));
  if (e.increment !== undefined) parts.push(`+${e.increment}`);
  if (e.priority) parts.push(`depends on stream ${e.priority.dependsOn}, weight ${e.priority.weight}`);
  if (e.promised !== undefined) parts.push(`promises stream ${e.promised}`);
  if (e.priorityUpdate) parts.push(`stream ${e.priorityUpdate.stream} has ${text(e.priorityUpdate, "value")}`);
  return `${e.count ? `${e.count} times ` : ""}${e.type}${place(e)}: ${parts.filter(Boolean).join(", ")}`;
}

function differences(entry) {
  const first = (entry.differences || [])[0];
  return first === undefined ? "" : `: ${typeof first === "string" ? first : "(bytes)"}`;
}

/** The kind of an entry and a sentence about it. */
export function describe(entry) {
  const sentence = sentences[entry.ev];
  try {
    return sentence ? sentence(entry) : ["note", entry.ev];
  } catch {
    return ["note", entry.ev];
  }
}

/** Whether a page of this server asked: at the host of the pages no scenario answers. */
function isOfPages(entry) {
  return entry.ev === "requestHead" && (entry.fields || []).some(
    ([name, value]) => /^(host|:authority)$/i.test(name) && value === location.host);
}

/** The entries of one journal, in order, within the bound. */
export class Entries {
  constructor() {
    this.clear();
  }

  clear() {
    this.all = [];
    this.origin = null;
    this.forgotten = 0;
    this.missing = { dropped: 0, thinned: 0 };
    this.traces = 0;
    /** The streams of requests of HTTP/2. */
    this.streams = new Map();
    /** Requests that an exchange answers. */
    this.expected = new Set();
    this.requests = 0;
    this.faults = 0;
    /** Connections on which pages of this server were asked for, which are nobody's test. */
    this.own = new Set();
    this.version = (this.version || 0) + 1;
  }

  /** Takes a line of the journal. */
  add(entry) {
    // Nanoseconds of one machine fit a number as differences alone.
    if (this.origin === null) this.origin = entry.ns;
    if (isOfPages(entry)) this.leaveOut(entry.connection);
    if (this.own.has(entry.connection)) return;
    const item = this.item(entry, (entry.ns - this.origin) / 1e6);
    this.stand(item, this.all[this.all.length - 1]);
    this.all.push(item);
    if (entry.ev === "requestHead") this.requests += 1;
    if (item.kind === "fault") this.faults += 1;
    this.forget();
  }

  /** Forgets a connection of the pages themselves, and takes no more of it. */
  leaveOut(connection) {
    if (this.own.has(connection)) return;
    this.own.add(connection);
    const kept = this.all.filter((item) => item.entry.connection !== connection);
    if (kept.length === this.all.length) return;
    for (const item of this.all) {
      if (item.entry.connection !== connection) continue;
      if (item.entry.ev === "requestHead") this.requests -= 1;
      if (item.kind === "fault") this.faults -= 1;
    }
    this.all = kept;
    this.all.forEach((item, index) => this.stand(item, this.all[index - 1]));
    this.version += 1;
  }

  item(entry, time) {
    const [kind, sentence] = describe(entry);
    if (entry.ev === "exchangeChosen") this.expected.add(entry.request);
    // A reply that no exchange of the scenario gave is Proctor's own.
    const isOwn = kind === "reply" && !this.expected.has(entry.request);
    return { entry, kind, sentence, time, isOwn, stream: this.streamOf(entry), gap: null, search: null };
  }

  /** The stream of HTTP/2 that an entry is about; undefined where there is none. */
  streamOf(entry) {
    if (entry.connection === undefined) return undefined;
    const key = `${entry.connection}/${entry.request}`;
    if (entry.ev === "requestHead" && entry.stream) {
      this.streams.set(key, entry.stream);
      if (this.streams.size > streamBound) this.streams.delete(this.streams.keys().next().value);
    }
    return entry.stream || this.streams.get(key);
  }

  /** Places an item behind the one before it. */
  stand(item, last) {
    item.pause = last ? Math.max(0, item.time - last.time) : 0;
    item.width = fold(item.pause);
    item.isFolded = item.pause >= noted;
    item.place = (last ? last.place : 0) + item.width;
  }

  forget() {
    if (this.all.length <= bound) return;
    const count = Math.max(step, this.all.length - bound);
    this.all.splice(0, count);
    const first = this.all.find(({ entry }) => entry.request !== undefined)?.entry.request ?? 0;
    for (const request of this.expected) if (request < first - streamBound) this.expected.delete(request);
    this.forgotten += count;
    this.version += 1;
  }

  /**
   * Takes the callbacks of a trace that was judged, once, and puts them among the entries.
   *
   * Times of the journal's clock place them; those of another clock say only how long one came after the other, so
   * that the last callback stands at the newest entry.
   */
  addTrace(number, trace) {
    if (number <= this.traces) return;
    this.traces = number;
    const events = trace.events.map((event) => ({ ...event, ev: "callback", seq: `c${number}-${event.n}` }));
    const placed = trace.clock === "monotonic" && events.every((event) => event.ns !== undefined);
    const last = this.all[this.all.length - 1];
    const newest = last ? last.time : 0;
    const final = events.reduce((most, event) => Math.max(most, event.ms ?? most), -Infinity);
    const items = events.map((event) => {
      if (placed && this.origin === null) this.origin = event.ns;
      const time = placed ? (event.ns - this.origin) / 1e6 : newest + (event.ms === undefined ? 0 : event.ms - final);
      return this.item(event, time);
    });
    this.all = [...this.all, ...items].map((item, index) => [item, index])
      .sort(([one, first], [two, second]) => one.time - two.time || first - second).map(([item]) => item);
    this.all.forEach((item, index) => this.stand(item, this.all[index - 1]));
    this.forget();
    this.version += 1;
  }

  /** Notes that entries are missing before the next one. */
  addGap(gap) {
    this.missing.dropped += gap.dropped;
    this.missing.thinned += gap.thinned;
  }

  /** Where an item stands in time, in milliseconds; with pauses folded or not. */
  place(item, folds) {
    return folds ? item.place : item.time;
  }

  /** Whether an item has all words, of its sentence or anything in it. */
  static matches(item, words) {
    if (!words.length) return true;
    if (item.search === null) item.search = `${item.sentence} ${JSON.stringify(item.entry)}`.toLowerCase();
    return words.every((word) => item.search.includes(word));
  }
}
