import ProctorEvents

extension TraceEvent {
    /// The status of a `response`, `redirect` or `informational`; nil for arguments that are no number.
    var status: Int? { argument.flatMap { Int($0) } }

    /// A `response` of the class 1xx, which is no definitive one; 101 ends HTTP and is (R27).
    var isInterim: Bool {
        guard let argument, argument.utf8.first == UInt8(ascii: "1"), argument.utf8.count == 3 else { return false }
        return argument != "101"
    }

    /// A `challenge` of the TLS handshake, which no status code caused; that with a proxy is one too.
    package var isOfTLS: Bool {
        switch argument {
        case "serverTrust", "clientCert", "proxyServerTrust", "proxyClientCert": true
        default: false
        }
    }

    /// A `challenge` of a proxy.
    var isOfProxy: Bool { argument?.hasPrefix("proxy") ?? false }

    /// A `challenge` of Digest, which may be offered several times in one realm, each with an algorithm (RFC 7616 §3.7).
    var isOfDigest: Bool { argument == "digest" || argument == "proxyDigest" }

    /// The harness's answer to a redirect, when it is nil: the redirect is not to be followed (R5).
    package var refusesRedirect: Bool {
        name == .answer && argument == "refuse" && facts.text(.to) ?? "redirect" == "redirect"
    }

    /// `complete(ok)`, `handler(ok)` or `awaited(ok)`.
    var isSuccess: Bool { argument == "ok" }

    /// An end whose cause is the network and none of the questions before it.
    var isNetworkFailure: Bool {
        switch argument {
        case "timedOut", "connectionLost", "cannotConnect", "cannotFindHost", "notConnected": true
        default: false
        }
    }
}
