internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

/// A request that came to the shared port, perhaps for the host of a scenario.
struct AskedName: Sendable {
    let head: RequestHead
    /// Of the connection.
    let scheme: Scheme
    /// Where the connection came to.
    let here: SocketAddress

    /// The field or the target that names the host, as it came.
    func text(by routing: JournalEvent.Routing) -> String {
        let bytes = routing == .host ? head.fields.first(named: "Host") ?? [] : head.targetBytes
        return EscapedText.of(bytes, limit: 300)
    }

    /// RFC 9110 §15.5.20 for a Host, §15.6.3 for what a proxy is asked.
    static func status(by routing: JournalEvent.Routing) -> Int { routing == .host ? 421 : 502 }
}

/// What a client is told that asks the shared port, as a proxy, for a host that no scenario declares.
struct UndeclaredHostPage: Sendable {
    let head: RequestHead
    /// Of all scenarios.
    let names: [String]
    let status: Int

    private static let limit = 50

    var reply: BuiltInReply {
        var lines = ["no scenario declares the host of \(EscapedText.of(head.targetBytes, limit: 300))", ""]
        lines.append(names.isEmpty ? "no scenario here has a name" : "declared are:")
        lines += PageList.lines(of: names, limit: Self.limit)
        lines += ["", "Names are never looked up, and nobody is ever dialled."]
        return BuiltInReply(status: status, body: lines.joined(separator: "\n") + "\n")
    }
}

/// What a client is told that asks the shared port for a declared host with a port that it does not have.
struct OtherPortPage: Sendable {
    let asked: AskedName
    let other: OtherPort
    /// Of the host, at least one.
    let urls: [String]
    let routing: JournalEvent.Routing

    private static let limit = 50

    var reply: BuiltInReply {
        let what = routing == .host ? "Host" : "target"
        var lines = ["\(what): wanted \(other.wanted), got \(asked.text(by: routing))", ""]
        lines.append("\(other.host) is there as:")
        lines += PageList.lines(of: urls, limit: Self.limit)
        lines += ["", hint]
        return BuiltInReply(status: AskedName.status(by: routing), body: lines.joined(separator: "\n") + "\n")
    }
}

extension OtherPortPage {
    private var hint: String {
        guard routing == .host else { return "Ask for one of these; to a proxy no other port stands for it." }
        let usual = asked.scheme.defaultPort
        guard let port = asked.here.port, other.onlyScheme == nil, other.ports.contains(usual) else {
            return "Have Host say one of these."
        }
        return "Have Host say one of these; \(port), which you connected to, may stand there for \(usual)."
    }
}

/// What a client is told that asks the shared port for a host which several scenarios declare.
///
/// Nothing is opened for it: whoever chooses one opens its ports by that.
struct AmbiguousNamePage: Sendable {
    let asked: AskedName
    /// What is declared several times, as a client would write it.
    let url: String
    /// Of the scenarios, in the catalogue's order; at least two.
    let ids: [String]
    let routing: JournalEvent.Routing

    private static let limit = 200

    var reply: BuiltInReply {
        var lines = ["\(ids.count) scenarios declare the host of \(asked.text(by: routing)):", ""]
        lines += PageList.lines(of: ids, limit: Self.limit)
        lines += ["", "Nothing was started. To choose one, ask for its page, which says where its front door stands:"]
        lines.append("  \(curl) \(base)/\(ids[0])")
        lines.append("or start a run of it, whose namesProxy is that door:")
        lines.append("  \(curl) -d '{\"scenario\": \"\(ids[0])\"}' \(base)\(ControlCall.prefix)/runs")
        lines.append("and come by it:")
        lines.append("  curl --proxy http://DOOR \(url)/")
        return BuiltInReply(status: AskedName.status(by: routing), body: lines.joined(separator: "\n") + "\n")
    }

    private var curl: String {
        if case .unix(let path) = asked.here { return "curl --unix-socket \(path)" }
        return asked.scheme == .https ? "curl -k" : "curl"
    }

    private var base: String {
        if case .unix = asked.here { return "http://localhost" }
        return "\(asked.scheme.rawValue)://\(asked.here)"
    }
}
