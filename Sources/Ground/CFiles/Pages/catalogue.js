// Search as one types; the server searches, and without this script the form does the same.
import { byId, make, say, thinned } from "./dom.js";
import { call } from "./api.js";
import { Draft } from "./draft.js";

const form = byId("search");
const found = byId("found");
let running = null;

const address = () => {
  const chosen = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value !== "") chosen.set(name, value);
  const text = chosen.toString();
  return text ? `/?${text}` : "/";
};

async function search() {
  const wanted = address();
  if (running) running.abort();
  running = new AbortController();
  try {
    const response = await fetch(wanted, { headers: { Accept: "text/html" }, signal: running.signal });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    found.replaceChildren(...page.getElementById("found").childNodes);
    history.replaceState(null, "", wanted);
  } catch (error) {
    if (error.name !== "AbortError") form.submit();
  }
}

const soon = thinned(80, search);
form.addEventListener("input", soon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
// "/" brings the search, as in many catalogues.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  form.elements.q.focus();
});

// A recording that is dropped becomes a scenario, to be edited and saved; nothing is written by the server.
const kinds = { json: "har", har: "har", trace: "http", dump: "http", jsonl: "journal", yaml: "vcr", yml: "vcr" };
const recording = byId("recording");

async function read(file) {
  const kind = kinds[file.name.split(".").pop().toLowerCase()];
  if (kind === undefined) {
    const known = Object.keys(kinds).map((one) => `.${one}`).join(", ");
    say(`${file.name} is no recording by its name: it ends in none of ${known}. proctor import reads other kinds of files.`, true);
    return;
  }
  say(`Reading ${file.name}.`);
  let answer;
  try {
    answer = await call("POST", `import?kind=${kind}`, await file.arrayBuffer(), "application/octet-stream");
  } catch (error) {
    say(`${file.name}: ${error.message}`, true);
    return;
  }
  say("");
  const text = make("textarea", {
    id: "draft-text", rows: "30", cols: "110", spellcheck: "false", "aria-label": "The scenario",
  });
  text.value = answer.yaml;
  new Draft("import", byId("draft")).show(answer, text);
}

recording.addEventListener("change", () => {
  if (recording.files.length) read(recording.files[0]);
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) read(event.dataTransfer.files[0]);
});
