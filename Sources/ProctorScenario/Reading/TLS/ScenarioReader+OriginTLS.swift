import ProctorBase
import ProctorDocument

/// Whether an origin speaks TLS, and with what certificate.
extension ScenarioReader {
    static let originTLSKeys = ["scheme", "certificate", "tls"]
    private static let plainKey = "speaks"

    private enum Speech: String, CaseIterable { case tls, plain }

    /// `certificate:` and `tls:` of an origin; nil where no TLS is spoken.
    ///
    /// `scheme` is nil where it can't be read: then nothing is said about what goes with it.
    func tls(_ reader: MappingReader, scheme: Origin.Scheme?, role: Origin.Role) -> TLSProgram? {
        let program = reader["tls"].flatMap {
            MappingReader($0, "tls", keys: [Self.plainKey] + Self.programKeys, hints: Self.programHints, sink: sink)
        }
        if role != .server {
            refuseTLS(of: role, reader)
            return nil
        }
        let usual: Speech = scheme == .http ? .plain : .tls
        let speech = program?[Self.plainKey].map { sink.choice($0, "a way to speak") ?? .tls } ?? usual
        guard speech == .tls else {
            let hint = scheme == .https ? "leave speaks: plain out" : "write scheme: https"
            let idle =
                [reader.entry("certificate")].compactMap(\.self)
                + (program?.entries ?? []).filter { $0.key != Self.plainKey }
            for entry in idle {
                sink.report(
                    entry.keyNode, "\(quoted(entry.key)) needs TLS, which this origin does not speak", hint: hint)
            }
            return nil
        }
        var result = TLSProgram()
        if let node = reader["certificate"] {
            if node.entries != nil {
                result.given = givenCertificate(node)
                result.certificate = TLSProgram.GivenCertificate.name
            } else if let name = certificateName(node) {
                result.certificate = name
            }
        }
        if let program { read(program, into: &result) }
        return result
    }

    /// Nobody speaks at the ports of most roles, and what a proxy is sent comes over plain HTTP.
    private func refuseTLS(of role: Origin.Role, _ reader: MappingReader) {
        for key in ["certificate", "tls"] {
            guard let entry = reader.entry(key) else { continue }
            sink.report(entry.keyNode, "\(role.article) \(role.rawValue) origin speaks no TLS")
        }
        if role == .proxy, let scheme = reader.entry("scheme"), scheme.value.text == Origin.Scheme.https.rawValue {
            sink.report(scheme.value, "a proxy is spoken to over plain HTTP", hint: "leave scheme: out")
        }
    }

    /// `{ file: chain.pem, key: key.pem }`, both beside the fixture.
    private func givenCertificate(_ node: Node) -> TLSProgram.GivenCertificate? {
        guard let reader = MappingReader(node, "a certificate", keys: ["file", "key"], sink: sink) else { return nil }
        let certificates = reader.required("file").flatMap { pem($0, "a certificate", marker: "CERTIFICATE") }
        let key = reader.required("key", hint: "the server proves with it that the certificate is its own")
            .flatMap { pem($0, "a private key", marker: "PRIVATE KEY") }
        guard let certificates, let key else { return nil }
        return TLSProgram.GivenCertificate(certificates: certificates, key: key)
    }

    /// A file of PEM beside the fixture, read now.
    private func pem(_ node: Node, _ what: String, marker: String) -> [UInt8]? {
        guard let file = sidecar(node) else { return nil }
        do throws(Diagnostic) {
            let bytes = try FileBytes.read(file.path, limit: Bounds.pemByteCount)
            fingerprint.mix(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            guard !text.contains("ENCRYPTED PRIVATE KEY") else {
                sink.report(
                    node, "the key has a passphrase, which nobody could type", hint: "write it without: openssl pkey")
                return nil
            }
            guard text.contains("-----BEGIN "), text.contains("\(marker)-----") else {
                sink.report(
                    node, "expected \(what) in PEM, with a line \"-----BEGIN \(marker)-----\"",
                    hint: "openssl x509 and openssl pkey write PEM")
                return nil
            }
            return bytes
        } catch {
            sink.report(node, error.sentence, hint: error.hint)
            return nil
        }
    }

    /// The name of a profile; whether there is one is known where profiles are.
    private func certificateName(_ node: Node) -> String? {
        name(node, "the name of a certificate profile", "a certificate profile")
    }

    /// Text that can name a thing which stands in a file of its own.
    func name(_ node: Node, _ what: String, _ thing: String) -> String? {
        guard let text = sink.text(node, what) else { return nil }
        if text.isIdentifier { return text }
        sink.report(
            node, "\(quoted(text)) cannot name \(thing)",
            hint: "names have a letter, then letters, digits, '-' and '_'")
        return nil
    }
}
