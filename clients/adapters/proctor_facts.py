"""What different clients are told and tell alike: an account, fields that were looked up, what OpenSSL's messages say."""

from proctor_kit import Unimplemented

# What the message of OpenSSL says more than that the handshake failed: the first that is found in it counts.
TLS_MESSAGES = (
    ("certificate has expired", "serverCertificateHasBadDate"),
    ("certificate is not yet valid", "serverCertificateNotYetValid"),
    ("alert certificate required", "clientCertificateRequired"),
    ("alert bad certificate", "clientCertificateRejected"),
    ("alert unsupported certificate", "clientCertificateRejected"),
    ("alert certificate revoked", "clientCertificateRejected"),
    ("alert certificate expired", "clientCertificateRejected"),
    ("alert certificate unknown", "clientCertificateRejected"),
    ("alert unknown ca", "clientCertificateRejected"),
    ("unexpected eof", "connectionLost"),
    ("eof occurred in violation of protocol", "connectionLost"),
)


def tls_error(message):
    """What OpenSSL's message says; None where it says no more than that it failed."""
    lowered = message.lower().replace("_", " ")
    return next((name for text, name in TLS_MESSAGES if text in lowered), None)


def account(step):
    """Name and password that the client is given before a step, or None."""
    credential = step.get("beforehand", {}).get("credential", {})
    return (credential["user"], credential["password"]) if "user" in credential else None


def refuse_to_log_in_at_proxies(adapter, assignment):
    """Raises for a client that gives a proxy its credential unasked, or never."""
    for index, step in enumerate(assignment["steps"]):
        if "proxy" in assignment["session"] and account(step) and step.get("challengeCount") != 0:
            adapter.cannot(index, "onChallenge", "answers no question of a proxy")


def field_facts(step, find):
    """What the client's look-up gives for each field that the program asks for; `find(name)` gives None for no field."""
    found = [(name, find(name)) for name in step.get("fieldNames", [])]
    lines = [f"{name}: {value}" for name, value in found if value is not None]
    return {"header": "\n".join(lines)} if found else {}


def mime(content_type):
    """The media type alone; None where there is none."""
    return content_type.split(";")[0].strip().lower() or None if content_type else None


def refuse_coded(client, index, coding):
    """Raises for a client that undoes no content coding, where a reply has one that it did not ask for."""
    if coding and coding.strip().lower() != "identity":
        raise Unimplemented(f"steps[{index}]: {client} undoes no coding, and the content is coded ({coding.strip()})", index)
