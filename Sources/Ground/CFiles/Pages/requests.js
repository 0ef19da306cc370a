// The requests of a run, a row each in the order in which they came: content, messages, and what was wrong.
import { duration, fill, make, mark, plural } from "./dom.js";
import { text } from "./entries.js";
import { events, isEventStream, said, summary, talkView } from "./talk.js";

/** Rows of a page. */
const pageBound = 50;
/** Failures of a page that are open from the start; more would hide what stands below them. */
const openBound = 3;
/** Characters of content that stand in a row, and below it. */
const shortBound = 60;
const contentBound = 2_000;
/** Lines of a dialogue that are kept of one request. */
const talkBound = 2_000;

const short = (value) => (value === undefined ? "" : String(value));

/** The fields of a head as lines. */
const lines = (fields) => (fields || []).map(([name, value]) => `${name}: ${value}`);

/** The beginning of a content in one line. */
function brief(content) {
  if (!content) return "";
  const line = content.replace(/\s+/g, " ").trim();
  return line.length > shortBound ? `${line.slice(0, shortBound)}…` : line;
}

/** A head with its content, as they stand on the wire. */
function message(first, fields, content) {
  const shown = content && content.length > contentBound
    ? `${content.slice(0, contentBound)}\n… ${plural(content.length - contentBound, "character")} more` : content;
  return [first, ...lines(fields), ...(shown ? ["", shown] : [])].join("\n");
}

/** Gathers what the journal says of each request. */
export class Requests {
  constructor(place) {
    this.place = place;
    this.choice = "all";
    this.clear();
  }

  clear() {
    this.all = new Map();
    this.version = 0;
    this.drawn = -1;
    /** The first row that is shown; null: the newest ones. */
    this.first = null;
  }

  /** Takes an entry of the journal with its time. */
  take({ entry, time, kind }) {
    if (entry.request === undefined) return;
    let request = this.all.get(entry.request);
    if (entry.ev === "requestHead") {
      request = {
        number: entry.request, seq: entry.seq, head: entry, body: null, begin: time, end: null, reply: null, sent: null,
        faults: [], talk: [], talkFirst: null,
      };
      this.all.set(entry.request, request);
    }
    if (!request) return;
    if (entry.ev === "requestBody") request.body = entry;
    if (entry.ev === "replyBegun" && !(entry.status < 200 && entry.status !== 101)) request.reply = entry;
    if (["replySent", "replyAborted"].includes(entry.ev)) {
      request.sent = entry;
      request.end = time;
    }
    const line = said(entry);
    if (line && request.talk.length < talkBound) request.talk.push(line);
    // Cookies that differ fail only a case that asks for them, whose finding says so.
    if (kind === "fault" && entry.ev !== "cookiesJudged") request.faults.push(entry);
    if (entry.ev === "missed") request.missed = entry;
    if (entry.ev === "webSocketOpened") request.isWebSocket = true;
    request.last = entry.seq;
    this.version += 1;
  }

  /** Draws a page of rows; `findings(sequence)` are those of the chosen case about an entry. */
  draw(findings, jump) {
    this.again = () => this.draw(findings, jump);
    const rows = [...this.all.values()].map((request) => {
      const own = this.sequences(request).flatMap((sequence) => findings(sequence)).filter((one) => one.weight === "failure");
      const unique = [...new Map(own.map((one) => [one.plain || one.sentence, one])).values()];
      return { request, findings: unique, isBad: unique.length > 0 || request.faults.length > 0 };
    });
    const bad = rows.filter((row) => row.isBad);
    if (!bad.length) this.choice = "all";
    const listed = this.choice === "failed" ? bad : rows;
    const begin = Math.min(this.first ?? Infinity, Math.max(0, listed.length - pageBound));
    const shown = listed.slice(begin, begin + pageBound);
    // What the reader opened or closed stays so.
    const open = new Map([...this.place.querySelectorAll("details[data-request]")]
      .filter((one) => one.open !== (one.dataset.opened === "true") || one.dataset.kept === "true").map((one) => [one.dataset.request, one.open]));
    const opened = new Set(shown.filter((row) => row.isBad).slice(0, openBound));
    fill(
      this.place,
      rows.length > pageBound || this.choice === "failed" ? this.bar(rows.length, bad.length, begin, shown.length, listed.length) : null,
      make("ol", { class: "requests" }, ...shown.map((row) => this.row(row, opened.has(row), open, jump))));
  }

  /** What chooses the rows: all or the failed ones, and the page of them. */
  bar(count, badCount, begin, shownCount, listedCount) {
    const turn = (name, isPossible, first, choice = this.choice) => {
      const button = make("button", { type: "button", class: "small", disabled: !isPossible }, name);
      button.addEventListener("click", () => {
        this.first = first;
        this.choice = choice;
        this.again();
      });
      return button;
    };
    const end = begin + shownCount;
    const isNewest = end + pageBound >= listedCount;
    return make(
      "div", { class: "bar", role: "group", "aria-label": "Pages of requests" },
      make("span", {}, `${begin + 1} to ${end} of ${plural(listedCount, this.choice === "failed" ? "failed request" : "request")}`),
      turn("First", begin > 0, 0), turn("Earlier", begin > 0, Math.max(0, begin - pageBound)),
      turn("Later", end < listedCount, isNewest ? null : end), turn("Newest", end < listedCount, null),
      badCount && this.choice === "all" ? turn(`Only the ${plural(badCount, "failed one", "failed ones")}`, true, 0, "failed") : null,
      this.choice === "failed" ? turn(`All ${plural(count, "request")}`, true, null, "all") : null);
  }

  sequences(request) {
    return [request.seq, request.missed?.seq, ...request.faults.map((one) => one.seq)].filter((one) => one !== undefined);
  }

  row({ request, findings, isBad }, isOpened, open, jump) {
    const { head, reply, sent } = request;
    const key = String(request.number);
    const status = reply?.status ?? sent?.status;
    const isCut = sent?.ev === "replyAborted";
    const answer = status === undefined ? (sent ? "raw bytes" : "no reply yet") : `${status}${isCut ? ", broken off" : ""}`;
    const took = request.end === null ? "" : duration(request.end - request.begin);
    const asked = request.body ? text(request.body, "body") : "";
    const answered = reply?.content ? text(reply.content, "body") : "";
    const stream = reply && isEventStream(reply) && answered ? events(answered) : [];
    const talk = request.talk.length ? request.talk : stream;
    const brieflyAnswered = request.isWebSocket ? summary(request.talk)
      : stream.length ? plural(stream.filter((line) => line.by === "server").length, "event") : request.missed ? "" : brief(answered);
    const first = `${short(text(head, "method"))} ${short(text(head, "target"))}`;
    const details = make("details", {
      "data-request": key, "data-opened": String(isOpened), "data-kept": String(open.has(key)), open: open.get(key) ?? isOpened,
    });
    details.append(make(
      "summary", {}, make("span", { class: "number" }, `${request.number + 1}`),
      mark(isBad ? "fail" : "pass", isBad ? "failed" : "answered"), make("span", { class: "line" }, first),
      asked ? make("span", { class: "said" }, brief(asked)) : null, make("span", { class: "soft" }, `→ ${answer}`),
      brieflyAnswered ? make("span", { class: "said" }, brieflyAnswered) : null, make("span", { class: "soft took" }, took)));
    // Further ones are below, with the verdict.
    for (const finding of findings.slice(0, 2)) details.append(make("p", { class: "sentence" }, finding.plain || finding.sentence));
    if (request.missed) {
      details.append(make("p", { class: "soft" }, "No exchange of the scenario answers it, so Proctor itself replied."));
    }
    details.append(make("pre", { tabindex: "0", class: "lines" }, message(`${first} ${head.version}`, head.fields, asked)));
    // What Proctor itself replied says the same as the sentences.
    if (reply && !request.missed) {
      details.append(make(
        "pre", { tabindex: "0", class: "lines reply" }, message(`${reply.status}`, reply.fields, talk.length ? "" : answered)));
    }
    if (talk.length) {
      details.append(talkView(talk, request.talkFirst, (begin) => {
        request.talkFirst = begin;
        this.again();
      }));
    } else if (reply && !request.missed && reply.content === undefined && sent?.byteCount > (reply.headByteCount ?? 0)) {
      details.append(make(
        "p", { class: "soft" }, "The journal has no bytes of this content, which effects or a script sent: its entries say when they went out."));
    }
    const button = make("button", { type: "button", class: "small" }, "in the timeline");
    button.addEventListener("click", () => jump(request.seq));
    details.append(button);
    return make("li", { class: isBad ? "bad-request" : "" }, details);
  }
}
