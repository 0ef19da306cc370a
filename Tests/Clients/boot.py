#!/usr/bin/env python3
"""Has boot loaders load the files of fixtures/boot in virtual machines (QEMU), and judges what they did by the cases.

    boot.py PROGRAM                     asks GRUB, iPXE and UEFI's HTTP Boot every case
    boot.py PROGRAM --only grub,ipxe    these alone
    boot.py PROGRAM --cases heads#file  cases whose names begin so
    boot.py PROGRAM --silence 60        leaves a machine behind so many seconds without a word (30)
    boot.py PROGRAM --ledgers           prints what failed as entries of a ledger

The server listens on an address of the loopback, and the network of the machine is another one there: QEMU makes each connection that leaves it
from the host, so that a loader reaches the server and sends the Host that its URL has. GRUB and iPXE load all files in one
boot; UEFI starts again for each. GRUB prints what it loads, of the others the number of bytes is known. What they are known to fail is in
clients/grub.yaml, ipxe.yaml and uefi.yaml. Debian's packages: qemu-system-x86, grub-pc-bin, grub-common, ipxe, ipxe-qemu, ovmf; and virt-firmware
of PyPI, which writes UEFI's variables. Exits 0; 1 where a case fails that no ledger lists, or a listed one does not; 69 where no loader is there.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
ADDRESS, NETWORK = "127.9.8.7", "net=127.9.9.0/24,host=127.9.9.2,dns=127.9.9.3,dhcpstart=127.9.9.15,ipv6=off"
# Seconds of silence behind which a machine is left (--silence), and the most that it may take in all.
SILENCE, MOST = 30, 600
SAID_LIMIT = 8 << 20
ESCAPES = re.compile(rb"\x1b\[[0-9;?=]*[A-Za-z]|\0|\r")


class Missing(Exception):
    pass


def file(path, package):
    if not os.path.exists(path):
        raise Missing(f"{path} is not there: apt-get install {package}")
    return path


def program(name, package):
    if not shutil.which(name):
        raise Missing(f"{name} is not there: {package}")
    return name


class Machine:
    """A loader in QEMU: its author writes `prepare`, `words` and `results`."""

    abilities, facts = (), ("bytes", "error", "message")
    # What shows that nothing more is to come.
    end = b"<<end>>"

    silence = SILENCE
    # How many of these spans it may be silent.
    patience = 1

    def __init__(self, folder):
        self.folder = folder
        program("qemu-system-x86_64", "apt-get install qemu-system-x86")

    def run(self):
        """What the machine said on its serial line, until it said the end, or was silent for too long."""
        network = f"user,id=net,{NETWORK}{self.more_network()}"
        words = ["qemu-system-x86_64", "-nographic", "-no-reboot", "-netdev", network, *self.words()]
        said = b""
        with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as machine:
            try:
                end = time.monotonic() + MOST
                while time.monotonic() < end and select.select([machine.stdout], [], [], self.silence * self.patience)[0]:
                    piece = os.read(machine.stdout.fileno(), 65536)
                    said += piece
                    if not piece or len(said) > SAID_LIMIT or self.is_over(ESCAPES.sub(b"", said)):
                        break
            finally:
                machine.kill()
        return ESCAPES.sub(b"", said).decode(errors="replace")

    def is_over(self, said):
        return self.end in said

    def more_network(self):
        return ""

    @staticmethod
    def failed(text):
        return {"error": "unknown", "message": " ".join(text.split())[-300:] or "it failed"}


class OfScript(Machine):
    """One that loads all files in one boot, by a script that says a mark before and behind each."""

    def load(self, urls):
        """The facts of each URL. Where the machine stands still at one, it is started again with those behind it."""
        found = []
        while len(found) < len(urls):
            self.prepare(urls[len(found):])
            texts = re.split(r"^<<\d+>>\n", self.run(), flags=re.M)[1:]
            is_whole = texts and self.end.decode() in texts[-1]
            found += [self.result(text) for text in (texts if is_whole else texts[:-1])]
            if not is_whole:
                found.append({"error": "timedOut", "message": f"the machine was silent for {self.silence} s"})
        return found


class GRUB(OfScript):
    name, facts = "grub", ("bytes", "body", "error", "message")

    def __init__(self, folder):
        super().__init__(folder)
        program("grub-mkimage", "apt-get install grub-common grub-pc-bin")
        file("/usr/lib/grub/i386-pc/pxe.mod", "grub-pc-bin")
        self.rom = file("/usr/lib/ipxe/82540em.rom", "ipxe")

    def version(self):
        return re.search(r"\d[\w.]*", subprocess.run(["grub-mkimage", "--version"], capture_output=True, text=True).stdout)[0]

    def prepare(self, urls):
        lines = ["terminal_output serial"]
        for number, url in enumerate(urls):
            parts = urllib.parse.urlsplit(url)
            place = f"(http,{parts.netloc}){parts.path}"
            lines.append(f'echo "<<{number}>>"; if cat \'{place}\'; then echo "<<ok>>"; else echo "<<failed>>"; fi')
        (self.folder / "grub.cfg").write_text("\n".join([*lines, 'echo "<<end>>"', "reboot"]) + "\n")
        begin = self.folder / "begin.cfg"
        begin.write_text("serial --unit=0\nterminal_output serial\nnet_bootp\nnormal (tftp,127.9.9.2)/grub.cfg\n")
        modules = "pxe net http tftp cat echo serial terminal reboot normal test"
        subprocess.run(["grub-mkimage", "-O", "i386-pc-pxe", "-o", self.folder / "core.0", "-p", "/boot", "-c", begin, *modules.split()], check=True)

    def words(self):
        return ["-m", "256", "-device", f"e1000,netdev=net,romfile={self.rom}"]

    def more_network(self):
        return f",tftp={self.folder},bootfile=core.0"

    def result(self, text):
        content, mark, _ = text.partition("<<ok>>")
        if not mark:
            return self.failed(text.partition("<<failed>>")[0])
        content = content.removesuffix("\n")  # cat ends its output with a line
        return {"bytes": len(content.encode()), "body": content}


class IPXE(OfScript):
    name, abilities = "ipxe", ("redirects",)

    def __init__(self, folder):
        super().__init__(folder)
        self.kernel = file("/usr/lib/ipxe/ipxe.lkrn", "ipxe")

    def version(self):
        return re.sub(r"-.*", "", subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "ipxe"], capture_output=True, text=True).stdout) or "unknown"

    def prepare(self, urls):
        lines = ["#!ipxe", "dhcp"]
        for number, url in enumerate(urls):
            lines += [f"echo <<{number}>>", f"imgfetch --name it {url} && echo <<ok>> || echo <<failed ${{errno}}>>", "imgstat it ||", "imgfree it ||"]
        (self.folder / "script").write_text("\n".join([*lines, "echo <<end>>", "reboot"]) + "\n")

    def words(self):
        return ["-m", "128", "-device", "e1000,netdev=net,romfile=", "-kernel", self.kernel, "-initrd", str(self.folder / "script")]

    def result(self, text):
        size = re.search(r"^it : (\d+) bytes", text, re.M)
        return {"bytes": int(size[1])} if "<<ok>>" in text and size else self.failed(text)


class UEFI(Machine):
    """HTTP Boot of the firmware (OVMF), which is started for each file."""

    name, patience = "uefi", 4  # it says nothing while it starts

    def __init__(self, folder):
        super().__init__(folder)
        self.code, self.variables = file("/usr/share/OVMF/OVMF_CODE_4M.fd", "ovmf"), file("/usr/share/OVMF/OVMF_VARS_4M.fd", "ovmf")
        self.writer = shutil.which("virt-fw-vars", path=os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]]))
        if not self.writer:
            raise Missing("virt-fw-vars is not there: pip install virt-firmware")

    def version(self):
        return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "ovmf"], capture_output=True, text=True).stdout.partition("-")[0] or "unknown"

    def load(self, urls):
        return [self.boot(url) for url in urls]

    def boot(self, url):
        subprocess.run([self.writer, "-i", self.variables, "-o", self.folder / "variables", "--set-boot-uri", url], check=True, capture_output=True)
        said = self.run()
        size, text = re.search(r"File Size: (\d+) Bytes", said), said.partition(">>Start HTTP Boot")[2]
        if "Downloading...100%" in said and size:
            return {"bytes": int(size[1])}
        return self.failed(text.partition(">>Start")[0]) if text else None

    def is_over(self, said):
        return b"Downloading...100%" in said or re.search(rb"Error: [^\n]*\n|>>Start HTTP Boot over IPv6|>>Start PXE", said) is not None

    def words(self):
        flash = "if=pflash,format=raw,unit="
        return ["-machine", "q35", "-m", "512", "-drive", f"{flash}0,readonly=on,file={self.code}", "-drive", f"{flash}1,file={self.folder / 'variables'}",
                "-device", "virtio-net-pci,netdev=net,romfile="]


MACHINES = {machine.name: machine for machine in (GRUB, IPXE, UEFI)}


@contextlib.contextmanager
def serving(words):
    """The base of a server of the library."""
    with subprocess.Popen([*words, "serve", ROOT / "fixtures", "--host", ADDRESS, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        try:
            yield json.loads(server.stdout.readline())["base"]
        finally:
            server.terminate()


def ask(base, path, body=None, method=None):
    request = urllib.request.Request(base + path, None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode(), method=method)
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as reply:
        return json.load(reply)


def cases(base, wanted):
    """The scenario and the name of each case that begins as wanted."""
    for one in ask(base, "/__proctor/scenarios?family=boot")["scenarios"]:
        for item in one["cases"]:
            name = item if isinstance(item, str) else item["name"]
            if f"{one['id']}#{name}".removeprefix("boot/").startswith(wanted):
                yield one["id"], name


def trace(machine, version, facts):
    lines = [{"trace": "proctor", "version": 1, "client": machine.name, "clientVersion": version, "clock": "other", "lanes": ["harness"],
              "facts": list(machine.facts), "abilities": list(machine.abilities)}, {"lane": "harness", "ev": "resume"}]
    lines += [{"lane": "harness", "ev": "result", "facts": facts}]
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def examine(machine, base, asked, ledger):
    """The verdict of each case; a run of its own for each, and all loads of a loader at once."""
    runs = []
    for scenario, name in asked:
        run = ask(base, "/__proctor/runs", {"scenario": scenario})
        step = ask(base, f"/__proctor/runs/{run['run']}/assignment?case={name}")["steps"][0]
        if ledger:
            ask(base, f"/__proctor/runs/{run['run']}/ledger", ledger, "PUT")
        runs.append((run["run"], scenario, name, step["url"]))
    version = machine.version()
    found = machine.load([url for *_, url in runs])
    for (run, scenario, name, _), facts in zip(runs, found):
        told = facts or {"error": "unknown", "message": "the machine did not come so far"}
        verdict = ask(base, f"/__proctor/runs/{run}/grade?case={name}&settle=500&report=yes", trace(machine, version, told))
        ask(base, f"/__proctor/runs/{run}", method="DELETE")
        yield f"{scenario}#{name}", verdict, facts


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--only", default=",".join(MACHINES))
    parser.add_argument("--cases", default="")
    parser.add_argument("--silence", type=int, default=SILENCE)
    parser.add_argument("--ledgers", action="store_true")
    options = parser.parse_args()
    asked_any, failures, Machine.silence = False, 0, options.silence
    with serving([options.program]) as base:
        wanted = list(cases(base, options.cases))
        for name in options.only.split(","):
            path = ROOT / "clients" / f"{name}.yaml"
            ledger = path.read_bytes() if path.exists() and not options.ledgers else None
            with tempfile.TemporaryDirectory(prefix="proctor-boot-") as folder:
                try:
                    machine, began, counts = MACHINES[name](pathlib.Path(folder)), time.monotonic(), {}
                except Missing as missing:
                    print(f"{name} is left out: {missing}")
                    continue
                asked_any = True
                for case, verdict, facts in examine(machine, base, wanted, ledger):
                    outcome = verdict["outcome"]
                    counts[outcome] = counts.get(outcome, 0) + 1
                    if verdict["report"]["isFailure"] or outcome in ("fixed", "setup-failed"):
                        failures += 1
                        print(f"  {outcome}  {case}: {verdict.get('reason') or verdict['report']['summary']}")
                    if options.ledgers and outcome in ("fail", "observed"):
                        print(f"    {outcome} {case} {verdict.get('cause')} {verdict.get('causes')} {facts}")
                print(f"{name} {machine.version()}: {len(wanted)} cases in {time.monotonic() - began:.0f} s: {', '.join(f'{count} {word}' for word, count in sorted(counts.items()))}", flush=True)
    sys.exit(1 if failures else 0 if asked_any else 69)


if __name__ == "__main__":
    main()
