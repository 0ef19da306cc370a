// The live timeline of a run, or of the shared port.
import { byId, duration, fill, make, plural, say } from "./dom.js";
import { call, follow, onSubmit } from "./api.js";
import { Entries, bound } from "./entries.js";
import { Requests } from "./requests.js";
import { Lanes } from "./lanes.js";
import { Verdicts } from "./verdicts.js";
import { itemView } from "./details.js";
import { Draft, copy } from "./draft.js";
import { curlLine } from "./curl.js";

const page = byId("page");
const run = page.dataset.run;
const entries = new Entries();
/** Entries that came while the view is paused. */
let held = [];
let paused = false;
let chosen = null;
let server = null;
let epoch = null;

// MARK: Parts of the page

const connection = make("span", { class: "pill", id: "connection", role: "status" }, "connecting");
const counts = make("span", { id: "counts", class: "soft" });
const button = (name, title, body, attributes = {}) => {
  const element = make("button", { type: "button", title, ...attributes }, name);
  element.addEventListener("click", body);
  return element;
};
const pauseButton = button("Pause", "Stop drawing; entries are collected (Space)", togglePause, { id: "pause", "aria-pressed": "false" });
const followBox = make("input", { type: "checkbox", id: "follow", checked: true });
const foldBox = make("input", { type: "checkbox", id: "fold", checked: true });
const searchBox = make("input", { type: "search", id: "find", placeholder: "stall, 404, cookie", autocomplete: "off" });
const showBox = make(
  "select", { id: "show" },
  ...[["all", "everything"], ["requests", "requests and replies"], ["faults", "faults"]].map(
    ([value, name]) => make("option", { value }, name)));
const canvas = make("canvas", {
  id: "lanes", tabindex: "0", role: "application", "aria-describedby": "keys",
  "aria-label": "Timeline of the connections",
});
const list = make("div", {
  id: "log", class: "log", tabindex: "0", role: "listbox", "aria-label": "Entries", "aria-describedby": "keys",
});
const spacer = make("div", { class: "spacer", role: "presentation" });
list.append(spacer);
const details = make(
  "section", { id: "details", "aria-label": "The chosen entry", tabindex: "-1" },
  make("p", { class: "soft" }, "Choose an entry to see everything that it says."));
const requestPlace = make("div", { id: "requests" });
const requests = new Requests(requestPlace);
const verdicts = new Verdicts(
  page.dataset.scenario, byId("heading"), byId("told"), (sequence) => requests.owners.has(sequence), jump, () => {
    if (chosen) showDetails();
    changed();
  });
/** What to type where nothing has come yet; the page has it where it knows the scenario. */
const waiting = byId("waiting");

const draftPlace = make("div", { id: "draft" });
const draft = new Draft(run ? `runs/${run}/scenario` : "shared/scenario", draftPlace);
const draftButton = button("Make a scenario", "A fixture of the marked requests, or of all that are listed (x marks one)", makeDraft, { id: "make-draft" });

const lanes = new Lanes(canvas, entries, (item) => choose(item, true));

function build() {
  byId("still").remove();
  byId("told")?.classList.add("verdicts");
  fill(
    byId("live"),
    make("section", { "aria-label": "Requests" }, requestPlace),
    make(
      "section", { "aria-labelledby": "timeline-title" },
      make("h2", { id: "timeline-title" }, "Timeline"),
      make("div", { class: "bar" }, connection, counts),
      make(
        "div", { class: "bar", role: "toolbar", "aria-label": "Timeline" },
        pauseButton,
        button("−", "Zoom out (-)", () => lanes.zoom(1 / 1.6), { "aria-label": "Zoom out" }),
        button("+", "Zoom in (+)", () => zoomIn(), { "aria-label": "Zoom in" }),
        button("Fit", "Show everything (0)", () => lanes.fit()),
        make("label", { class: "check" }, followBox, " Follow"),
        make("label", { class: "check" }, foldBox, " Fold pauses"),
        make("label", { class: "grow" }, "Search ", searchBox),
        make("label", {}, "Show ", showBox), draftButton),
      make("div", { class: "lanes" }, canvas),
      make(
        "p", { id: "keys", class: "soft keys" },
        "Keys: ↑ ↓ an entry, ← → move in time, + − zoom, 0 everything, x mark a request, Space pause, / search."),
      make("div", { class: "columns" }, list, details), draftPlace));
}

// MARK: What comes

function take(name, id, data) {
  const value = JSON.parse(data);
  if (name === "open") return opened(value);
  if (paused && name !== "verdict") {
    // What is held is bounded as what is kept is.
    if (held.length >= bound) held.splice(0, held.length / 2);
    held.push([name, value]);
    return undefined;
  }
  return apply(name, value);
}

function opened(value) {
  const isOther = server !== null && (server !== value.server || epoch !== value.epoch);
  server = value.server;
  epoch = value.epoch;
  if (!isOther) return undefined;
  // Another start of the server, or a reset that was missed: what is shown is no more.
  clear();
  return "again";
}

function clear() {
  entries.clear();
  held = [];
  chosen = null;
  requests.clear();
  requestsUpTo = 0;
  verdicts.clear();
  draft.chosen.clear();
  lanes.chosen = null;
  fill(details, make("p", { class: "soft" }, "Choose an entry to see everything that it says."));
  changed();
}

function apply(name, value) {
  if (name === "message") entries.add(value);
  else if (name === "gap") entries.addGap(value);
  else if (name === "trace") {
    entries.addTrace(value.number, value.trace);
    verdicts.takeTrace(value.number, value.trace);
  }
  else if (name === "end" && value.why === "run-ended") say("The run has ended.");
  else if (name === "reset") {
    epoch = value.epoch;
    clear();
  } else if (name === "verdict") {
    verdicts.take(value);
  }
  changed();
  return undefined;
}

// MARK: What is shown

let shown = [];
let shownUpTo = 0;
let shownVersion = -1;
let isDue = false;
const rowHeight = 28;

/** Draws with the next frame. */
function changed() {
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    select();
    lanes.draw();
    drawRows();
    verdicts.begin(entries.requests > 0);
    drawRequests();
    drawCounts();
  });
}

const words = () => searchBox.value.toLowerCase().split(/\s+/).filter(Boolean);

/** Chooses the items that the list has: only what is new is looked at. */
function select() {
  if (shownVersion !== entries.version) {
    shownVersion = entries.version;
    shown = [];
    shownUpTo = 0;
  }
  lanes.words = words();
  for (; shownUpTo < entries.all.length; shownUpTo += 1) {
    const item = entries.all[shownUpTo];
    const isOfKind = showBox.value === "all"
      || (showBox.value === "faults" ? item.kind === "fault" : ["requestHead", "replySent", "replyAborted"].includes(item.entry.ev) || item.kind === "fault");
    item.isMatch = isOfKind && Entries.matches(item, lanes.words);
    if (item.isMatch) shown.push(item);
  }
}

function drawCounts() {
  const parts = [plural(entries.requests, "request"), plural(entries.all.length + entries.forgotten, "entry", "entries")];
  if (entries.faults) parts.push(plural(entries.faults, "fault"));
  if (entries.missing.dropped) parts.push(`${entries.missing.dropped.toLocaleString("en")} dropped by the full journal`);
  if (entries.missing.thinned) parts.push(`${entries.missing.thinned.toLocaleString("en")} left out, since they came too fast`);
  if (entries.forgotten) parts.push(`${entries.forgotten.toLocaleString("en")} forgotten by this page`);
  if (lanes.thinnedCount) parts.push(`${lanes.thinnedCount.toLocaleString("en")} not drawn apart`);
  if (lanes.words.length || showBox.value !== "all") parts.push(`${shown.length.toLocaleString("en")} found`);
  if (paused) parts.push(`paused, ${held.length.toLocaleString("en")} wait`);
  const text = parts.join(" · ");
  if (counts.textContent !== text) counts.textContent = text;
}

let requestsUpTo = 0;
let requestsVersion = -1;

/** Draws the requests where there are new ones, or a verdict says something new of them. */
const drawRequests = throttled(200, () => {
  if (requestsVersion !== entries.version) {
    requestsVersion = entries.version;
    requestsUpTo = 0;
    requests.clear();
  }
  for (; requestsUpTo < entries.all.length; requestsUpTo += 1) requests.take(entries.all[requestsUpTo]);
  const state = `${requests.version}/${verdicts.version}`;
  if (requests.drawn === state) return;
  requests.drawn = state;
  if (waiting) waiting.hidden = entries.requests > 0;
  requests.draw(verdicts.chosen === null ? null : verdicts.findings, verdicts.sentence, jump);
  // What stands with a request does not stand with the verdict.
  verdicts.show();
});

/** Calls `body` at once, and again at most once in `milliseconds`. */
function throttled(milliseconds, body) {
  let isResting = false;
  let isDueAgain = false;
  const act = () => {
    if (isResting) {
      isDueAgain = true;
      return;
    }
    isResting = true;
    body();
    setTimeout(() => {
      isResting = false;
      if (isDueAgain) {
        isDueAgain = false;
        act();
      }
    }, milliseconds);
  };
  return act;
}

const rows = new Map();

/** Draws the rows that can be seen, and no others. */
function drawRows() {
  spacer.style.height = `${shown.length * rowHeight}px`;
  if (followBox.checked && lanes.follows && !paused) list.scrollTop = shown.length * rowHeight;
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 4);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / rowHeight) + 8);
  const wanted = new Set(shown.slice(first, last));
  for (const [item, row] of rows) {
    if (wanted.has(item)) continue;
    row.remove();
    rows.delete(item);
  }
  for (let index = first; index < last; index += 1) {
    const item = shown[index];
    let row = rows.get(item);
    if (!row) {
      row = makeRow(item);
      rows.set(item, row);
      list.append(row);
    }
    row.style.top = `${index * rowHeight}px`;
    row.setAttribute("aria-selected", String(item === chosen));
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-setsize", String(shown.length));
  }
  const current = chosen && rows.get(chosen);
  if (current) list.setAttribute("aria-activedescendant", current.id);
  else list.removeAttribute("aria-activedescendant");
}

function makeRow(item) {
  const { connection } = item.entry;
  const lane = connection === undefined ? "" : `#${connection + 1}${item.stream ? `/${item.stream}` : ""}`;
  const row = make(
    "div", { class: `row ${item.kind}${item.isOwn ? " own" : ""}`, role: "option", id: `entry-${item.entry.seq}` },
    make("span", { class: "time" }, duration(item.time)),
    make("span", { class: "lane" }, item.entry.ev === "callback" ? item.entry.lane : lane),
    make("span", { class: "sign", "aria-hidden": "true" }, signs[item.kind] || "·"),
    make("span", { class: "text" }, item.sentence));
  row.addEventListener("click", () => choose(item, false));
  if (draft.chosen.has(headOf(item)?.entry.seq)) row.classList.add("marked");
  return row;
}

const signs = { request: "→", reply: "←", fault: "✗", effect: "◆", callback: "◆", state: "◆", open: "○", close: "●", tls: "▪", frameIn: "›", frameOut: "‹" };

function choose(item, scrolls) {
  chosen = item;
  lanes.chosen = item;
  showDetails();
  setFollow(false);
  if (scrolls) scrollTo(item);
  lanes.show(item);
  changed();
}

function showDetails() {
  fill(details, itemView(chosen, verdicts.about(chosen.entry.seq), actions(chosen)));
}

// MARK: What can be done with a request

/** The entry of a name about the request of an item, or about its connection. */
function relative(item, name, isOfConnection = false) {
  const { connection, request } = item.entry;
  if (connection === undefined || !isOfConnection && request === undefined) return undefined;
  return entries.all.find(({ entry }) => entry.ev === name && entry.connection === connection
    && (isOfConnection || entry.request === request));
}

const headOf = (item) => (item.entry.ev === "requestHead" ? item : relative(item, "requestHead"));

/** Buttons for an item that belongs to a request. */
function actions(item) {
  const head = headOf(item);
  if (!head) return [];
  const isMarked = draft.chosen.has(head.entry.seq);
  return [
    button("Copy as curl", "A command line that sends this request again", () => showCurl(head), { id: "as-curl" }),
    button(isMarked ? "Leave out of the scenario" : "Mark for a scenario", "(x)", () => toggleMark(head), { "aria-pressed": String(isMarked) }),
  ];
}

function showCurl(head) {
  const { line, missing } = curlLine(
    head.entry, relative(head, "requestBody")?.entry, relative(head, "connectionOpened", true)?.entry,
    relative(head, "secured", true) !== undefined);
  details.querySelector(".curl")?.remove();
  const view = make("div", { class: "curl" });
  if (line) view.append(make("pre", { class: "copy", tabindex: "0", "aria-label": "The command line" }, line));
  if (missing.length) view.append(make("p", { class: "soft" }, `Not quite: ${missing.join("; ")}.`));
  details.querySelector(".bar").after(view);
  if (line) copy(line);
}

function toggleMark(head) {
  draft.toggle(head.entry.seq);
  draftButton.textContent = draft.chosen.size ? `Make a scenario of ${draft.chosen.size}` : "Make a scenario";
  if (chosen) showDetails();
  again();
}

function makeDraft() {
  const wanted = draft.chosen.size
    ? [...draft.chosen] : shown.filter((item) => item.entry.ev === "requestHead").map((item) => item.entry.seq);
  if (!wanted.length) return say("No request is listed that a scenario could be made of.", true);
  return draft.make(wanted.slice(0, 5000));
}

function scrollTo(item) {
  const index = shown.indexOf(item);
  if (index < 0) return;
  const top = index * rowHeight;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - rowHeight) {
    list.scrollTop = Math.max(0, top - list.clientHeight / 2);
  }
}

/** Shows the entry with a sequence number. */
function jump(sequence) {
  const item = entries.all.find((one) => one.entry.seq === sequence);
  if (!item) return say(`Entry ${sequence} is not on this page any more.`, true);
  if (!item.isMatch) {
    searchBox.value = "";
    showBox.value = "all";
    again();
    select();
  }
  choose(item, true);
  details.focus();
}

// MARK: By hand

function togglePause() {
  paused = !paused;
  pauseButton.textContent = paused ? "Go on" : "Pause";
  pauseButton.setAttribute("aria-pressed", String(paused));
  if (!paused) {
    const waiting = held;
    held = [];
    for (const [name, value] of waiting) apply(name, value);
  }
  changed();
}

function setFollow(follows) {
  followBox.checked = follows;
  lanes.follows = follows;
}

function zoomIn() {
  lanes.zoom(1.6);
  followBox.checked = lanes.follows;
}

function again() {
  shownVersion = -1;
  for (const row of rows.values()) row.remove();
  rows.clear();
  changed();
}

function step(count) {
  if (!shown.length) return;
  const index = chosen ? shown.indexOf(chosen) : shown.length;
  choose(shown[Math.min(shown.length - 1, Math.max(0, index + count))], true);
}

const keys = {
  ArrowDown: () => step(1), ArrowUp: () => step(-1), PageDown: () => step(15), PageUp: () => step(-15),
  Home: () => step(-Infinity), End: () => { setFollow(true); changed(); },
  ArrowLeft: () => lanes.pan(-80), ArrowRight: () => lanes.pan(80),
  "+": zoomIn, "=": zoomIn, "-": () => lanes.zoom(1 / 1.6), 0: () => lanes.fit(), " ": togglePause,
  Enter: () => details.focus(),
  x: () => {
    const head = chosen && headOf(chosen);
    if (head) toggleMark(head);
    else say("Choose a request, or what belongs to one, to mark it.");
  },
};

function listen() {
  // From the first moment, wherever the focus is, but not where a key has a meaning of its own.
  document.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    const isInView = event.target === canvas || event.target === list;
    if (!isInView && event.target.closest("input, select, textarea, button, a, summary, pre, details[open], #details")) return;
    // The page itself scrolls by these until an entry is chosen.
    if (!isInView && !chosen && ["PageDown", "PageUp", "Home", "End", " "].includes(event.key)) return;
    event.preventDefault();
    act();
    followBox.checked = lanes.follows;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    event.preventDefault();
    searchBox.focus();
  });
  canvas.addEventListener("pointerup", () => { followBox.checked = lanes.follows; });
  list.addEventListener("scroll", () => {
    if (list.scrollTop + list.clientHeight < shown.length * rowHeight - 2 * rowHeight && followBox.checked) setFollow(false);
    changed();
  });
  followBox.addEventListener("change", () => { setFollow(followBox.checked); changed(); });
  foldBox.addEventListener("change", () => {
    lanes.folds = foldBox.checked;
    lanes.fit();
  });
  searchBox.addEventListener("input", again);
  showBox.addEventListener("change", again);
  new ResizeObserver(changed).observe(list);
}

function listenToForms() {
  const forms = document.querySelectorAll("#actions form");
  for (const form of forms) {
    onSubmit(form, async () => {
      if (form.action.endsWith("/reset")) {
        await call("POST", `runs/${run}/reset`);
        say("The run begins again.");
      } else {
        await call("DELETE", `runs/${run}`);
        say("The run is deleted.");
      }
    });
  }
}

/** Where a token is needed, the page came without anything about the run. */
async function addFacts() {
  if (!run || byId("actions")) return;
  try {
    const facts = await call("GET", `runs/${run}`);
    verdicts.scenario = facts.scenario;
    verdicts.draw();
    const buttons = make("div", { class: "bar", id: "actions" });
    for (const [name, action] of [["Begin again", "reset"], ["Delete", "delete"]]) {
      if (action === "delete" && facts.standing) continue;
      buttons.append(make(
        "form", { method: "post", action: `/__proctor/ui/runs/${run}/${action}` }, make("button", {}, name)));
    }
    fill(
      byId("facts"), make("h2", {}, "This run"),
      make(
        "dl", {}, make("dt", {}, "run"), make("dd", {}, make("code", {}, run)),
        make("dt", {}, "stands at"), make("dd", {}, make("code", {}, `${facts.base}/`))), buttons);
    listenToForms();
  } catch (error) {
    say(error.message, true);
  }
}

const connectionWords = { live: "live", waiting: "the stream broke off; connecting again", ended: "ended" };

build();
listen();
listenToForms();
addFacts();
changed();
follow(run ? `runs/${run}/events` : "shared/events", {
  event: take,
  state: (word) => {
    connection.textContent = connectionWords[word];
    connection.className = `pill ${word}`;
  },
}, new AbortController().signal);
