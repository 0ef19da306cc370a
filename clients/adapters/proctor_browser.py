"""What the adapters of browsers share: a page's `fetch`, what no page may ask for, and the life of a page for an assignment."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse

from proctor_facts import field_facts
from proctor_kit import BODY_LIMIT, MARGIN, TAKES_MANY, Adapter, Missing, body_facts, content, is_streamed

# Fetch §2.2.2: a page that sets one of these is not heard.
FORBIDDEN = set(
    "accept-charset accept-encoding access-control-request-headers access-control-request-method connection content-length cookie "
    "cookie2 date dnt expect host keep-alive origin referer set-cookie te trailer transfer-encoding upgrade via".split())
CACHE_MODES = {
    "protocol": "default", "reload": "reload", "reload-all": "reload", "revalidate": "no-cache", "cache-else-load": "force-cache",
    "cache-only": "only-if-cached"}
# The document of each page. Its icon is here, so that no browser asks for one.
DOCUMENT = b"<!doctype html><link rel=icon href=data:,>"
# Seconds before the end of an assignment at which its page is left, so that the browser can go on with the next one.
EARLIER = 0.5
# Seconds that a browser has to close.
CLOSE = 10
# A browser that can make nothing of a challenge with a credential asks again at once; after so many answers to a step there is none any more.
MOST_ANSWERS = 8

# Runs in the page. By `say` it tells that it cancels the load.
PAGE = """
async (step, say) => {
  const aborter = new AbortController();
  const cancel = () => {
    say(String(step.task));
    aborter.abort();
  };
  const at = (count, ...events) => {
    if (step.cancelAt?.count === count && events.includes(step.cancelAt.event)) cancel();
  };
  const signals = [aborter.signal];
  if (step.limit) signals.push(AbortSignal.timeout(step.limit));
  const facts = {}, fields = {}, pieces = [];
  let bytes = 0, kept = 0, count = 0, hidden = false;
  if (step.cancelAt?.event === "before-resume") aborter.abort();
  try {
    const url = new URL(step.url);
    for (const [name, value] of step.query ?? []) url.searchParams.append(name, value);
    let body = step.text;
    if (step.form) body = new URLSearchParams(step.form);
    if (step.base64 !== undefined) {
      const part = Uint8Array.from(atob(step.base64), (letter) => letter.charCodeAt(0));
      body = new Uint8Array(step.count);
      for (let start = 0; start < body.length; start += part.length) body.set(part.subarray(0, body.length - start), start);
    }
    const loading = fetch(step.query ? url : step.url, {
      method: step.method, headers: step.headers, body, cache: step.cache, signal: AbortSignal.any(signals), ...step.options });
    at(1, "after-resume");
    const response = await loading;
    // Of these the page gets neither URL nor status (Fetch §2.2.6).
    hidden = response.type.startsWith("opaque");
    if (!hidden) {
      facts.url = response.url;
      facts.status = response.status;
    }
    const type = response.headers.get("content-type");
    if (type) facts.mime = type.split(";")[0].trim().toLowerCase();
    for (const name of step.fieldNames) fields[name] = response.headers.get(name);
    at(1, "response");
    if (step.onResponse === "cancel") cancel();
    if (response.body) {
      const reader = response.body.getReader();
      for (let next; !(next = await reader.read()).done;) {
        const piece = next.value;
        bytes += piece.length;
        if (kept <= step.limitOfBody) kept += pieces.push(piece) && piece.length;
        at(++count, "data", "progress");
      }
    }
  } catch (error) {
    facts.failure = error.name;
    facts.message = String(error.message ?? error);
  }
  const buffer = await new Blob(pieces).arrayBuffer();
  let text = "";
  for (const byte of new Uint8Array(buffer)) text += String.fromCharCode(byte);
  return JSON.stringify({ facts, fields, bytes, hidden, base64: btoa(text) });
}
"""


def body_of(step):
    """A text as a string, for which a page says Content-Type itself; other content as bytes, of which the page repeats the first."""
    body, data = step["body"], content(step)
    if "base64" not in body:
        return {"text": data.decode()}
    part = base64.b64decode(body["base64"])
    return {"base64": base64.b64encode(part).decode() if len(part) < len(data) else base64.b64encode(data).decode(), "count": len(data)}


def options_of(step, setup):
    """What the page says to `fetch` of mode, credentials, redirects and referrer; its own words where it has a page of its own."""
    if "page" in step:
        return step.get("fetch", {})
    is_kept = setup["cookies"] != "never" or step["onChallenge"]
    return {"redirect": "follow", "referrer": "", "credentials": "include" if is_kept else "omit"}


def origin_of(url):
    """Scheme, host and port; with no port where the URL has that of its scheme, as browsers write it."""
    parts = urllib.parse.urlsplit(url)
    port = {"http": ":80", "https": ":443"}.get(parts.scheme)
    return f"{parts.scheme}://{parts.netloc.removesuffix(port) if port else parts.netloc}"


def find_program(names, package):
    """The path of the first of them that is in PATH."""
    found = next((path for path in map(shutil.which, names) if path), None)
    if not found:
        raise Missing(f"{names[0]} is not installed; apt-get install {package}")
    return found


def version_of(program):
    """The first word with a digit that it prints when it is asked for its version."""
    words = subprocess.run([program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout.split()
    return next((word for word in words if word[0].isdigit()), "unknown")


def keep_authority(folder, trust):
    """A database of NSS in `folder` that has the authorities of the file `trust`; one that is there has them already."""
    if os.path.exists(os.path.join(folder, "cert9.db")):
        return
    if not shutil.which("certutil"):
        raise Missing("certutil is not installed, by which a browser is told an authority; apt-get install libnss3-tools")
    os.makedirs(folder, exist_ok=True)
    for words in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "proctor", "-i", trust]):
        subprocess.run(["certutil", "-d", f"sql:{folder}", *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def proxy_script(assignment):
    """The URL of a script that leads the hosts of an assignment to their proxy or past it, and all others to nothing."""
    setup, urls = assignment["session"], [url for step in assignment["steps"] for url in (step["url"], step.get("page")) if url]
    ways = {urllib.parse.urlsplit(url).hostname or "": "DIRECT" for url in urls}
    ways |= {one["name"]: f"PROXY {setup.get('namesProxy')}" for one in setup.get("names", [])}
    if "proxy" in setup:
        ways = dict.fromkeys(ways, f"PROXY {setup['proxy']}")
    script = f'function FindProxyForURL(url, host) {{ return {json.dumps(ways)}[host] || "PROXY 127.0.0.1:1"; }}'
    return f"data:application/x-ns-proxy-autoconfig,{urllib.parse.quote(script)}"


class Home:
    """The folder of a browser's profile: `storage`, which outlives the process, or a folder for this process alone."""

    def __init__(self, name, storage):
        self.is_lasting = storage is not None
        self.folder = storage or tempfile.mkdtemp(prefix=f"proctor-{name}-")

    def end(self, process, close):
        """Ends the browser. What is to last is written when it is closed as a person closes it, which `close` does."""
        if self.is_lasting and process.poll() is None:
            try:
                close()
                process.wait(CLOSE)
            except (Late, OSError, RuntimeError, subprocess.TimeoutExpired) as error:
                print(f"the browser was killed, since it did not close: {error!r}", file=sys.stderr)
        process.kill()
        process.wait()
        if not self.is_lasting:
            shutil.rmtree(self.folder, ignore_errors=True)


class Late(Exception):
    """The time of an assignment is nearly over."""


class PageOfSteps:
    """The page of one assignment. Its author writes `visit`, `evaluate`, `value`, `text_of_failure` and `close`."""

    domain, errors = "", ()  # of errors: the client's name, and neutral names by the beginnings of its own

    def __init__(self, assignment, trace):
        self.setup, self.steps, self.trace = assignment["session"], assignment["steps"], trace
        self.asked, self.task = {}, 0
        self.until = trace.began + assignment["deadline"] / 1000 - MARGIN - EARLIER

    def proxy(self):
        """The proxy of all hosts, or that of the names; None where there is none."""
        return self.setup.get("proxy") or self.setup.get("namesProxy")

    def credential(self):
        """What is said to the next challenge of the step; None: nothing. The last answer stays."""
        # No page is asked about TLS; `default` before another answer is the one to that question.
        answers = [answer for answer in self.steps[self.task]["onChallenge"] if answer["answer"] not in ("trust", "identity")]
        answers = [answer for answer in answers[:-1] if answer["answer"] != "default"] + answers[-1:]
        number = self.asked.get(self.task, 0)
        self.asked[self.task] = number + 1
        answer = answers[min(number, len(answers) - 1)] if answers else {}
        return answer if "user" in answer and number < MOST_ANSWERS else None

    def may_be_asked(self):
        """Whether a challenge may come that is not TLS's. A browser asks about some that a right client makes nothing of."""
        return any(
            any(answer["answer"] == "use" for answer in step["onChallenge"]) or "page" not in step and step.get("challengeCount") != 0
            for step in self.steps)

    def group(self):
        """The steps that run together with the present one, in their order."""
        starts = [index for index, step in enumerate(self.steps) if index == 0 or not step.get("together")]
        start = max(index for index in starts if index <= self.task)
        return self.steps[start:min((index for index in starts if index > start), default=len(self.steps))]

    def begin(self, index):
        """Starts the load of a step; gives what `finish` needs."""
        step = self.steps[index]
        self.task = index
        # Loads that run together come from one page, where they do not say another.
        if not step.get("together") or "page" in step:
            self.visit(step.get("page") or step["url"], "page" in step)
        told = {
            "task": index, "limitOfBody": BODY_LIMIT, "url": step["url"], "method": step["method"], "headers": step["headers"],
            "onResponse": step.get("onResponse"), "cancelAt": step.get("cancelAt"), "limit": self.setup.get("resourceTimeout"),
            "query": step.get("query"), "form": step.get("form"), "cache": CACHE_MODES[step.get("cachePolicy", "protocol")],
            "fieldNames": step.get("fieldNames", []), "options": options_of(step, self.setup)}
        if "body" in step:
            told.update(body_of(step))
        if step.get("cancelAt", {}).get("event") == "before-resume":
            self.trace.say("cancel", index)
        self.trace.say("resume", index)
        return self.evaluate(json.dumps(told))

    def finish(self, index, handle):
        value = json.loads(self.value(handle))
        facts = value["facts"]
        if "failure" in facts:
            facts.update(self.error(facts.pop("failure"), index))
        facts.update(field_facts(self.steps[index], value["fields"].get) if "status" in facts else {})
        if not value["hidden"] and ("page" not in self.steps[index] or "status" in facts):
            facts.update(body_facts(base64.b64decode(value["base64"]), value["bytes"]))
        self.trace.say("result", index, facts=facts)

    def error(self, failure, index):
        if failure in ("AbortError", "TimeoutError"):
            return {"error": "cancelled" if failure == "AbortError" else "timedOut", "domain": self.domain}
        text = self.text_of_failure(index)
        # The step's own page asks by the rules of pages, of which most failures are no failures of the network.
        unnamed = "badURL" if not text and "page" not in self.steps[index] else "unknown"
        name = next((name for start, name in self.errors if text.startswith(start)), unnamed)
        return {"error": name, "domain": self.domain, **({"message": text} if text else {})}


class BrowserAdapter(Adapter):
    """An adapter of a browser; its author writes `start_browser`, and in `make_page` a class of pages."""

    options = ()
    abilities = """h2 methods encodes-values redirects cookie-jar cookies-from-addresses basic digest challenges-in-turn
        challenge-default credential-store proxy proxy-tunnel trust response-answers cancel several-loads
        cache cache-policy time-limit-total cors hsts fetch second-launch"""
    moments = ("before-resume", "after-resume", "response", "data", "progress")
    in_turn, make_page = True, None

    def __init__(self):
        self.browsers, self.is_starting = {}, False

    def check(self, assignment):
        # Answers to challenges need not be known before a load.
        super().check({**assignment, "steps": [{"beforehand": {}, **step} for step in assignment["steps"]]})
        for index, step in enumerate(assignment["steps"]):
            if any(answer["answer"] != "follow" for answer in step["onRedirect"]) and step.get("redirectCount") != 0:
                self.cannot(index, "onRedirect", "shows a page no redirect")
            method = step["method"].upper()
            if method in ("CONNECT", "TRACE", "TRACK"):
                self.cannot(index, "method", f"lets no page send {method} (Fetch §2.2.1)")
            if method in ("GET", "HEAD") and ("body" in step or "form" in step):
                self.cannot(index, "body", f"lets no page send content with {method} (Fetch §5.3)")
            for name, _ in step["headers"]:
                if "page" not in step and (name.lower() in FORBIDDEN or name.lower().startswith(("proxy-", "sec-"))):
                    self.cannot(index, "headers", f"lets no page set {name} (Fetch §2.2.2)")
            if is_streamed(step):
                self.cannot(index, "bodyForm", "streams a body over HTTP/2 alone")
            parts = urllib.parse.urlsplit(step["url"])
            if "@" in parts.netloc:
                self.cannot(index, "url", "lets no page ask for a URL with a password (Fetch §5.4)")
            if parts.scheme not in ("http", "https") or not parts.netloc:
                self.cannot(index, "url", "has no page there to ask from")
            if assignment.get("protocol") == "h2" and parts.scheme != "https":
                self.cannot(index, "protocol", "speaks HTTP/2 behind TLS alone")
            if step.get("timeout") or assignment["session"].get("requestTimeout"):
                self.cannot(index, "timeout", "is told no limit of silence")

    def words_of(self, assignment):
        """What else the browser is told at its start for such an assignment."""
        return []

    def browser(self, assignment):
        """That of the authority. Where a step has a page of its own, what pages may read stays as it is; else it is permitted to read all.
        Where something is to outlive it, one of its own."""
        trust = assignment["session"].get("trust")
        has_pages = any("page" in step for step in assignment["steps"])
        authority = hashlib.sha256(open(trust, "rb").read()).hexdigest() if trust else None
        key = (authority, has_pages, assignment.get("storage"), *self.words_of(assignment))
        known = self.browsers.get(key)
        if known and known.process.poll() is not None:  # it has ended by itself, between two assignments
            self.browsers.pop(key).end()
        if key not in self.browsers:
            self.is_starting = True
            self.browsers[key] = self.start_browser(assignment, trust, has_pages)
            self.is_starting = False
        return self.browsers[key]

    def run(self, assignment, trace):
        browser, page, begun = self.browser(assignment), None, []
        try:
            page = self.make_page(browser, assignment, trace)
            for index, step in enumerate(assignment["steps"]):
                if not step.get("together"):
                    while begun:
                        page.finish(*begun.pop(0))
                begun.append((index, page.begin(index)))
            while begun:
                page.finish(*begun.pop(0))
        except Late:
            trace.give_up()
        if page:
            page.close()

    def main(self, help_text):
        try:
            return super().main(help_text)
        finally:
            self.end()

    def end(self):
        for browser in self.browsers.values():
            browser.end()

    def give_up(self, trace):
        """Where even the page could not be left in time, the browser goes too; one that only starts is for the next assignment."""
        if self.is_starting and TAKES_MANY:
            trace.give_up()
            trace.end()
            return
        self.end()
        super().give_up(trace)


def left(until):
    """Seconds up to `until`; raises where there are none."""
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise Late
    return seconds
