import Testing

/// A scenario with mistakes, and every message that loading it must give, in order.
struct ErrorRow: CustomTestStringConvertible {
    let name: String
    let yaml: String
    /// `line:column sentence`, the folder written as `$FOLDER`.
    let messages: [String]

    init(_ name: String, yaml: String, messages: [String]) {
        self.name = name
        self.yaml = yaml
        self.messages = messages
    }

    var testDescription: String { name }

    static let all =
        scenarioRows + requestRows + replyRows + bytesRows + effectRows + caseRows + clientRows + answerRows
        + momentRows + scriptRows + edgeRows + codingRows + deliveryRows + multipartRows + syncRows + guardRows
        + accountRows + schemeRows + digestRows + proxyRows + guardFactRows + guardHintRows
        + tlsRows + tlsFactRows + nameRows + tunnelRows + cookieRows + suiteRows
}
