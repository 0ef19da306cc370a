import ProctorBase
import ProctorDocument

/// Effects that only TLS has, and where they can be.
extension ScenarioReader {
    /// Keys that stand beside `do:`.
    static let effectFlags = ["abrupt", "notify"]

    /// `alert N` or `alert NAME`.
    func alert(_ text: String, _ node: Node) -> Effect.Action? {
        guard speaksTLS("alert", node) else { return nil }
        guard !text.isEmpty else {
            sink.report(node, "alert needs a number or a name", hint: "like do: alert handshake_failure")
            return nil
        }
        if let number = AlertDescription.number(named: text) { return .alert(number) }
        if !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) {
            if let number = UInt8(text) { return .alert(number) }
            sink.report(node, "an alert is a number 0 ... 255, found \(text)")
            return nil
        }
        sink.report(
            node, "unknown alert \(quoted(text))",
            hint: NearestName.find(text, in: AlertDescription.names).map { "did you mean \(quoted($0))?" }
                ?? "write a name of RFC 8446 §6, or a number 0 ... 255")
        return nil
    }

    /// Whether the origin that is read for speaks TLS; reports that it does not.
    func speaksTLS(_ word: String, _ node: Node) -> Bool {
        guard let plainOrigin else { return true }
        sink.report(
            node, "\(quoted(word)) needs TLS, which the origin \(quoted(plainOrigin)) does not speak",
            hint: "write scheme: https at the origin")
        return false
    }

    /// `handshake`, or `handshake MOMENT`.
    func handshakePosition(_ text: String, _ node: Node) -> ConnectionEffect.Position? {
        guard speaksTLS("handshake", node) else { return nil }
        let word = text.dropFirst("handshake".count).drop { $0 == " " }
        if word.isEmpty { return .handshake(.serverHello) }
        if let moment = ConnectionEffect.HandshakePosition(rawValue: String(word)) { return .handshake(moment) }
        let names = ConnectionEffect.HandshakePosition.allCases.map(\.rawValue)
        sink.report(
            node, "unknown moment \(quoted(String(word))) of a handshake",
            hint: DiagnosticSink.hint(for: String(word), among: names))
        return nil
    }

    /// Reports what TLS would have to do on a connection outside its handshake and outside replies.
    func checkTLS(_ action: Effect.Action, at position: ConnectionEffect.Position, _ reader: MappingReader) {
        if case .handshake = position { return }
        if position == .accept, let node = reader.entry("notify")?.keyNode, plainOrigin == nil {
            sink.report(node, "\"notify\" means nothing at accept, where no TLS is spoken yet")
        }
        guard action.isOfTLS, let node = reader["do"], let word = node.text?.prefix(while: { $0 != " " }) else {
            return
        }
        sink.report(
            node, "\(quoted(String(word))) has its place at handshake, or in a reply",
            hint: "write at: handshake, or put it under effects: of a reply")
    }
}

extension Effect.Action {
    /// Whether it is done to records of TLS.
    fileprivate var isOfTLS: Bool {
        switch self {
        case .alert, .truncateRecord, .badMAC: true
        case .wait, .close, .reset, .halfClose, .stall, .send, .await: false
        }
    }
}
