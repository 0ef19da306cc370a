import ProctorBase
package import ProctorDocument
package import ProctorScenario

/// The type of ProctorScenario, since ProctorHTTP has a type `Origin` too.
typealias Origin = ProctorScenario.Origin

struct ReadOrigin {
    let origin: Origin
    /// Whether a host, port or scheme could not be read, so that the origin's URLs are unknown.
    var isUnclear = false

    /// A server without keys.
    static func plain(_ name: String, at location: SourceLocation) -> ReadOrigin {
        ReadOrigin(origin: Origin(name: name, certificateLocation: location, location: location))
    }
}

struct OriginKeys: Sendable {
    let role = UsualKey("role", Shape<Origin.Role>.choice("a role"), usual: .server)
    let connections = Key<[ConnectionEffect]>("connections") { $1.connectionEffects($0) }
    let receiveBuffer = Key("receive-buffer", Shape<Int>.integer("a receive buffer", in: 256...1 << 20))
    let accepts = UsualKey("accepts", Shape<Origin.Acceptance>.choice("what an origin accepts"), usual: .readable)
    let limits = Key("limits", Shape<OriginLimits>.mapping(ScenarioReader.limitsTable) { ScenarioReader.limits($0) })
    let host = UsualKey("host", Shape<Origin.Host> { $1.host($0) }, usual: .address)
    let port = Key("port", Shape<Int>.integer("a port", in: 1...65_535))
    let addresses = Key("addresses", Shape<[Int]>.originNames("addresses"))
    let transport = UsualKey("transport", Shape<Origin.Transport>.choice("a transport"), usual: .tcp)
    let scheme = UsualKey("scheme", Shape<Origin.Scheme>.choice("a scheme"), usual: .http)
    let certificate = Key<Node>("certificate")
    let tls = Key<Node>("tls")
    let protocols = Key<[ApplicationProtocol]>("protocols") { $1.protocols($0) }
    let h2 = Key("h2", ScenarioReader.http2.shape)
    let h3 = Key("h3", ScenarioReader.http3.shape)
    let socks = Key("socks", ScenarioReader.socks.shape)
}

/// The limits for a request.
struct LimitKeys: Sendable {
    let line = Key("line", Shape<Int>.integer("the bytes of a line", in: 16...1 << 20))
    let fields = Key("fields", Shape<Int>.integer("the bytes of a head", in: 64...4 << 20))
    let count = Key("count", Shape<Int>.integer("the number of field lines", in: 0...10_000))
}

extension ScenarioReader {
    static let originTable = Table("an origin", OriginKeys())

    static let limitsTable = Table("limits", LimitKeys())

    /// The origins by index; `main` exists even when the file does not name it.
    func origins(_ node: Node?, scenario: Node) -> [ReadOrigin] {
        let implicit = ReadOrigin.plain("main", at: scenario.location)
        guard let node else { return [implicit] }
        guard
            let entries = entries(node, "origins", from: "name to origin", limit: Bounds.origins)
        else { return [implicit] }
        let main = entries.first { $0.key == "main" }.map(origin) ?? implicit
        let origins = [main] + entries.filter { $0.key != "main" }.map(origin)
        checkNames(origins, entries)
        return origins
    }

    private func origin(_ entry: Node.Entry) -> ReadOrigin {
        if !entry.key.isIdentifier {
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) cannot name an origin",
                hint: "use a letter, then letters, digits, '-' and '_'")
        } else if entry.key == "names" {
            sink.report(
                entry.keyNode,
                "\"names\" cannot name an origin: the journal calls the proxy that leads to all names so",
                hint: "take another name")
        }
        let plain = ReadOrigin.plain(entry.key, at: entry.keyNode.location)
        // `other:` with no value is a plain server.
        if entry.value.isNull { return plain }
        var reader = self
        reader.place = originNames.firstIndex(of: entry.key).map { .one($0) } ?? .unknown
        guard let keys = Self.originTable.open(entry.value, reader) else { return plain }
        let role = keys[\.role]
        let errorCount = sink.diagnostics.count
        let readScheme = keys[\.scheme]
        let scheme = sink.diagnostics.count == errorCount ? readScheme : nil
        let protocols = protocols(keys, role: role)
        let tls = tls(keys, scheme: scheme, role: role, protocols: protocols)
        if let entry = keys.entry(\.protocols)?.keyNode, protocols?.contains(.h3) == true, tls == nil || role != .server
        {
            sink.report(
                entry, "\"h3\" is spoken over QUIC, whose TLS this origin does not have",
                hint: "write scheme: https beside it, and no role")
        }
        let (http2, http3) = frameBehaviours(keys, protocols)
        checkSOCKS(keys, role: role)
        let host = host(keys, scheme: readScheme, role: role, speaksTLS: tls != nil)
        checkAddresses(keys, isNamed: keys.has(\.host), transport: host.transport)
        let effects = keys[\.connections] ?? []
        if role.refusal != nil, let node = keys.node(\.connections) {
            sink.report(node, "\(role.article) \(role.rawValue) origin has no connections")
        }
        let buffer = keys[\.receiveBuffer]
        if role == .closed || role == .unreachable, let node = keys.entry(\.receiveBuffer)?.keyNode {
            sink.report(node, "\(role.article) \(role.rawValue) origin receives nothing")
        }
        for node in [keys.entry(\.accepts)?.keyNode, keys.entry(\.limits)?.keyNode] {
            guard let refusal = role.refusal, let node else { continue }
            sink.report(node, "the origin \(quoted(entry.key)) \(refusal), and no request comes there")
        }
        return ReadOrigin(
            origin: Origin(
                name: entry.key, role: role, connectionEffects: effects, receiveBufferByteCount: buffer,
                acceptance: keys[\.accepts], limits: keys[\.limits], scheme: readScheme, host: host.host,
                port: host.port, addresses: keys[\.addresses], transport: host.transport, tls: tls,
                ownProtocols: protocols,
                hasOwnALPN: tls != nil && hasALPN(keys), http2: http2 ?? HTTP2Behaviour(),
                http3: http3 ?? HTTP3Behaviour(),
                socks: keys[\.socks],
                certificateLocation: (keys.node(\.certificate) ?? entry.keyNode).location,
                location: entry.keyNode.location),
            isUnclear: host.isUnclear || scheme == nil)
    }

    static func limits(_ keys: Mapping<LimitKeys>) -> OriginLimits {
        let sink = keys.reader.sink
        let line = keys[\.line]
        let head = keys[\.fields]
        let count = keys[\.count]
        if let line, let head, let node = keys.node(\.line), line > head {
            sink.report(node, "a line of \(line) bytes does not go into a head of \(head)", hint: "raise \"fields\"")
        }
        if keys.entries.isEmpty {
            sink.report(keys.node, "limits need one of \"line\", \"fields\" and \"count\"")
        }
        return OriginLimits(lineByteCount: line, headByteCount: head, fieldCount: count)
    }

    // MARK: Protocols

    /// The protocols; nil when they are left out, and after a diagnostic.
    private func protocols(_ keys: Mapping<OriginKeys>, role: Origin.Role) -> [ApplicationProtocol]? {
        guard let entry = keys.entry(\.protocols) else { return nil }
        let protocols = keys[\.protocols]
        guard role.refusal == nil else {
            return sink.refuse(
                entry.keyNode, "\(role.article) \(role.rawValue) origin speaks no protocol",
                hint: "leave protocols: out")
        }
        if protocols == [.h2], keys[\.accepts] == .anything, let node = keys.entry(\.accepts)?.value {
            sink.report(
                node, "\"anything\" is about requests of HTTP/1.1, which this origin does not speak",
                hint: "leave accepts: out, or write protocols: [h2, http/1.1]")
        }
        return protocols
    }

    fileprivate func protocols(_ node: Node) -> [ApplicationProtocol]? {
        guard let items = node.items else {
            return sink.refuse(
                node, "expected protocols as a list, found \(node.found)",
                hint: "write protocols: [h2], [http/1.1], or both in the order of preference")
        }
        guard !items.isEmpty else {
            return sink.refuse(
                node, "a list of protocols needs at least one", hint: "leave protocols: out for HTTP/1.1 alone")
        }
        var protocols: [ApplicationProtocol] = []
        for item in items {
            if item.text == "h2c" {
                return sink.refuse(
                    item, "\"h2c\" is the name of an Upgrade that RFC 9113 has taken back (§3.1)",
                    hint: "write h2: without TLS it takes connections that begin with the preface (§3.3)")
            }
            guard let name = sink.choice(item, "a protocol", among: ApplicationProtocol.self) else { return nil }
            if name == .h2 { guard sink.has(ApplicationProtocol.http2, at: item) else { return nil } }
            guard !protocols.contains(name) else {
                return sink.refuse(item, "\(quoted(name.rawValue)) stands in this list already", hint: "leave it out")
            }
            protocols.append(name)
        }
        return protocols
    }

    // MARK: Hosts

    private struct ReadHost {
        var host = Origin.Host.address
        var port: Int?
        var transport = Origin.Transport.tcp
        /// Whether a host or port could not be read.
        var isUnclear = false
    }

    static let hostWords: [(word: String, host: Origin.Host)] = [
        ("address", .address), ("localhost", .localhost), ("127.0.0.1", .loopback), ("other-address", .otherAddress),
        ("ipv6", .ipv6),
    ]

    /// Reads host and port; `scheme` and `role` are those of the same origin.
    private func host(
        _ keys: Mapping<OriginKeys>, scheme: Origin.Scheme, role: Origin.Role, speaksTLS: Bool
    ) -> ReadHost {
        var result = ReadHost()
        if let node = keys.entry(\.host)?.value {
            guard let host = host(node) else {
                result.isUnclear = true
                return result
            }
            result.host = host
            checkHost(host, of: role, at: node)
            if case .name(let name) = host, speaksTLS, !HostName.isVouchedFor(name) {
                sink.report(
                    node, "no certificate can be made for \(quoted(name))",
                    hint: "the authority vouches for names in \(HostName.vouchedText)")
            }
        }
        let isNamed = if case .name = result.host { true } else { false }
        if let entry = keys.entry(\.port) {
            if isNamed {
                result.port = keys[\.port]
                result.isUnclear = result.port == nil
            } else {
                sink.report(
                    entry.keyNode, "\"port\" is what URLs say behind a name; another port is the system's to choose",
                    hint: "write host: NAME beside it, or leave it out")
                // The name may be missing by mistake, and other keys may use it.
                result.isUnclear = true
            }
        }
        if let entry = keys.entry(\.transport) {
            result.transport = keys[\.transport]
            if result.transport == .unix {
                checkSocket(entry, isNamed: isNamed, scheme: scheme, role: role, speaksTLS: speaksTLS)
            }
        }
        return result
    }

    package func host(_ node: Node) -> ProctorScenario.Origin.Host? {
        guard let text = sink.nonEmptyText(node, "a host") else { return nil }
        if let known = Self.hostWords.first(where: { $0.word == text }) { return known.host }
        guard text.contains(".") || text.utf8.contains(where: { $0 >= 0x80 }) else {
            let isAddress = text.contains(":") || text.contains("[")
            let hint =
                NearestName.find(text, in: Self.hostWords.map(\.word)).map { "did you mean \(quoted($0))?" }
                ?? (isAddress
                    ? HostName.addressHint
                    : "write address, localhost, 127.0.0.1, other-address, ipv6, or a name like home.example.org")
            return sink.refuse(node, "unknown host \(quoted(text))", hint: hint)
        }
        do throws(HostName.Refusal) {
            return .name(try HostName(parsing: text).text)
        } catch {
            return sink.refuse(node, error.sentence, hint: error.hint)
        }
    }

    private func checkHost(_ host: Origin.Host, of role: Origin.Role, at node: Node) {
        switch (role, host) {
        case (.server, _), (.proxy, .address), (.proxy, .loopback): return
        case (.closed, .address), (.closed, .localhost), (.closed, .loopback), (.closed, .ipv6),
            (.unaccepting, .address), (.unaccepting, .localhost), (.unaccepting, .loopback), (.unaccepting, .ipv6),
            (.unreachable, .address), (.unreachable, .localhost), (.unreachable, .loopback), (.unreachable, .ipv6):
            return
        case (.proxy, _):
            sink.report(
                node, "a proxy is reached by its address",
                hint: "leave host: out; names belong to the origins behind it")
        case (.closed, _), (.unaccepting, _), (.unreachable, _):
            sink.report(
                node, "\(role.article) \(role.rawValue) origin is reached by an address or localhost",
                hint: "leave host: out")
        }
    }

    private func checkSocket(
        _ entry: Node.Entry, isNamed: Bool, scheme: Origin.Scheme, role: Origin.Role, speaksTLS: Bool
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

    /// Reports origins with the same name and port, whose URLs are ambiguous; ignores origins with reported errors.
    func checkNames(_ origins: [ReadOrigin], _ entries: [Node.Entry]) {
        var seen: [String: String] = [:]
        for entry in entries {
            guard let read = origins.first(where: { $0.origin.name == entry.key }), !read.isUnclear,
                let name = read.origin.hostName
            else { continue }
            let place = "\(name):\(read.origin.namedPort)"
            if let other = seen[place] {
                let node =
                    entry.value.entries?.first { $0.key == "port" } ?? entry.value.entries?.first { $0.key == "host" }
                sink.report(
                    node?.value ?? entry.keyNode, "\(place) is the origin \(quoted(other)) already",
                    hint: "give one of them another port: or host:")
            } else {
                seen[place] = read.origin.name
            }
        }
    }
}
extension Origin.Role {
    /// The article before the role: `an` or `a`.
    var article: String { self == .unaccepting || self == .unreachable ? "an" : "a" }
}
