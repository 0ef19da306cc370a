import ProctorEvents

extension TraceEvent {
    /// The status of a `response`, `redirect` or `informational`; nil for other arguments.
    var status: Int? { argument.flatMap { Int($0) } }

    /// A `response` of the class 1xx, which is not the final one; 101 ends HTTP and is final (R27).
    var isInterim: Bool {
        guard let argument, argument.utf8.first == UInt8(ascii: "1"), argument.utf8.count == 3 else { return false }
        return argument != "101"
    }

    /// A `challenge` of the TLS handshake, which no status code caused; also of one with a proxy.
    package var isOfTLS: Bool {
        switch argument {
        case "serverTrust", "clientCert", "proxyServerTrust", "proxyClientCert": true
        default: false
        }
    }

    var isOfProxy: Bool { argument?.hasPrefix("proxy") ?? false }

    /// A `challenge` of Digest, which a server may offer several times in one realm, each with another algorithm (RFC
    /// 7616 §3.7).
    var isOfDigest: Bool { argument == "digest" || argument == "proxyDigest" }

    /// The test's answer that a redirect is not to be followed: nil for a URLSession (R5).
    package var refusesRedirect: Bool {
        name == .answer && argument == "refuse" && facts.text(.to) ?? "redirect" == "redirect"
    }

    var isSuccess: Bool { argument == "ok" }

    /// An end that the network caused, not a question before it.
    var isNetworkFailure: Bool {
        switch argument {
        case "timedOut", "connectionLost", "cannotConnect", "cannotFindHost", "notConnected": true
        default: false
        }
    }
}
