internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario
internal import ProctorTrace

/// A request for a host that it can't be handed to: how it is refused, and what the journal says of it.
struct Stranger {
    let status: Int
    /// What was wanted and what came, one sentence.
    let difference: String
    /// Whether the run has failed by it: not where the host is declared, and nobody answers there on purpose.
    var isMiss = true
    /// What the client may have meant to do, whole sentences; nil: who knows.
    var hint: String?

    var miss: Miss { Miss(nearestExchange: nil, differences: [difference]) }

    /// What the client is told; `more` are sentences about what came near.
    func reply(among entries: [DeclaredHosts.Entry], more: [String] = []) -> BuiltInReply {
        var lines = [difference]
        if !more.isEmpty { lines += [""] + more }
        if let hint { lines += ["", hint] }
        lines += ["", "the hosts of this run are:"] + entries.map { "  \($0.url)" }
        lines += [
            "",
            "Names are never looked up, and nobody is ever dialled: a host is there when an origin of the scenario has it.",
        ]
        if isMiss { lines.append("This run has failed; a run is judged by the requests it expects.") }
        return BuiltInReply(status: status, body: lines.joined(separator: "\n") + "\n")
    }
}

extension Stranger {
    /// A request in origin-form whose Host nobody has, at a port that leads to all names (RFC 9110 §15.5.20); `other` is
    /// what there is of that host.
    static func host(_ head: RequestHead, _ other: OtherPort? = nil) -> Stranger {
        Stranger(
            status: 421,
            difference: "Host: wanted \(other?.wanted ?? "one of the declared hosts"), got \(hostText(head))")
    }

    /// The same, where Host says no name but the place itself, which is `door`.
    static func door(_ head: RequestHead, _ door: String, leadingTo url: String) -> Stranger {
        var stranger = host(head)
        stranger.hint =
            "This port leads to the hosts of a run. Use it as a proxy: curl --noproxy '' --proxy http://\(door) \(url)/"
        return stranger
    }

    /// A request that came to the port of one host and is for another.
    static func otherHost(_ head: RequestHead, than entry: DeclaredHosts.Entry) -> Stranger {
        guard head.form == .absolute else {
            return Stranger(status: 421, difference: "Host: wanted \(entry.authority), got \(hostText(head))")
        }
        return Stranger(status: 421, difference: "target: wanted one of \(entry.url), got \(text(head.targetBytes))")
    }

    /// A target that a proxy can't hand on (RFC 9110 §15.6.3); `other` is what there is of its host.
    static func target(_ head: RequestHead, _ other: OtherPort? = nil) -> Stranger {
        Stranger(
            status: 502,
            difference: "target: wanted \(other?.wanted ?? "one of the declared hosts"), "
                + "got \(text(head.targetBytes))")
    }

    /// The host is there, but what is sent to it as it came would be sent in the clear.
    static func unsecured(_ head: RequestHead) -> Stranger {
        Stranger(
            status: 502,
            difference: "target: wanted CONNECT, by which a proxy leads to https, got \(text(head.targetBytes))")
    }

    /// What a tunnel carries would be TLS within TLS.
    static func twiceSecured(_ head: RequestHead) -> Stranger {
        Stranger(
            status: 502,
            difference: "target: a tunnel to \(text(head.targetBytes)) by way of TLS would be TLS within TLS; "
                + "ask for it at the plain port")
    }

    /// A tunnel through so many others.
    static func tooDeep(_ head: RequestHead, limit: Int) -> Stranger {
        Stranger(
            status: 502,
            difference:
                "target: \(text(head.targetBytes)) is asked for through \(limit) tunnels, and no more are opened")
    }

    /// The host is there so that nobody answers.
    static func silent(_ entry: DeclaredHosts.Entry) -> Stranger {
        Stranger(status: 502, difference: "nobody answers at \(entry.url)", isMiss: false)
    }

    private static func hostText(_ head: RequestHead) -> String {
        head.fields.first(named: "Host").map { $0.isEmpty ? "an empty one" : text($0) } ?? "none"
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { EscapedText.of(bytes, limit: 300) }
}
