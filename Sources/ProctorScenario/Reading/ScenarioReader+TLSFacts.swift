import ProctorDocument

extension ScenarioReader {
    /// Reports facts about handshakes where there are none.
    func checkTLS(of name: FactName, at node: Node) {
        switch name {
        case .handshakeCount, .handshakeFailureCount, .tls:
            guard !speaksTLS else { return }
            sink.report(
                node, "\(quoted(name.text)) is about TLS, and no origin of this scenario speaks it",
                hint: "write origins: { main: { scheme: https } }")
        default: return
        }
    }

    /// Reports words that a fact of TLS never is.
    func checkTLSWord(_ word: String, _ fact: FactName.TLSFact, of name: FactName, at node: Node) {
        switch fact {
        case .version:
            let versions = ["1.0", "1.1", "1.2", "1.3"]
            guard !versions.contains(word) else { return }
            sink.report(
                node, "unknown version of TLS: \(quoted(word))", hint: "permitted: \(versions.joined(separator: ", "))")
        case .end: check(word, among: ["secured", "failed"], "end of a handshake", at: node)
        case .resumed: check(word, among: ["true", "false"], "word for \(quoted(name.text))", at: node)
        case .alert:
            let spelled = String(word.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
            guard spelled != word else { return }
            sink.report(
                node, "alerts have the names of RFC 8446, found \(quoted(word))",
                hint: "did you mean \(quoted(spelled))?")
        case .certificate where !certificates.contains(word):
            sink.report(
                node, "no origin of this scenario shows the certificate \(quoted(word))",
                hint: DiagnosticSink.hint(for: word, among: certificates))
        case .cipher, .group, .alpn, .serverName, .certificate, .client, .offeredVersions, .offeredCiphers,
            .offeredGroups, .offeredALPN, .offeredExtensions:
            return
        }
    }

    private func check(_ word: String, among words: [String], _ noun: String, at node: Node) {
        guard !words.contains(word) else { return }
        sink.report(node, "unknown \(noun): \(quoted(word))", hint: DiagnosticSink.hint(for: word, among: words))
    }
}
