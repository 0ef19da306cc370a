/// The subject of each family of the shipped scenarios.
package enum FamilySummary {
    /// At most 60 characters, without a full stop; nil where Proctor ships no such family.
    package static func sentence(of family: String) -> String? { sentences[family] }

    package static let sentences: [String: String] = [
        "addresses": "Names with several addresses, and questions of DNS",
        "alt-svc": "Other ways to an origin, which its replies name (RFC 7838)",
        "auth": "Basic, Digest and Bearer: challenges, retries, credentials",
        "body": "Lengths, chunks and ends of bodies, right and wrong",
        "broken": "Replies broken in each way, with the errors that they want",
        "cache": "What may be kept, for how long, and how it is asked about",
        "cancel": "A load that is cancelled at each point of its life",
        "canonical": "URLs that a server spells otherwise, and the way there",
        "coding": "gzip, deflate, br, zstd: whole, cut, broken, and not said",
        "cookie": "Setting, keeping, sending and refusing cookies",
        "cors": "Pages that ask other origins: CORS and preflights",
        "download": "Where a download goes, and what a failure leaves behind",
        "example": "Small services to copy: pages, login, rate limit, upload",
        "fault": "Connections that are refused, reset, closed or silent",
        "h2": "HTTP/2: frames, streams, windows, resets, floods",
        "host": "Several hosts: names, ports, and what goes between them",
        "hsts": "Hosts that want TLS ever after (RFC 6797)",
        "interim": "1xx replies before the final one",
        "launch": "A client that ends and is started again: what it has stored",
        "multipart": "Replies in parts, and what a delegate sees of them",
        "page": "What pages tell: Referer, Sec-Fetch, SameSite cookies",
        "pipeline": "Requests sent before earlier replies (RFC 9112 §9.3.2)",
        "plain": "Methods and statuses that need nothing special",
        "protocol": "Classes of URLProtocol, and what they tell their client",
        "proxy": "Proxies: CONNECT, 407, tunnels that fail, and what may pass",
        "range": "Parts of a file, and loads that go on where they ended",
        "redirect": "3xx replies: methods, bodies, loops, and odd Locations",
        "session": "What a session does for all of its tasks",
        "shape": "The same load in each way that an API offers",
        "sse": "Event streams: their format, and connecting again",
        "time": "Time-outs, silence, and replies that trickle",
        "tls": "Certificates, versions, client identities, handshakes",
        "upload": "Bodies that a client sends: forms, streams, 100, 413",
        "url": "Odd URLs, and what a client asks for",
        "ws": "WebSockets: handshake, frames, messages, closing",
    ]
}
