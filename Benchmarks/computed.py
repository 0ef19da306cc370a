"""Replies that depend on the request, beside fixed ones, and scripts beside those of nginx."""
import os
import pathlib
import subprocess

from loads import SCRIPTED
from measures import in_turn, requests_per_second, spread
from servers import Proctor, RunningNginx, free_port

LATE = """summary: The small reply of the benchmark, fixed and of values of the request
exchanges:
  - request: GET /fixed?name=Ada
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello Ada\\n" }
  - request: "GET /value?name={name}"
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello {{request.query.name}}\\n" }
  - request: POST /fixed
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello Ada\\n" }
  - request: POST /echo
    reply: { status: 200, headers: { Content-Type: text/plain }, body: { echo: body } }
"""

POSTING = """wrk.method = "POST"
wrk.body = "hello Ada\\n"
wrk.headers["Content-Type"] = "text/plain"
"""


class ScriptedNginx:
    """One worker with the Lua module of the distribution, which is loaded by name wherever nginx keeps its modules."""

    modules = ("ndk_http_module", "ngx_http_lua_module")

    def __init__(self, folder):
        self.folder, self.port = folder / "scripted-nginx", free_port()
        (self.folder / "logs").mkdir(parents=True)
        load = "\n".join(f"load_module modules/{name}.so;" for name in self.modules)
        (self.folder / "modules").symlink_to("/usr/lib/nginx/modules")
        (self.folder / "nginx.conf").write_text(f"""
            {load}
            {"user root;" if os.getuid() == 0 else ""} worker_processes 1; daemon off; pid {self.folder}/nginx.pid;
            error_log /dev/null;
            events {{ worker_connections 1000; }}
            http {{
                access_log off; keepalive_requests 1000000000; keepalive_timeout 600;
                server {{
                    listen 127.0.0.1:{self.port};
                    location = /script {{
                        default_type text/plain;
                        content_by_lua_block {{
                            local text = "hello " .. ngx.var.arg_name .. "\\n"
                            ngx.header["Content-Length"] = #text
                            ngx.print(text)
                        }}
                    }}
                }}
            }}""")

    @classmethod
    def can_be_had(cls):
        return all(pathlib.Path(f"/usr/lib/nginx/modules/{name}.so").exists() for name in cls.modules)

    def start(self):
        return subprocess.Popen(["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")])


def bench_computed(binary, folder, table, rounds, seconds):
    fixtures = folder / "computed" / "bench"
    fixtures.mkdir(parents=True)
    (fixtures / "late.yaml").write_text(LATE)
    (fixtures / "scripted.yaml").write_text(SCRIPTED)
    posting = folder / "posting.lua"
    posting.write_text(POSTING)
    server = Proctor(binary, folder / "computed").start()
    base = f"{server.base}/bench/late"
    get = lambda url: requests_per_second(url, seconds)
    post = lambda url: requests_per_second(url, seconds, script=posting)

    (fixed, value), *ratio = in_turn([f"{base}/fixed?name=Ada", f"{base}/value?name=Ada"], get, rounds)
    table.add("a value of the query in the body", f"{value:,.0f}/s", f"the same text, fixed {fixed:,.0f}/s", spread(*ratio))
    (fixed, echo), *ratio = in_turn([f"{base}/fixed", f"{base}/echo"], post, rounds)
    table.add("POST, its content echoed", f"{echo:,.0f}/s", f"the same text, fixed {fixed:,.0f}/s", spread(*ratio))
    if ScriptedNginx.can_be_had():
        nginx = RunningNginx(ScriptedNginx(folder))
        theirs = f"http://127.0.0.1:{nginx.port}/script?name=Ada"
        (his, mine), *ratio = in_turn([theirs, f"{server.base}/bench/scripted/script?name=Ada"], get, rounds)
        nginx.stop()
        table.add("small reply by a script", f"{mine:,.0f}/s", f"nginx, content_by_lua {his:,.0f}/s", spread(*ratio))
    else:
        print("no script beside nginx: it has no Lua module here (Debian: libnginx-mod-http-lua)")
    server.stop()
