internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// A request as JSON, for `echo: json`; Docs/format/bytes.md has its keys.
struct RequestDescription {
    private let request: RequestView?
    private let numbers: RequestNumbers
    private let content: [UInt8]?

    init(_ request: RequestView?, _ numbers: RequestNumbers, content: [UInt8]?) {
        (self.request, self.numbers, self.content) = (request, numbers, content)
    }

    /// Keys in a fixed order, without blanks, and no line end.
    var json: [UInt8] {
        guard let request, let content else { return [] }
        let head = request.head
        var json = JSONText()
        json.object { json in
            json.member("method", orBase64: "methodBase64", head.methodBytes)
            json.member("target", orBase64: "targetBase64", request.target[...])
            json.member("path", orBase64: "pathBase64", request.path)
            let query = request.query.flatMap { try? URLEncodedForm(parsing: $0).pairs } ?? []
            Self.pairs("query", query.map { ($0.name[...], $0.value[...]) }, &json)
            json.member("version", head.isMultiplexed ? "HTTP/2" : head.version.description)
            Self.pairs("fields", head.fields.map { ($0.name, $0.value) }, &json)
            json.member("body", orBase64: "bodyBase64", content[...])
            let trailers = numbers.source?.receivedBody.trailers ?? []
            if !trailers.isEmpty {
                json.key("trailers")
                json.list(trailers) { line, json in json.stringOrBase64(line.span) }
            }
            json.member("request", numbers.request)
            json.object("connection") { connection(&$0) }
            guard let note = numbers.source?.secured else { return }
            json.object("tls") { Self.describe(note, &$0) }
        }
        return json.bytes
    }

    private func connection(_ json: inout JSONText) {
        json.member("number", numbers.connection)
        json.member("scheme", request?.scheme.rawValue ?? "")
        guard let names = numbers.source?.socketNames else { return }
        json.member("peer", names.peer)
        json.member("local", names.local)
    }

    private static func describe(_ note: HandshakeNote, _ json: inout JSONText) {
        json.member("version", note.version)
        json.member("cipherSuite", note.cipherSuite)
        if let name = note.serverName { json.member("serverName", name) }
        if let name = note.applicationProtocol { json.member("applicationProtocol", name) }
        json.member("isResumed", note.isResumed)
        if let name = note.clientCertificate { json.member("clientCertificate", name) }
    }

    /// A list of lists of a name and a value; bytes that are no text are `{"base64": …}`.
    private static func pairs(
        _ key: StaticString, _ pairs: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)], _ json: inout JSONText
    ) {
        json.key(key)
        json.list(pairs) { pair, json in
            json.open("[")
            for bytes in [pair.name, pair.value] {
                json.element()
                json.stringOrBase64(bytes.span)
            }
            json.close("]")
        }
    }
}
