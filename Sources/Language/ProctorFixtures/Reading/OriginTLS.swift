import ProctorBase
import ProctorDocument
import ProctorScenario
import ProctorTLSWire

/// The TLS of an origin.
struct TLSKeys: Sendable {
    let speaks = Key("speaks", Shape<ScenarioReader.Speech>.choice("a way to speak"))
    let versions = Key<ClosedRange<TLSProgram.Version>>("versions") { $1.versions($0) }
    let ciphers = Key("ciphers", Shape<String>.opensslList("a list of ciphers"))
    let suites = Key("suites", Shape<String>.opensslList("a list of cipher suites"))
    let groups = Key("groups", Shape<String>.opensslList("a list of groups"))
    let dh = Key<Int>("dh") { $1.dhBits($0) }
    let alpn = Key<TLSProgram.ApplicationProtocols>("alpn") { $1.applicationProtocols($0) }
    let serverName = UsualKey(
        "server-name", Shape<TLSProgram.ServerName>.choice("an answer to a server name"), usual: .accept)
    let resumption = UsualKey("resumption", Shape<TLSProgram.Resumption>.choice("a kind of resumption"), usual: .on)
    let clientCertificate = UsualKey(
        "client-certificate", Shape<TLSProgram.ClientCertificate>.choice("a wish for a client certificate"),
        usual: .none)
    let clientAuthorities = UsualKey(
        "client-authorities", Shape<TLSProgram.ClientAuthorities>.choice("a choice of authorities"), usual: .ours)
    let plainHTTP = UsualKey(
        "plain-http", Shape<TLSProgram.PlainHTTP>.choice("an answer to plain HTTP"), usual: .answer)
}

/// A protocol that the server selects whatever the client offers.
struct ForcedProtocolKeys: Sendable {
    let force = Key<Node>("force", isRequired: true)
}

struct GivenCertificateKeys: Sendable {
    let file = Key<[UInt8]>("file", isRequired: true) { $1.pem($0, "a certificate", marker: "CERTIFICATE") }
    let key = Key<[UInt8]>(
        "key", isRequired: true, hint: "the server proves with it that the certificate is its own"
    ) { $1.pem($0, "a private key", marker: "PRIVATE KEY") }
}

extension Shape where Value == String {
    /// A list in OpenSSL's syntax, which is checked later.
    fileprivate static func opensslList(_ what: String) -> Shape {
        let limit = 4_096
        return Shape { node, reader in
            guard let text = reader.sink.nonEmptyText(node, what) else { return nil }
            guard text.utf8.count <= limit else {
                return reader.sink.refuse(
                    node, "\(what) has \(text.utf8.count) bytes; at most \(limit) are permitted")
            }
            guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                return reader.sink.refuse(
                    node, "expected \(what) without spaces, found \(quoted(text))", hint: "join the names with ':'")
            }
            return text
        }
    }
}

extension ScenarioReader {
    enum Speech: String, CaseIterable { case tls, plain }

    static let tlsTable = Table(
        "tls", TLSKeys(),
        hints: [
            "version": "did you mean \"versions\"?", "sni": "did you mean \"server-name\"?",
            "certificate": "write it beside \"tls\"", "tickets": "did you mean \"resumption\"?",
        ])

    static let forcedProtocolTable = Table("alpn", ForcedProtocolKeys())
    static let givenCertificateTable = Table("a certificate", GivenCertificateKeys())

    /// Reads `certificate:` and `tls:` of an origin; nil without TLS.
    ///
    /// When `scheme` is nil, it could not be read and is not checked.
    func tls(
        _ origin: Mapping<OriginKeys>, scheme: Origin.Scheme?, role: Origin.Role, protocols: [ApplicationProtocol]?
    ) -> TLSProgram? {
        let program = origin[\.tls].flatMap { Self.tlsTable.open($0, self) }
        if role.refusal != nil {
            refuseTLS(of: role, origin)
            return nil
        }
        let usual: Speech = scheme == .http ? .plain : .tls
        let isSaid = program?.has(\.speaks) == true
        let speech = isSaid ? program?[\.speaks] ?? .tls : usual
        guard speech == .tls else {
            let hint = scheme == .https ? "leave speaks: plain out" : "write scheme: https"
            let idle =
                [origin.entry(\.certificate)].compactMap(\.self)
                + (program?.entries ?? []).filter { $0.key != "speaks" }
            for entry in idle {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) needs TLS, which this origin does not speak", hint: hint)
            }
            return nil
        }
        var result = TLSProgram()
        if let node = origin[\.certificate] {
            if node.entries != nil {
                result.given = givenCertificate(node)
                result.certificate = TLSProgram.GivenCertificate.name
            } else if let name = name(node, "the name of a certificate profile", of: "a certificate profile") {
                result.certificate = name
            }
        }
        result.applicationProtocols = .select((protocols ?? ApplicationProtocol.usual).map(\.rawValue))
        if let program {
            read(program, into: &result)
            // Protocols that could not be read were reported.
            if protocols != nil || !origin.has(\.protocols) { checkALPN(program, protocols) }
        }
        return result
    }

    /// Whether `tls` of an origin has `alpn`.
    func hasALPN(_ origin: Mapping<OriginKeys>) -> Bool {
        origin.entry(\.tls)?.value.entries?.contains { $0.key == "alpn" } ?? false
    }

    /// Reports `h2` in a list of an origin that does not speak it.
    private func checkALPN(_ keys: Mapping<TLSKeys>, _ protocols: [ApplicationProtocol]?) {
        guard protocols?.contains(.h2) != true else { return }
        for item in keys.entry(\.alpn)?.value.items ?? [] where item.text == ApplicationProtocol.h2.rawValue {
            sink.report(
                item, "this origin does not speak HTTP/2, so a client that agrees on \"h2\" would wait for ever",
                hint: "write protocols: [h2, http/1.1] beside tls:, or alpn: { force: h2 } for a server that lies")
        }
    }

    /// Reports TLS at an origin whose role has none.
    private func refuseTLS(of role: Origin.Role, _ origin: Mapping<OriginKeys>) {
        for entry in [origin.entry(\.certificate), origin.entry(\.tls)] {
            guard let entry else { continue }
            sink.report(entry.keyNode, "\(role.article) \(role.rawValue) origin speaks no TLS")
        }
    }

    /// `{ file: chain.pem, key: key.pem }`, both beside the fixture.
    private func givenCertificate(_ node: Node) -> TLSProgram.GivenCertificate? {
        guard let keys = Self.givenCertificateTable.open(node, self) else { return nil }
        let certificates = keys[\.file]
        let key = keys[\.key]
        guard let certificates, let key else { return nil }
        return TLSProgram.GivenCertificate(certificates: certificates, key: key)
    }

    /// A PEM file beside the fixture, read at loading.
    fileprivate func pem(_ node: Node, _ what: String, marker: String) -> [UInt8]? {
        guard let file = sidecar(node) else { return nil }
        do throws(Diagnostic) {
            let bytes = try FileBytes.read(file.path, limit: 1 << 20)
            fingerprint.mix(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            guard !text.contains(text: "ENCRYPTED PRIVATE KEY") else {
                return sink.refuse(
                    node, "the key has a passphrase, which cannot be asked for", hint: "write it without: openssl pkey")
            }
            guard text.contains(text: "-----BEGIN "), text.contains(text: "\(marker)-----") else {
                return sink.refuse(
                    node, "expected \(what) in PEM, with a line \"-----BEGIN \(marker)-----\"",
                    hint: "openssl x509 and openssl pkey write PEM")
            }
            return bytes
        } catch {
            return sink.refuseFile(node, for: error)
        }
    }

    /// Reads the keys into the program; reports contradictions.
    private func read(_ keys: Mapping<TLSKeys>, into program: inout TLSProgram) {
        if let range = keys[\.versions] {
            program.oldest = range.lowerBound
            program.newest = range.upperBound
        }
        program.ciphers = keys[\.ciphers]
        program.suites = keys[\.suites]
        program.groups = keys[\.groups]
        program.dhBits = keys[\.dh]
        if let alpn = keys[\.alpn] { program.applicationProtocols = alpn }
        program.serverName = keys[\.serverName]
        program.resumption = keys[\.resumption]
        program.clientCertificate = keys[\.clientCertificate]
        program.clientAuthorities = keys[\.clientAuthorities]
        program.plainHTTP = keys[\.plainHTTP]
        checkProgram(program, keys)
    }

    private func checkProgram(_ program: TLSProgram, _ keys: Mapping<TLSKeys>) {
        let versions =
            program.oldest == program.newest
            ? program.oldest.rawValue : "\(program.oldest.rawValue)-\(program.newest.rawValue)"
        if program.oldest == .tls13 {
            for (entry, other) in [(keys.entry(\.ciphers), "suites"), (keys.entry(\.dh), "groups")] {
                guard let entry else { continue }
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) is for versions up to 1.2, and this origin speaks 1.3 only",
                    hint: "write \(other):, or versions: 1.2-1.3")
            }
        }
        if program.newest < .tls13 {
            if let entry = keys.entry(\.suites) {
                sink.report(
                    entry.keyNode, "\"suites\" is for version 1.3, and this origin speaks \(versions)",
                    hint: "write ciphers:, or versions: 1.2-1.3")
            }
            if program.clientCertificate == .afterHandshake, let entry = keys.entry(\.clientCertificate) {
                sink.report(
                    entry.value, "after the handshake a certificate is asked for in version 1.3 only (RFC 8446 §4.6.2)",
                    hint: "write client-certificate: request, or versions: \"1.3\"")
            }
        }
        let asks =
            keys.entry(\.clientCertificate).map { $0.value.text != TLSProgram.ClientCertificate.none.rawValue } ?? false
        if !asks, let entry = keys.entry(\.clientAuthorities) {
            sink.report(
                entry.keyNode, "\"client-authorities\" stand in the question for a certificate, and none is asked for",
                hint: "write client-certificate: request or require")
        }
    }

    /// `1.2` or `1.0-1.2`.
    fileprivate func versions(_ node: Node) -> ClosedRange<TLSProgram.Version>? {
        guard let text = sink.text(node, "versions") else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let known = ends.compactMap { TLSProgram.Version(rawValue: String($0)) }
        guard known.count == ends.count, (1...2).contains(known.count), let first = known.first, let last = known.last
        else {
            return sink.refuse(
                node, "expected versions of TLS as 1.2 or 1.0-1.2, found \(quoted(text))",
                hint: "permitted: \(TLSProgram.Version.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard first <= last else {
            return sink.refuse(
                node, "the oldest version \(first.rawValue) is newer than \(last.rawValue)",
                hint: "write \(last.rawValue)-\(first.rawValue)")
        }
        return first...last
    }

    /// The sizes in bits of finite-field Diffie-Hellman groups.
    fileprivate static let dhBits = [512, 768, 1024, 2048, 3072, 4096]

    fileprivate func dhBits(_ node: Node) -> Int? {
        let permitted = Self.dhBits
        let range = (permitted.first ?? 0)...(permitted.last ?? 0)
        guard let bits = sink.integer(node, "a number of bits", in: range) else { return nil }
        if permitted.contains(bits) { return bits }
        return sink.refuse(
            node, "there is no Diffie-Hellman group of \(bits) bits here",
            hint: "permitted: \(permitted.map(String.init).joined(separator: ", "))")
    }

    /// A list of protocols, `ignore`, `refuse`, or `{ force: PROTOCOL }`.
    fileprivate func applicationProtocols(_ node: Node) -> TLSProgram.ApplicationProtocols? {
        if node.entries != nil {
            let keys = Self.forcedProtocolTable.open(node, self)
            return keys?[\.force].flatMap(applicationProtocol).map { .force($0) }
        }
        guard let items = node.items else {
            switch node.text {
            case "ignore": return .ignore
            case "refuse": return .refuse
            case let text:
                let given = text.map { "[\($0.isEmpty ? "http/1.1" : $0)]" } ?? "[http/1.1]"
                return sink.refuse(
                    node,
                    "expected alpn as a list of protocols, ignore, refuse or { force: PROTOCOL }, found "
                        + (text.map(quoted) ?? node.found),
                    hint: "write alpn: \(given) to select from a list")
            }
        }
        guard items.count <= 100 else {
            return sink.refuse(
                node, "alpn has \(items.count) protocols; at most 100 are permitted")
        }
        if items.isEmpty {
            sink.report(node, "a list of protocols needs at least one", hint: "write alpn: ignore for no answer")
        }
        return items.mapAll(applicationProtocol).map { .select($0) }
    }

    /// A protocol name (RFC 7301 §3.1).
    private func applicationProtocol(_ node: Node) -> String? {
        guard let text = sink.text(node, "a protocol") else { return nil }
        if (1...255).contains(text.utf8.count) { return text }
        return sink.refuse(
            node, "the name of a protocol has 1 to 255 bytes (RFC 7301 §3.1), found \(text.utf8.count)")
    }
}
