import ProctorBase
import ProctorDocument

/// The keys of `tls:`.
extension ScenarioReader {
    static let programKeys = [
        "versions", "ciphers", "suites", "groups", "dh", "alpn", "server-name", "resumption", "client-certificate",
        "client-authorities", "plain-http",
    ]
    static let programHints = [
        "version": "did you mean \"versions\"?", "sni": "did you mean \"server-name\"?",
        "certificate": "write it beside \"tls\"", "tickets": "did you mean \"resumption\"?",
    ]

    /// Reads what an origin says of its TLS, and reports what contradicts.
    func read(_ reader: MappingReader, into program: inout TLSProgram) {
        if let range = reader["versions"].flatMap(versions) {
            program.oldest = range.lowerBound
            program.newest = range.upperBound
        }
        program.ciphers = reader["ciphers"].flatMap { opensslList($0, "a list of ciphers") }
        program.suites = reader["suites"].flatMap { opensslList($0, "a list of cipher suites") }
        program.groups = reader["groups"].flatMap { opensslList($0, "a list of groups") }
        program.dhBits = reader["dh"].flatMap(dhBits)
        if let alpn = reader["alpn"].flatMap(applicationProtocols) { program.applicationProtocols = alpn }
        program.serverName = reader["server-name"].flatMap { sink.choice($0, "an answer to a server name") } ?? .accept
        program.resumption = reader["resumption"].flatMap { sink.choice($0, "a kind of resumption") } ?? .on
        program.clientCertificate =
            reader["client-certificate"].flatMap { sink.choice($0, "a wish for a client certificate") } ?? .none
        program.clientAuthorities =
            reader["client-authorities"].flatMap { sink.choice($0, "a choice of authorities") } ?? .ours
        program.plainHTTP = reader["plain-http"].flatMap { sink.choice($0, "an answer to plain HTTP") } ?? .answer
        check(program, reader)
    }

    private func check(_ program: TLSProgram, _ reader: MappingReader) {
        let versions =
            program.oldest == program.newest
            ? program.oldest.rawValue : "\(program.oldest.rawValue)-\(program.newest.rawValue)"
        if program.oldest == .tls13 {
            for key in ["ciphers", "dh"] {
                guard let entry = reader.entry(key) else { continue }
                let other = key == "dh" ? "groups" : "suites"
                sink.report(
                    entry.keyNode, "\(quoted(key)) is for versions up to 1.2, and this origin speaks 1.3 only",
                    hint: "write \(other):, or versions: 1.2-1.3")
            }
        }
        if program.newest < .tls13 {
            if let entry = reader.entry("suites") {
                sink.report(
                    entry.keyNode, "\"suites\" is for version 1.3, and this origin speaks \(versions)",
                    hint: "write ciphers:, or versions: 1.2-1.3")
            }
            if program.clientCertificate == .afterHandshake, let node = reader["client-certificate"] {
                sink.report(
                    node, "after the handshake a certificate is asked for in version 1.3 only (RFC 8446 §4.6.2)",
                    hint: "write client-certificate: request, or versions: \"1.3\"")
            }
        }
        let asks = reader["client-certificate"].map { $0.text != TLSProgram.ClientCertificate.none.rawValue } ?? false
        if !asks, let entry = reader.entry("client-authorities") {
            sink.report(
                entry.keyNode, "\"client-authorities\" stand in the question for a certificate, and none is asked for",
                hint: "write client-certificate: request or require")
        }
    }

    /// `1.2` or `1.0-1.2`.
    private func versions(_ node: Node) -> ClosedRange<TLSProgram.Version>? {
        guard let text = sink.text(node, "versions") else { return nil }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        let known = ends.compactMap { TLSProgram.Version(rawValue: String($0)) }
        guard known.count == ends.count, (1...2).contains(known.count), let first = known.first, let last = known.last
        else {
            sink.report(
                node, "expected versions of TLS as 1.2 or 1.0-1.2, found \(quoted(text))",
                hint: "permitted: \(TLSProgram.Version.allCases.map(\.rawValue).joined(separator: ", "))")
            return nil
        }
        guard first <= last else {
            sink.report(
                node, "the oldest version \(first.rawValue) is newer than \(last.rawValue)",
                hint: "write \(last.rawValue)-\(first.rawValue)")
            return nil
        }
        return first...last
    }

    /// Text as OpenSSL takes it; what is in it is known where OpenSSL is.
    private func opensslList(_ node: Node, _ what: String) -> String? {
        guard let text = sink.nonEmptyText(node, what) else { return nil }
        guard text.utf8.count <= Bounds.cipherTextByteCount else {
            sink.report(
                node,
                "\(what) has \(text.utf8.count) bytes; at most \(Bounds.cipherTextByteCount) are permitted")
            return nil
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            sink.report(
                node, "expected \(what) without spaces, found \(quoted(text))", hint: "join the names with ':'")
            return nil
        }
        return text
    }

    private func dhBits(_ node: Node) -> Int? {
        let permitted = Bounds.dhBits
        let range = (permitted.first ?? 0)...(permitted.last ?? 0)
        guard let bits = sink.integer(node, "a number of bits", in: range) else { return nil }
        if permitted.contains(bits) { return bits }
        sink.report(
            node, "there is no Diffie-Hellman group of \(bits) bits here",
            hint: "permitted: \(permitted.map(String.init).joined(separator: ", "))")
        return nil
    }

    /// A list of protocols to select from, `ignore`, `refuse`, or `{ force: PROTOCOL }`.
    private func applicationProtocols(_ node: Node) -> TLSProgram.ApplicationProtocols? {
        if node.entries != nil {
            let reader = MappingReader(node, "alpn", keys: ["force"], sink: sink)
            return reader?.required("force").flatMap(applicationProtocol).map { .force($0) }
        }
        guard let items = node.items else {
            switch node.text {
            case "ignore": return .ignore
            case "refuse": return .refuse
            case let text:
                let given = text.map { "[\($0.isEmpty ? "http/1.1" : $0)]" } ?? "[http/1.1]"
                sink.report(
                    node,
                    "expected alpn as a list of protocols, ignore, refuse or { force: PROTOCOL }, found "
                        + (text.map(quoted) ?? node.found),
                    hint: "write alpn: \(given) to select from a list")
                return nil
            }
        }
        guard items.count <= Bounds.applicationProtocols else {
            sink.report(
                node, "alpn has \(items.count) protocols; at most \(Bounds.applicationProtocols) are permitted")
            return nil
        }
        if items.isEmpty {
            sink.report(node, "a list of protocols needs at least one", hint: "write alpn: ignore for no answer")
        }
        let names = items.compactMap(applicationProtocol)
        for item in items where item.text == "h2" {
            sink.report(
                item, "HTTP/2 is not spoken here, so a client that agrees on \"h2\" would wait for ever",
                hint: "write alpn: [http/1.1], or alpn: { force: h2 } for a server that lies")
        }
        return names.count == items.count ? .select(names) : nil
    }

    /// RFC 7301 §3.1.
    private func applicationProtocol(_ node: Node) -> String? {
        guard let text = sink.text(node, "a protocol") else { return nil }
        if (1...255).contains(text.utf8.count) { return text }
        sink.report(
            node, "the name of a protocol has 1 to 255 bytes (RFC 7301 §3.1), found \(text.utf8.count)")
        return nil
    }
}
