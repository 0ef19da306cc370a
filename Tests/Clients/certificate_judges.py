"""What outside programs make of certificates: OpenSSL (verify, s_client), curl and Python, with each profile of certs/.

Arguments: the base of a server, the PEM file of its authority, and names of profiles. Prints a line for each, as
`expired: refuse refuse refuse refuse`. Where a program decides otherwise than the profile says or for another reason, a
line `differs` tells it. With `--list` each program is told to look into the server's list of revoked certificates, and
with `--responder` OpenSSL asks the server's responder.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JUDGES = ["openssl-verify", "openssl-s_client", "curl", "python"]


def run(words):
    """Exit status, standard output, and what was said in all."""
    done = subprocess.run(words, input=b"", capture_output=True, timeout=180)
    out = done.stdout.decode(errors="replace")
    return done.returncode, out, out + done.stderr.decode(errors="replace")


class Profile:
    """What certs/NAME.yaml says."""

    def __init__(self, name):
        with open(f"{PROJECT}/certs/{name}.yaml") as file:
            text = file.read()
        self.name = name
        self.verdict = re.search(r"^verdict: (\w+)$", text, re.M)[1]
        reason = re.search(r"^openssl: (.*)$", text, re.M)
        self.reason = reason and reason[1].strip('"')
        self.revocation = "\nrevocation:" in text
        self.exceptions = dict(re.findall(r"^  ([\w-]+): \{ verdict: (\w+),", text, re.M))
        # A profile without names of hosts is asked for by the address.
        self.host = None if re.search(r"\bhosts: none\b", text) else "localhost"

    def wanted(self, judge):
        return self.exceptions.get(judge, self.verdict)


class Place:
    """Where a server shows the certificate of a profile."""

    def __init__(self, base, authority, profile):
        text = (f"origins: {{ main: {{ scheme: https, certificate: {profile.name} }} }}\n"
                "exchanges: [ { request: GET /, reply: { status: 200, body: ok } } ]\n")
        with urllib.request.urlopen(f"{base}/__proctor/inline", text.encode()) as answer:
            run_base = json.load(answer)["base"]
        self.address, self.port = run_base.split("/")[-1].rsplit(":", 1)
        self.authority, self.host = authority, profile.host

    def s_client(self, options):
        name = ["-servername", self.host] if self.host else ["-noservername"]
        return run(["openssl", "s_client", "-connect", f"{self.address}:{self.port}"] + name + options)

    def names(self):
        return ["-verify_hostname", self.host] if self.host else ["-verify_ip", self.address]


def judge_verify(place, crl):
    # To be shown a certificate at all, no key may be too short.
    shown = place.s_client(["-showcerts", "-cipher", "DEFAULT@SECLEVEL=0"])[1]
    chain = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----\n", shown, re.S)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/leaf.pem", "w") as leaf, open(f"{folder}/chain.pem", "w") as rest:
            leaf.write(chain[0])
            rest.write("".join(chain[1:]))
        words = ["openssl", "verify", "-CAfile", place.authority, "-no-CApath", "-no-CAstore", "-purpose", "sslserver",
                 "-auth_level", "2"] + place.names()
        words += ["-untrusted", f"{folder}/chain.pem"] if chain[1:] else []
        words += ["-crl_check", "-CRLfile", crl] if crl else []
        status, _, said = run(words + [f"{folder}/leaf.pem"])
    return status == 0, said


def judge_client(place, crl):
    words = ["-verify_return_error", "-CAfile", place.authority, "-no-CApath", "-no-CAstore"] + place.names()
    status, _, said = place.s_client(words + (["-crl_check", "-CRL", crl] if crl else []))
    return status == 0, said


def judge_curl(place, crl):
    host = place.host or place.address
    words = ["curl", "-q", "-sS", "--noproxy", "*", "-m", "120", "--cacert", place.authority]
    words += ["--crlfile", crl] if crl else []
    words += ["--connect-to", f"{host}:{place.port}:{place.address}:{place.port}"] if place.host else []
    status, _, said = run(words + [f"https://{host}:{place.port}/"])
    # 35 is the handshake, 60 the certificate; all else is no verdict.
    assert status in (0, 35, 60), said
    return status == 0, said


def judge_python(place, crl):
    script = f"{PROJECT}/Tests/Clients/tls_judge.py"
    words = [sys.executable, "-E", "-s", "-B", script, place.address, place.port, place.authority]
    status, out, said = run(words + [place.host or place.address] + ([crl] if crl else []))
    assert status == 0, said
    return out.startswith("accept"), said


def look(profile, place, lists, crl):
    verdicts, faults = [], []
    for judge, ask in zip(JUDGES, [judge_verify, judge_client, judge_curl, judge_python]):
        wanted = profile.wanted(judge)
        # A chain that no handshake brings is not to be had.
        if judge == "openssl-verify" and wanted == "accept" and profile.wanted("openssl-s_client") == "refuse":
            verdicts.append("-")
            continue
        # Without a list it refuses nothing for being revoked, and its manual wants one.
        is_given = lists or judge == "openssl-verify" and profile.revocation
        accepts, said = ask(place, crl if is_given else None)
        verdict = "accept" if accepts else "refuse"
        verdicts.append(verdict)
        if lists:
            wanted = profile.verdict
        if verdict != wanted:
            faults.append(f"differs: {profile.name}: {judge} should {wanted}: {said}")
        is_openssl = lists or judge.startswith("openssl")
        if verdict == "refuse" == profile.verdict and is_openssl and profile.reason and profile.reason not in said:
            faults.append(f"differs: {profile.name}: {judge} refuses for another reason: {said}")
    print(f"{profile.name}: {' '.join(verdicts)}", *faults, sep="\n")


def ask_responder(base, authority, profile, place):
    shown = place.s_client([])[1]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/leaf.pem", "w") as leaf:
            leaf.write(shown)
        words = ["openssl", "ocsp", "-issuer", authority, "-CAfile", authority, "-cert", f"{folder}/leaf.pem"]
        status, out, said = run(words + ["-url", f"{base}/__proctor/ocsp"])
    assert status == 0 and "Response verify OK" in said, said
    print(f"{profile.name}: {re.search('leaf.pem: (.*)', out)[1]}")


def main():
    base, authority, *names = sys.argv[1:]
    lists, responder = "--list" in names, "--responder" in names
    for name in [name for name in names if not name.startswith("--")]:
        profile = Profile(name)
        place = Place(base, authority, profile)
        if responder:
            ask_responder(base, authority, profile, place)
            continue
        with tempfile.TemporaryDirectory() as folder:
            crl = f"{folder}/crl.pem"
            if lists or profile.revocation:
                # A certificate is made when it is first shown, and revoked then.
                judge_curl(place, None)
                with urllib.request.urlopen(f"{base}/__proctor/crl") as answer, open(f"{folder}/crl.der", "wb") as file:
                    file.write(answer.read())
                assert run(["openssl", "crl", "-inform", "DER", "-in", f"{folder}/crl.der", "-out", crl])[0] == 0
            look(profile, place, lists, crl)


main()
