// The heading of a run, which is its scenario and its verdict: that of the case which the client plays, and the others in a word.
import { chapter, fill, make, mark, plural, refill } from "./dom.js";
import { findingParts, findingView, isSaidBy } from "./details.js";

/** Verdicts on the requests, and on traces that were sent, by case. */
export class Verdicts {
  /**
   * `heading` is the page's, `place` stands below it; `isOfRequest(sequence)`: the entry belongs to a request, which has the failures
   * about it; `changed` is called when another case is chosen.
   */
  constructor(scenario, heading, place, isOfRequest, jump, changed) {
    this.scenario = scenario;
    this.isOfRequest = isOfRequest;
    this.heading = heading;
    this.place = place;
    this.jump = jump;
    this.changed = changed;
    this.all = new Map();
    this.judged = new Map();
    /** The case that was chosen by hand, by the address, or by a trace that names it. */
    this.wanted = new URLSearchParams(location.search).get("case");
    this.hasBegun = false;
    this.version = 0;
  }

  /** Forgets the traces; verdicts on the requests come anew. */
  clear() {
    this.judged.clear();
    this.version += 1;
  }

  take(verdict) {
    // A run without cases has one verdict, on all its requests.
    this.all.set(verdict.case ?? "", verdict);
    this.draw();
  }

  takeTrace(number, trace) {
    this.judged.set(trace.verdict.name, { number, ...trace });
    if (this.chosen === null) this.wanted = trace.verdict.name;
    this.draw();
  }

  /** Says whether a request has come: before the first one there is nothing to hold against a client. */
  begin(hasBegun) {
    if (this.hasBegun === hasBegun) return;
    this.hasBegun = hasBegun;
    this.draw();
  }

  /** The case whose findings are shown: the only one, or the chosen one; null where none of several is chosen. */
  get chosen() {
    if (this.wanted !== null && this.all.has(this.wanted)) return this.wanted;
    return this.all.size === 1 ? this.all.keys().next().value : null;
  }

  /** What the page says of the chosen case before all else. */
  get sentence() {
    return this.hasBegun && this.chosen !== null ? this.all.get(this.chosen).sentence : undefined;
  }

  choose(name) {
    this.wanted = name;
    history.replaceState(null, "", `${location.pathname}?case=${encodeURIComponent(name)}`);
    this.draw();
    this.changed();
  }

  /** The findings of the chosen case; what both verdicts of a case say stands there once. */
  get findings() {
    const name = this.chosen;
    if (name === null) return [];
    const judged = this.judged.get(name);
    const all = [
      [name, this.hasBegun ? this.all.get(name).findings : []],
      [`${name} with callbacks`, (judged?.verdict.findings ?? []).map(
        (one) => ({ ...one, seq: one.event === undefined ? one.entry : `c${judged.number}-${one.event}` }))],
    ];
    const found = new Map();
    for (const [owner, findings] of all) {
      for (const finding of findings) {
        const key = `${finding.seq} ${finding.sentence}`;
        const known = found.get(key) ?? { ...finding, cases: [] };
        if (judged) known.cases.push(owner);
        if (finding.weight === "failure") known.weight = "failure";
        found.set(key, known);
      }
    }
    return [...found.values()];
  }

  /** Those about an entry. */
  about(sequence) {
    return this.findings.filter((one) => one.seq === sequence);
  }

  draw() {
    this.version += 1;
    this.show();
  }

  show() {
    if (!this.all.size) return;
    const { chosen } = this;
    const verdict = chosen === null ? null : this.all.get(chosen);
    this.drawHeading(verdict);
    refill(this.place, ...(verdict ? this.told(verdict) : []), this.all.size > 1 ? this.choice(chosen) : null);
  }

  drawHeading(verdict) {
    const word = verdict?.verdict;
    // Before the first request a case lacks one, which is nothing to hold against a client.
    const isWaiting = !this.hasBegun && (!verdict || ["fail", "not-judged", "observed"].includes(word));
    const sign = isWaiting ? mark("", "– waiting") : verdict ? mark(word) : mark("", "– no case is chosen");
    const played = verdict?.case ? [`#${verdict.case}`, make("span", { class: `kind ${verdict.kind}` }, verdict.kind)] : [];
    if (this.scenario) fill(this.heading, make("a", { href: `/${this.scenario}` }, this.scenario), ...played, " ", sign);
    document.title = `${isWaiting ? "waiting" : word ?? "no case"} · ${this.scenario}${verdict?.case ? `#${verdict.case}` : ""} · Proctor`;
  }

  /** A button for each of several cases. */
  choice(chosen) {
    return make(
      "div", {},
      make("p", { class: "soft" }, chosen === null
        ? `This scenario has ${this.all.size} cases, and nothing says which one your client plays: choose it, and the requests are judged by it.`
        : `The case that your client plays, of ${this.all.size}:`),
      make("div", { class: "bar", role: "group", "aria-label": "Cases" }, ...[...this.all.values()].map((verdict) => {
        const word = this.hasBegun ? verdict.verdict : "waiting";
        const button = make(
          "button", { type: "button", class: "small", "data-choose": verdict.case, "aria-pressed": String(verdict.case === chosen) },
          `${verdict.case}: ${word}`);
        button.addEventListener("click", () => this.choose(verdict.case));
        return button;
      })));
  }

  /** The sentence of a verdict, and folded what else it found that no request below says. */
  told(verdict) {
    const withCallbacks = this.judgedView(this.judged.get(verdict.case));
    if (!this.hasBegun) return [withCallbacks];
    const sentence = verdict.sentence ? make("p", { class: "sentence" }, verdict.sentence) : null;
    const reason = sentence || (verdict.reason ? make("p", { class: "soft" }, verdict.reason) : null);
    // What is about a request stands there; of the first failure the place in the fixture and the notation stand here where no request has them.
    const own = verdict.findings.filter((one) => one.weight !== "failure" || !this.isOfRequest(one.seq));
    const first = own.find((one) => one.weight === "failure" && isSaidBy(verdict.sentence, one));
    const others = own.filter((one) => one !== first);
    const box = others.length ? make(
      "details", { "data-case": "findings" },
      make("summary", {}, `${plural(others.length, "more finding")} of the verdict`),
      make("ul", { class: "findings" }, ...others.map((finding) => findingView(finding, this.jump)))) : null;
    return [reason, first ? findingParts(first, false) : null, box, chapter(verdict.verdict, `What ${verdict.verdict} means`), withCallbacks];
  }

  /** The verdict about a trace that the client's side has sent. */
  judgedView(trace) {
    if (!trace) return null;
    const { verdict } = trace;
    const count = trace.events.length + (trace.more || 0);
    const head = [mark(verdict.outcome), make("span", { class: "soft" }, ` with ${plural(count, "callback")} that were sent`)];
    if (!verdict.findings.length) return make("div", { class: "judged" }, ...head);
    return make(
      "details", { class: "judged", "data-case": `${verdict.name} with callbacks` },
      make("summary", {}, ...head, make("span", { class: "soft" }, ` ${plural(verdict.findings.length, "finding")}`)),
      make("ul", { class: "findings" }, ...verdict.findings.map((finding) => findingView(finding, this.jump))));
  }
}
