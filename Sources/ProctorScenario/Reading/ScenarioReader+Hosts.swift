import ProctorBase
import ProctorDocument

/// What URLs call an origin, and what it listens on.
extension ScenarioReader {
    static let hostKeys = ["host", "port", "transport"]

    /// The three keys of an origin; what can't be read is as if it were left out.
    struct ReadHost {
        var host = Origin.Host.address
        var port: Int?
        var transport = Origin.Transport.tcp
        /// Whether a host or port was written that can't be read, so that nobody knows what its URLs say.
        var isUnclear = false
    }

    private static let words: [(word: String, host: Origin.Host)] = [
        ("address", .address), ("localhost", .localhost), ("127.0.0.1", .loopback), ("other-address", .otherAddress),
        ("ipv6", .ipv6),
    ]

    /// `scheme` and `role` are those of the same origin.
    func host(_ reader: MappingReader, scheme: Origin.Scheme, role: Origin.Role, speaksTLS: Bool) -> ReadHost {
        var result = ReadHost()
        if let node = reader["host"] {
            guard let host = host(node) else {
                result.isUnclear = true
                return result
            }
            result.host = host
            check(host, of: role, at: node)
            if case .name(let name) = host, speaksTLS, !HostName.isVouchedFor(name) {
                sink.report(
                    node, "no certificate can be made for \(quoted(name))",
                    hint: "the authority vouches for names in \(HostName.vouchedText)")
            }
        }
        let isNamed = if case .name = result.host { true } else { false }
        if let entry = reader.entry("port") {
            if isNamed {
                result.port = sink.integer(entry.value, "a port", in: 1...65_535)
                result.isUnclear = result.port == nil
            } else {
                sink.report(
                    entry.keyNode, "\"port\" is what URLs say behind a name; another port is the system's to choose",
                    hint: "write host: NAME beside it, or leave it out")
                // Perhaps the name was forgotten, and other places say it.
                result.isUnclear = true
            }
        }
        if let entry = reader.entry("transport") {
            result.transport = sink.choice(entry.value, "a transport") ?? .tcp
            if result.transport == .unix { checkSocket(entry, isNamed, scheme, role, speaksTLS) }
        }
        return result
    }

    private func host(_ node: Node) -> Origin.Host? {
        guard let text = sink.nonEmptyText(node, "a host") else { return nil }
        if let known = Self.words.first(where: { $0.word == text }) { return known.host }
        guard text.contains(".") || text.utf8.contains(where: { $0 >= 0x80 }) else {
            let isAddress = text.contains(":") || text.contains("[")
            let hint =
                NearestName.find(text, in: Self.words.map(\.word)).map { "did you mean \(quoted($0))?" }
                ?? (isAddress
                    ? HostName.addressHint
                    : "write address, localhost, 127.0.0.1, other-address, ipv6, or a name like home.example.org")
            sink.report(node, "unknown host \(quoted(text))", hint: hint)
            return nil
        }
        do throws(HostName.Refusal) {
            return .name(try HostName(parsing: text).text)
        } catch {
            sink.report(node, error.sentence, hint: error.hint)
            return nil
        }
    }

    private func check(_ host: Origin.Host, of role: Origin.Role, at node: Node) {
        switch (role, host) {
        case (.server, _), (.proxy, .address), (.proxy, .loopback): return
        case (.closed, .address), (.closed, .localhost), (.closed, .loopback),
            (.unaccepting, .address), (.unaccepting, .localhost), (.unaccepting, .loopback),
            (.unreachable, .address), (.unreachable, .localhost), (.unreachable, .loopback):
            return
        case (.proxy, _):
            sink.report(
                node, "a proxy is reached by its address",
                hint: "leave host: out; names belong to the origins behind it")
        case (.closed, _), (.unaccepting, _), (.unreachable, _):
            sink.report(
                node, "\(role.article) \(role.rawValue) origin is reached by its address or localhost",
                hint: "leave host: out")
        }
    }

    private func checkSocket(
        _ entry: Node.Entry, _ isNamed: Bool, _ scheme: Origin.Scheme, _ role: Origin.Role, _ speaksTLS: Bool
    ) {
        if role != .server {
            sink.report(
                entry.keyNode, "\(role.article) \(role.rawValue) origin is reached over TCP",
                hint: "leave transport: out")
        } else if speaksTLS || scheme == .https {
            sink.report(
                entry.keyNode, "no TLS is spoken over a Unix socket here",
                hint: "leave scheme: and tls: out, or transport:")
        } else if !isNamed {
            sink.report(
                entry.keyNode, "a Unix socket has no address that a URL could say",
                hint: "write host: NAME beside it, like socket.example.org")
        }
    }

    /// Reports a name and port that two origins have: nobody could tell which one is meant.
    ///
    /// Origins whose own mistake has been told are left out.
    func checkNames(_ origins: [Origin], _ entries: [Node.Entry]) {
        var seen: [String: String] = [:]
        for entry in entries {
            guard let origin = origins.first(where: { $0.name == entry.key }), let name = origin.hostName,
                !unclearOrigins.contains(origin)
            else { continue }
            let place = "\(name):\(origin.namedPort)"
            if let other = seen[place] {
                let node =
                    entry.value.entries?.first { $0.key == "port" } ?? entry.value.entries?.first { $0.key == "host" }
                sink.report(
                    node?.value ?? entry.keyNode, "\(place) is the origin \(quoted(other)) already",
                    hint: "give one of them another port: or host:")
            } else {
                seen[place] = origin.name
            }
        }
    }
}
