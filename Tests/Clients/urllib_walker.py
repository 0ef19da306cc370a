"""Walks cases with urllib.request as it comes: its own opener, its own handlers, only without proxies."""

import urllib.error
import urllib.parse
import urllib.request

import walker


class Refusal(urllib.request.HTTPRedirectHandler):
    """The documented way to refuse a redirect: the reply becomes an HTTPError."""

    def redirect_request(self, *_):
        return None


def credentials(step):
    """As the manual says: one store of passwords, and a handler for each scheme."""
    own, of_proxy = (urllib.request.HTTPPasswordMgrWithDefaultRealm() for _ in range(2))
    own.add_password(None, urllib.parse.urljoin(step["url"], "/"), step["user"], step["password"])
    if step.get("proxy"):
        of_proxy.add_password(None, step["proxy"], step["user"], step["password"])
    return [
        urllib.request.HTTPBasicAuthHandler(own), urllib.request.HTTPDigestAuthHandler(own),
        urllib.request.ProxyBasicAuthHandler(of_proxy), urllib.request.ProxyDigestAuthHandler(of_proxy)]


def load(step):
    handlers = [
        urllib.request.ProxyHandler(dict.fromkeys(("http", "https"), step["proxy"]) if step.get("proxy") else {}),
        urllib.request.HTTPSHandler(context=walker.tls(step))]
    if step.get("user") is not None:
        handlers += credentials(step)
    if not step["follow"]:
        handlers.append(Refusal())
    opener = urllib.request.build_opener(*handlers)
    try:
        request = urllib.request.Request(step["url"], data=walker.content(step), method=step["method"])
        for name, value in step["headers"]:
            request.add_header(name, value)
        with opener.open(request, timeout=walker.silence(step)) as response:
            return walker.report(response.status, response.geturl(), response)
    except urllib.error.HTTPError as answer:
        # Every status that is not 2xx is raised, and is a response all the same.
        with answer:
            entry = walker.report(answer.code, answer.geturl(), answer)
        if str(answer.msg).startswith(urllib.request.HTTPRedirectHandler.inf_msg):
            entry["error"] = "too many redirects"
        return entry
    except Exception as failure:
        return {"byteCount": 0, "error": repr(failure)}


walker.serve(lambda steps: [load(step) for step in steps])
