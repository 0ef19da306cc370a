internal import ProctorBase
package import ProctorHTTP
package import ProctorJournal
internal import ProctorScenario

/// Why a request has no origin: its refusal and its journal entry.
package struct RoutingFailure {
    package let status: Int
    /// One sentence: the wanted and the received value.
    let difference: String
    /// Whether the run fails by it; false for a host that is declared to have no server.
    package var isMiss = true
    /// Whole sentences about a probable cause; nil where none is known.
    package var hint: String?

    package var miss: Miss { Miss(nearestExchange: nil, differences: [difference]) }

    /// The refusal; `more` are sentences about similar requests.
    package func reply(among entries: [DeclaredHosts.Entry], more: [String] = []) -> BuiltInReply {
        var lines = [difference]
        if !more.isEmpty { lines += [""] + more }
        if let hint { lines += ["", hint] }
        lines += ["", "the hosts of this run are:"] + entries.map { "  \($0.url)" }
        lines += [
            "",
            "Names are never looked up, and no other host is ever dialled: a host is there when an origin of the scenario has it.",
        ]
        if isMiss { lines.append("This run has failed; a run is judged by the requests it expects.") }
        return BuiltInReply(status: status, lines: lines)
    }
}

extension RoutingFailure {
    /// A Host that no origin has, at a port that leads to all names (RFC 9110 §15.5.20); `other` has its declared
    /// ports.
    package static func host(_ head: RequestHead, _ other: OtherPort? = nil) -> RoutingFailure {
        host(head, wanted: other?.wanted ?? "one of the declared hosts")
    }

    /// Host is the `address` of the port itself.
    package static func ownAddress(_ head: RequestHead, _ address: String, leadingTo url: String) -> RoutingFailure {
        var failure = host(head)
        failure.hint =
            "This port leads to the hosts of a run. Use it as a proxy: curl --noproxy '' --proxy http://\(address) \(url)/"
        return failure
    }

    package static func otherHost(_ head: RequestHead, than entry: DeclaredHosts.Entry) -> RoutingFailure {
        head.form == .absolute
            ? target(head, status: 421, wanted: "one of \(entry.url)") : host(head, wanted: entry.authority)
    }

    private static func host(_ head: RequestHead, wanted: String) -> RoutingFailure {
        let host = head.fields.first(named: "Host").map { $0.isEmpty ? "an empty one" : text($0) } ?? "none"
        return RoutingFailure(status: 421, difference: "Host: wanted \(wanted), got \(host)")
    }

    /// A target that a proxy can't forward (RFC 9110 §15.6.3); `other` has the declared ports of its host.
    package static func target(_ head: RequestHead, _ other: OtherPort? = nil) -> RoutingFailure {
        target(head, wanted: other?.wanted ?? "one of the declared hosts")
    }

    /// The origin has TLS, but the request would be forwarded without it.
    package static func unsecured(_ head: RequestHead) -> RoutingFailure {
        target(head, wanted: "CONNECT, by which a proxy leads to https")
    }

    private static func target(_ head: RequestHead, status: Int = 502, wanted: String) -> RoutingFailure {
        RoutingFailure(status: status, difference: "target: wanted \(wanted), got \(text(head.targetBytes))")
    }

    package static func tooDeep(_ head: RequestHead, limit: Int) -> RoutingFailure {
        RoutingFailure(
            status: 502,
            difference:
                "target: \(text(head.targetBytes)) is asked for through \(limit) tunnels, and no more are opened")
    }

    static func silent(_ entry: DeclaredHosts.Entry) -> RoutingFailure {
        RoutingFailure(status: 502, difference: "nothing answers at \(entry.url)", isMiss: false)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { EscapedText.escape(bytes, limit: 300) }
}
