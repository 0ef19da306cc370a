"""A shared cache by RFC 9111, for the proxy beside this file: what may be kept, what may be used again, and when.

It uses nothing stale, keeps nothing by heuristics, and collapses no requests, which a cache may but need not do.
"""

import email.utils
import threading
import time

UNDERSTOOD = {200, 203, 300, 301, 308, 404, 405, 410, 414, 501}
UNSAFE = {"POST", "PUT", "DELETE", "PATCH"}
OF_SHARED = ("s-maxage", "must-revalidate", "public")


def values(fields, name):
    return [value for field, value in fields if field.lower() == name]


def directives(fields, name="cache-control"):
    """Directives by their names in lower case, with their arguments; commas within quotes divide nothing (§5.2)."""
    found, word, quoted = {}, "", False
    for character in ", ".join(values(fields, name)) + ",":
        if character == '"':
            quoted = not quoted
        if character == "," and not quoted:
            key, _, argument = word.strip().partition("=")
            if key:
                found.setdefault(key.strip().lower(), argument.strip().strip('"'))
            word = ""
        else:
            word += character
    return found


def date(text):
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError, IndexError):
        return None


def seconds(text):
    """A delta-seconds (§1.2.2); what is none counts as stale."""
    return min(int(text), 2**31) if text is not None and text.isdigit() else 0


def named(argument):
    return {name.strip().lower() for name in argument.split(",") if name.strip()}


class Entry:
    def __init__(self, status, reason, fields, content, asked, came, request):
        self.status, self.reason, self.fields, self.content = status, reason, fields, content
        self.asked, self.came = asked, came
        self.vary = [name.strip().lower() for value in values(fields, "vary") for name in value.split(",")]
        self.selecting = {name: values(request, name) for name in self.vary}

    def fits(self, request):
        return "*" not in self.vary and all(values(request, name) == was for name, was in self.selecting.items())

    def age(self):
        """§4.2.3."""
        made = date((values(self.fields, "date") or [""])[0])
        told = (values(self.fields, "age") or ["0"])[0]
        apparent = max(0, self.came - made) if made is not None else 0
        corrected = (int(told) if told.isdigit() else 0) + self.came - self.asked
        return int(max(apparent, corrected) + time.time() - self.came)

    def lifetime(self):
        """§4.2.1; none by heuristics (§4.2.2)."""
        control = directives(self.fields)
        for name in ("s-maxage", "max-age"):
            if name in control:
                return seconds(control[name])
        expires = values(self.fields, "expires")
        if not expires:
            return 0
        end, made = date(expires[0]), date((values(self.fields, "date") or [""])[0])
        return 0 if end is None or len(expires) > 1 else end - (made if made is not None else self.came)


class Cache:
    """`makes` says whether a mistake is made."""

    def __init__(self, makes):
        self.makes, self.entries, self.lock = makes, {}, threading.Lock()

    def keeps(self, method, status, request, fields):
        """Whether the reply may be kept (§3)."""
        if self.makes("cache-keeps-nothing"):
            return False
        asked, control = directives(request), directives(fields)
        if method != "GET" and not (self.makes("cache-keeps-posts") and method == "POST"):
            return False
        if status not in UNDERSTOOD and not (self.makes("cache-keeps-parts") and status == 206):
            return False
        if "no-store" in control and not self.makes("cache-keeps-no-store"):
            return False
        if "no-store" in asked and not self.makes("cache-keeps-request-no-store"):
            return False
        if "private" in control and not control["private"] and not self.makes("cache-keeps-private"):
            return False
        if values(request, "authorization") and not any(name in control for name in OF_SHARED):
            if not self.makes("cache-keeps-authorized"):
                return False
        if status == 304 or any(values(request, name) for name in ("range", "if-range")) and status == 200:
            return False
        return any(name in control for name in ("max-age", "s-maxage")) or bool(values(fields, "expires"))

    def store(self, key, method, request, status, reason, fields, content, asked):
        if not self.keeps(method, status, request, fields):
            return
        control = directives(fields)
        left_out = named(control.get("private", "")) | named(control.get("no-cache", ""))
        if self.makes("cache-keeps-named-fields"):
            left_out = set()
        left_out |= {"transfer-encoding", "connection", "keep-alive", "content-length", "proxy-authenticate"}
        fields = [field for field in fields if field[0].lower() not in left_out]
        entry = Entry(status, reason, fields, content, asked, time.time(), request)
        key = self.key(key)
        with self.lock:
            others = [old for old in self.entries.get(key, []) if old.selecting != entry.selecting]
            self.entries[key] = ([entry] + others)[:20]

    def find(self, key, method, request):
        """The entry that answers the request unasked (§4), or None."""
        if method not in ("GET", "HEAD") or values(request, "range"):
            return None
        asked = directives(request)
        with self.lock:
            entries = list(self.entries.get(self.key(key), []))
        entry = next((one for one in entries if self.makes("cache-ignores-vary") or one.fits(request)), None)
        if entry is None:
            return None
        control = directives(entry.fields)
        age, lifetime = entry.age(), entry.lifetime()
        if self.makes("cache-ignores-age"):
            age = 0
        if self.makes("cache-ignores-s-maxage") and "max-age" in control:
            lifetime = seconds(control["max-age"])
        if "no-cache" in control and not control["no-cache"] and not self.makes("cache-ignores-no-cache"):
            return None
        wants = "no-cache" in asked or not asked and "no-cache" in directives(request, "pragma")
        if wants:
            return None
        if age >= lifetime and not self.makes("cache-uses-stale"):
            return None
        if "max-age" in asked and age >= seconds(asked["max-age"]) or "min-fresh" in asked and (
            lifetime - age < seconds(asked["min-fresh"])
        ):
            return None
        return entry

    def stale(self, key, method, request):
        """What may be validated by its tag in place of a new reply (§4.3.1), or None."""
        own = ("if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range")
        if method != "GET" or any(values(request, name) for name in own) or "no-store" in directives(request):
            return None
        with self.lock:
            entries = list(self.entries.get(key, []))
        return next((one for one in entries if one.fits(request) and values(one.fields, "etag")), None)

    def renew(self, entry, fields, asked):
        """Takes the fields of a 304 (§3.2)."""
        if not self.makes("cache-renews-no-fields"):
            new = [f for f in fields if f[0].lower() not in ("content-length", "connection", "transfer-encoding", "via")]
            names = {name.lower() for name, _ in new}
            entry.fields = [f for f in entry.fields if f[0].lower() not in names | {"age"}] + new
        entry.asked, entry.came = asked, time.time()

    def key(self, key):
        return key.partition("?")[0] if self.makes("cache-ignores-query") else key

    def invalidate(self, key, method, status, fields):
        """What an unsafe method that succeeds has made invalid (§4.4): its target, and what the reply names of that origin."""
        if method not in UNSAFE or not 200 <= status < 400 or self.makes("cache-forgets-nothing"):
            return
        names = [key] + [self.within(key, value) for name in ("location", "content-location") for value in values(fields, name)]
        with self.lock:
            for name in names:
                self.entries.pop(name, None)

    @staticmethod
    def within(key, place):
        """The key of a reference of the same origin; keys are HOST and target."""
        host, _, _ = key.partition("/")
        rest = place.partition("://")[2]
        if not rest:
            return host + place
        return rest if rest.partition("/")[0] == host else key

    def answer(self, entry, method, request):
        """Status, reason, fields and content for a client (§4, §4.3.2)."""
        fields = [field for field in entry.fields if field[0].lower() != "age"]
        if not self.makes("cache-tells-no-age"):
            fields.append(("Age", str(entry.age())))
        tags = {tag.strip().removeprefix("W/") for value in values(request, "if-none-match") for tag in value.split(",")}
        tag = (values(entry.fields, "etag") or [""])[0].removeprefix("W/")
        if tag and (tag in tags or "*" in tags) or tags and self.makes("cache-answers-304-to-all"):
            return 304, "Not Modified", fields, b""
        fields.append(("Content-Length", str(len(entry.content))))
        sends = method != "HEAD" or self.makes("cache-sends-content-to-head")
        return entry.status, entry.reason, fields, entry.content if sends else b""
