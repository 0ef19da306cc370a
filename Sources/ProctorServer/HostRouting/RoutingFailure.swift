internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Why a request can't be handed to the host that it names: how it is refused, and what the journal says of it.
struct RoutingFailure {
    let status: Int
    /// What was wanted and what came, one sentence.
    let difference: String
    /// Whether the run has failed by it: not where the host is declared, and on purpose no server answers there.
    var isMiss = true
    /// What the client may have meant to do, whole sentences; nil where that is not known.
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

extension RoutingFailure {
    /// A request in origin-form whose Host no origin has, at a port that leads to all names (RFC 9110 §15.5.20); `other` is
    /// what there is of that host.
    static func host(_ head: RequestHead, _ other: OtherPort? = nil) -> RoutingFailure {
        RoutingFailure(
            status: 421,
            difference: "Host: wanted \(other?.wanted ?? "one of the declared hosts"), got \(hostText(head))")
    }

    /// Host says no name but the `address` of the port itself.
    static func ownAddress(_ head: RequestHead, _ address: String, leadingTo url: String) -> RoutingFailure {
        var failure = host(head)
        failure.hint =
            "This port leads to the hosts of a run. Use it as a proxy: curl --noproxy '' --proxy http://\(address) \(url)/"
        return failure
    }

    /// A request that came to the port of one host and is for another.
    static func otherHost(_ head: RequestHead, than entry: DeclaredHosts.Entry) -> RoutingFailure {
        guard head.form == .absolute else {
            return RoutingFailure(status: 421, difference: "Host: wanted \(entry.authority), got \(hostText(head))")
        }
        return RoutingFailure(
            status: 421, difference: "target: wanted one of \(entry.url), got \(text(head.targetBytes))")
    }

    /// A target that a proxy can't hand on (RFC 9110 §15.6.3); `other` is what there is of its host.
    static func target(_ head: RequestHead, _ other: OtherPort? = nil) -> RoutingFailure {
        RoutingFailure(
            status: 502,
            difference: "target: wanted \(other?.wanted ?? "one of the declared hosts"), "
                + "got \(text(head.targetBytes))")
    }

    /// The host is there, but what is sent to it as it came would be sent in the clear.
    static func unsecured(_ head: RequestHead) -> RoutingFailure {
        RoutingFailure(
            status: 502,
            difference: "target: wanted CONNECT, by which a proxy leads to https, got \(text(head.targetBytes))")
    }

    /// What a tunnel carries would be TLS within TLS.
    static func twiceSecured(_ head: RequestHead) -> RoutingFailure {
        RoutingFailure(
            status: 502,
            difference: "target: a tunnel to \(text(head.targetBytes)) by way of TLS would be TLS within TLS; "
                + "ask for it at the plain port")
    }

    /// A tunnel through so many others.
    static func tooDeep(_ head: RequestHead, limit: Int) -> RoutingFailure {
        RoutingFailure(
            status: 502,
            difference:
                "target: \(text(head.targetBytes)) is asked for through \(limit) tunnels, and no more are opened")
    }

    /// The host is declared so that no server answers.
    static func silent(_ entry: DeclaredHosts.Entry) -> RoutingFailure {
        RoutingFailure(status: 502, difference: "nobody answers at \(entry.url)", isMiss: false)
    }

    private static func hostText(_ head: RequestHead) -> String {
        head.fields.first(named: "Host").map { $0.isEmpty ? "an empty one" : text($0) } ?? "none"
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { EscapedText.of(bytes, limit: 300) }
}

/// A request that came to the shared port, perhaps for the host of a scenario, and what its client is told where none is
/// found.
struct AskedName: Sendable {
    let head: RequestHead
    /// Of the connection.
    let scheme: Scheme
    /// Where the connection came to.
    let here: SocketAddress

    /// What names the host.
    var routing: JournalEvent.Routing {
        switch head.form {
        case .origin, .asterisk: .host
        case .authority: .tunnel
        case .absolute: .absolute
        }
    }

    /// The field or the target that names the host, as it came.
    private var text: String {
        EscapedText.of(routing == .host ? head.fields.first(named: "Host") ?? [] : head.targetBytes, limit: 300)
    }

    /// For a host that no scenario declares; `names` are those that are declared.
    ///
    /// 421 for a target in absolute-form (RFC 9110 §15.5.20), 502 for CONNECT.
    func undeclared(among names: [String]) -> BuiltInReply {
        var lines = ["no scenario declares the host of \(EscapedText.of(head.targetBytes, limit: 300))", ""]
        lines.append(names.isEmpty ? "no scenario here has a name" : "declared are:")
        lines += Self.list(names, limit: 50)
        lines += ["", "Names are never looked up, and nobody is ever dialled."]
        return BuiltInReply(status: routing == .tunnel ? 502 : 421, body: lines.joined(separator: "\n") + "\n")
    }

    /// For a declared host with a port that it does not have; `urls` are those of the host, at least one.
    func misdirected(to other: OtherPort, urls: [String]) -> BuiltInReply {
        let what = routing == .host ? "Host" : "target"
        var lines = ["\(what): wanted \(other.wanted), got \(text)", "", "\(other.host) is there as:"]
        lines += Self.list(urls, limit: 50)
        lines += ["", hint(other)]
        return reply(lines)
    }

    private func hint(_ other: OtherPort) -> String {
        guard routing == .host else { return "Ask for one of these; to a proxy no other port stands for it." }
        let usual = scheme.defaultPort
        guard let port = here.port, other.onlyScheme == nil, other.ports.contains(usual) else {
            return "Have Host say one of these."
        }
        return "Have Host say one of these; \(port), which you connected to, may stand there for \(usual)."
    }

    /// For a host that the scenarios `ids` declare, in the catalogue's order; `url` is the host's as a client would write it.
    ///
    /// Nothing is opened for it: a client that chooses one opens its ports by that.
    func ambiguous(url: String, ids: [String]) -> BuiltInReply {
        var lines = ["\(ids.count) scenarios declare the host of \(text):", ""]
        lines += Self.list(ids, limit: 200)
        lines += ["", "Nothing was started. To choose one, ask for its page, which says where its front door stands:"]
        lines.append("  \(curl) \(base)/\(ids[0])")
        lines.append("or start a run of it, whose namesProxy is that door:")
        lines.append("  \(curl) -d '{\"scenario\": \"\(ids[0])\"}' \(base)\(ControlCall.prefix)/runs")
        lines.append("and come by it:")
        lines.append("  curl --proxy http://DOOR \(url)/")
        return reply(lines)
    }

    private var curl: String {
        if case .unix(let path) = here { return "curl --unix-socket \(path)" }
        return scheme == .https ? "curl -k" : "curl"
    }

    private var base: String {
        if case .unix = here { return "http://localhost" }
        return "\(scheme.rawValue)://\(here)"
    }

    /// RFC 9110 §15.5.20 for a Host, §15.6.3 for what a proxy is asked.
    private func reply(_ lines: [String]) -> BuiltInReply {
        BuiltInReply(status: routing == .host ? 421 : 502, body: lines.joined(separator: "\n") + "\n")
    }

    /// A line each, indented, and a last one that counts what is left out.
    private static func list(_ items: [String], limit: Int) -> [String] {
        let lines = items.prefix(limit).map { "  \($0)" }
        return items.count > limit ? lines + ["  and \(items.count - limit) more"] : lines
    }
}
