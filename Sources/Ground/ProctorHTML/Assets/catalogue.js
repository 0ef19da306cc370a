// Search as one types; the server searches, and without this script the form does the same.
import { byId, thinned } from "./dom.js";

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
