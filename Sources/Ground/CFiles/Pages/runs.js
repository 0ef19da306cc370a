// The list of runs, kept up to date.
import { byId, fill, make, mark, plural, say } from "./dom.js";
import { call, onSubmit } from "./api.js";

const place = byId("runs");
const create = byId("create");
let timer = null;
let shown = "";
/** Whether what is said is that the list could not be had. */
let isComplaint = false;

onSubmit(create, async () => {
  const run = await call("POST", "runs", { scenario: create.elements.scenario.value.trim() });
  location.assign(`/__proctor/ui/runs/${run.run}`);
});

// The ids are fetched when somebody is about to write one.
create.elements.scenario.addEventListener("focus", async () => {
  const { scenarios } = await call("GET", "scenarios");
  fill(byId("scenarios"), ...scenarios.map((item) => make("option", { value: item.id })));
}, { once: true });

function act(name, run, method, path) {
  const button = make("button", { type: "button", "aria-label": `${name} ${run.run}` }, name);
  button.addEventListener("click", async () => {
    try {
      await call(method, path);
      say(`${run.run}: done`);
      await refresh();
    } catch (error) {
      say(error.message, true);
    }
  });
  return button;
}

const nameOf = (element) => element.getAttribute("aria-label") || element.getAttribute("href");

function idle(seconds) {
  if (seconds === undefined) return "no request yet";
  if (seconds < 2) return "active now";
  return seconds < 120 ? `idle for ${seconds} s` : `idle for ${Math.round(seconds / 60)} min`;
}

function row(run) {
  const problems = run.missed + run.violations;
  const life = run.standing ? "stands as long as the server"
    : run.lifeSeconds ? `forgotten after ${run.lifeSeconds} s without activity` : "stands as long as the server";
  return make(
    "li", { class: "run" },
    make(
      "div", { class: "run-head" },
      make("a", { class: "id", href: `/__proctor/ui/runs/${run.run}` }, run.run),
      make("a", { href: `/${run.scenario}` }, run.scenario),
      make("span", { class: "soft" }, idle(run.idleSeconds))),
    make(
      "p", {},
      `${plural(run.requests, "request")}, ${plural(run.connections, "connection")}`
        + (run.openConnections ? ` (${run.openConnections} open) ` : " "),
      problems ? make("span", { class: "mark bad" }, `✗ ${plural(problems, "fault")}`) : null),
    make("p", { class: "soft" }, [run.userAgent, run.peer, life].filter(Boolean).join(" · ")),
    make(
      "p", { class: "marks" },
      // Of several cases a client plays one, and only its run says which.
      ...(run.requests ? run.verdicts : []).flatMap((item, _, all) => [
        mark(all.length === 1 ? item.verdict : "", `${item.case}: ${item.verdict}`), " "])),
    make(
      "div", { class: "bar" },
      act("Begin again", run, "POST", `runs/${run.run}/reset`),
      run.standing ? null : act("Delete", run, "DELETE", `runs/${run.run}`)));
}

async function refresh() {
  clearTimeout(timer);
  try {
    const list = await call("GET", "overview");
    const text = JSON.stringify(list.runs);
    if (text !== shown) {
      shown = text;
      const focused = place.contains(document.activeElement) ? nameOf(document.activeElement) : null;
      fill(
        place,
        list.runs.length ? make("ul", { class: "run-list" }, ...list.runs.map(row)) : make("p", {}, "No run yet."),
        list.hidden ? make("p", { class: "soft" }, `${plural(list.hidden, "run")} more, used longer ago.`) : null);
      // The focus stays with whoever works by keyboard.
      if (focused) [...place.querySelectorAll("a, button")].find((one) => nameOf(one) === focused)?.focus();
    }
    // What a person did wrong stays until the next thing is said.
    if (isComplaint) say("");
    isComplaint = false;
  } catch (error) {
    isComplaint = true;
    say(error.status ? error.message : "The server does not answer; asking again.", true);
    if (error.status === 401) return;
  }
  timer = setTimeout(refresh, document.hidden ? 5000 : 1000);
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
refresh();
