"""What results of different clients have alike: fields that were looked up, and what OpenSSL's messages say."""

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


def field_facts(step, find):
    """What the client's look-up gives for each field that the program asks for; `find(name)` gives None for no field."""
    found = [(name, find(name)) for name in step.get("fieldNames") or []]
    lines = [f"{name}: {value}" for name, value in found if value is not None]
    return {"header": "\n".join(lines)} if found else {}


def mime(content_type):
    """The media type alone; None where there is none."""
    return content_type.split(";")[0].strip().lower() or None if content_type else None


def refuse_coded(client, index, coding):
    """Raises for a client that undoes no content coding, where a reply has one that it did not ask for."""
    if coding and coding.strip().lower() != "identity":
        raise Unimplemented(f"steps[{index}]: {client} undoes no coding, and the content is coded ({coding.strip()})", index)
