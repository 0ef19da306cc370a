"""A process of its own in which WebKitGTK shows a page, told by lines of JSON: `python3 proctor_webkit.py FOLDER [lasting]` on a display.

Commands on standard input: `open`, `show`, `evaluate`, `answer` and `close`; what happens, on standard output: `shown`, `message`, `value`,
`challenge`, `failed`, `closed`, and `error` where a command can't be done. One view is open at a time, in a context of its own: a pool of
connections, a cookie jar, a cache and credentials; what it keeps stands in FOLDER, and with `lasting` stays there. Ends with standard input.
"""

import json
import os
import shutil
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

HANDLER = "proctor"
SCRIPT = "return await (%s)(%s, (text) => window.webkit.messageHandlers." + HANDLER + ".postMessage(text));"


def tell(event, **rest):
    try:
        os.write(sys.stdout.fileno(), json.dumps({"event": event, **rest}).encode() + b"\n")
    except BrokenPipeError:
        os._exit(74)


class View:
    """The one page that is open, and its context."""

    def __init__(self, folder, is_lasting, proxy, is_strict):
        self.folder, self.is_lasting, self.questions = folder, is_lasting, {}
        manager = WebKit2.WebsiteDataManager(base_data_directory=f"{folder}/data", base_cache_directory=f"{folder}/cache")
        if proxy:
            settings = WebKit2.NetworkProxySettings.new(proxy["url"], proxy["ignored"])
            manager.set_network_proxy_settings(WebKit2.NetworkProxyMode.CUSTOM, settings)
        else:
            manager.set_network_proxy_settings(WebKit2.NetworkProxyMode.NO_PROXY, None)
        context = WebKit2.WebContext.new_with_website_data_manager(manager)
        if is_lasting:
            context.get_cookie_manager().set_persistent_storage(f"{folder}/cookies.sqlite", WebKit2.CookiePersistentStorage.SQLITE)
        if not is_strict:
            context.get_cookie_manager().set_accept_policy(WebKit2.CookieAcceptPolicy.ALWAYS)
        self.content = WebKit2.UserContentManager()
        self.content.connect(f"script-message-received::{HANDLER}", lambda _, it: tell("message", text=it.get_js_value().to_string()))
        self.content.register_script_message_handler(HANDLER)
        self.view = WebKit2.WebView(web_context=context, user_content_manager=self.content)
        self.view.get_settings().set_property("disable-web-security", not is_strict)
        self.view.connect("load-changed", self.load_changed)
        self.view.connect("authenticate", self.authenticate)
        self.view.connect("resource-load-started", self.load_started)
        self.end = self.view.connect(
            "web-process-terminated", lambda _, reason: tell("error", text=f"the page's process has ended ({reason.value_nick})"))

    def load_changed(self, _, moment):
        if moment == WebKit2.LoadEvent.FINISHED:
            tell("shown")

    def load_started(self, _, resource, request):
        url = request.get_uri()
        resource.connect("failed", lambda _, error: tell("failed", url=url, text=f"{error.domain} {error.code}: {error.message}"))
        resource.connect("failed-with-tls-errors", lambda _, __, flags: tell("failed", url=url, text=f"tls {flags.first_value_nick or 'unknown'}"))

    def authenticate(self, _, question):
        scheme = question.get_scheme()
        if scheme in (WebKit2.AuthenticationScheme.HTTP_BASIC, WebKit2.AuthenticationScheme.HTTP_DIGEST):
            number = len(self.questions)
            self.questions[number] = question
            tell("challenge", number=number)
        else:
            question.authenticate(None)
        return True

    def answer(self, number, user=None, password=None):
        credential = None
        if user is not None:
            credential = WebKit2.Credential.new(user, password, WebKit2.CredentialPersistence.FOR_SESSION)
        self.questions[number].authenticate(credential)

    def show(self, document, url):
        self.view.load_html(document, url)

    def evaluate(self, number, function, told):
        def finish(view, result):
            try:
                tell("value", number=number, value=view.call_async_javascript_function_finish(result).to_string())
            except GLib.Error as error:
                tell("value", number=number, error=error.message)

        self.view.call_async_javascript_function(SCRIPT % (function, told), -1, None, None, None, None, finish)

    def close(self):
        self.view.disconnect(self.end)
        self.view.terminate_web_process()
        self.view.destroy()
        if not self.is_lasting:
            shutil.rmtree(self.folder, ignore_errors=True)


class Process:
    """Reads commands and does them, on the main loop of GLib."""

    def __init__(self, home, is_lasting):
        self.home, self.is_lasting, self.count, self.view, self.rest, self.loop = home, is_lasting, 0, None, b"", GLib.MainLoop()
        GLib.unix_fd_add_full(GLib.PRIORITY_DEFAULT, 0, GLib.IOCondition.IN | GLib.IOCondition.HUP, self.read)

    def read(self, *_):
        data = os.read(0, 1 << 20)
        if not data:
            self.loop.quit()
            return False
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            command = json.loads(line)
            try:
                self.do(**command)
            except (GLib.Error, AttributeError, KeyError, TypeError) as error:
                tell("error", text=f"{command['do']}: {error}")
        return True

    def do(self, do, **rest):
        if do in ("open", "close") and self.view:
            self.view.close()
            self.view = None
        if do == "open":
            self.count += 1
            self.view = View(self.home if self.is_lasting else f"{self.home}/{self.count}", self.is_lasting, **rest)
        elif do == "close":
            tell("closed")
        else:
            getattr(self.view, do)(**rest)

    def run(self):
        self.loop.run()
        if self.view:
            self.view.close()


if __name__ == "__main__":
    Gtk.init([])
    tell("ready", version=f"{WebKit2.get_major_version()}.{WebKit2.get_minor_version()}.{WebKit2.get_micro_version()}")
    Process(sys.argv[1], "lasting" in sys.argv[2:]).run()
