import ProctorScenario
import Testing

/// The replies of a scenario with one exchange, each written as a flow mapping.
func replies(_ replies: String..., request: String = "GET /a", folder: String? = nil) throws -> [Reply] {
    let lines = replies.map { "      - \($0)\n" }.joined()
    let scenario = try load(
        "summary: s\nexchanges:\n  - request: \(request)\n    reply:\n\(lines)", folder: folder)
    return try #require(scenario.exchanges.first).replies
}

extension Reply {
    /// What is sent, when Proctor writes its head.
    var structured: StructuredReply {
        get throws {
            guard case .structured(let reply)? = message else { throw NotStructured() }
            return reply
        }
    }

    struct NotStructured: Error {}
}

extension StructuredReply {
    /// The bytes of each piece of the body, effects left out; nil for what does not stand in the fixture.
    var pieces: [[UInt8]?] {
        body.compactMap { piece in
            if case .bytes(let source) = piece { source.literalBytes } else { nil }
        }
    }

    /// The body as text, with what is late-bound left out.
    var text: String { String(decoding: pieces.flatMap { $0 ?? [] }, as: UTF8.self) }
}
