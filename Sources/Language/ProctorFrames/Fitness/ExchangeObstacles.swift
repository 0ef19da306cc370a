internal import ProctorBase
internal import ProctorScenario

/// Finds parts of an exchange that exist only in HTTP/1.1.
struct ExchangeObstacles {
    let exchange: Exchange
    /// The libraries that its scripts may call.
    let libraries: [FixtureScript]

    var all: [HTTP2Obstacle] {
        let isOfHEAD = exchange.request.methods == [Array("HEAD".utf8)]
        return requestSentences.map { HTTP2Obstacle(exchange.location, $0) }
            + exchange.replies.flatMap {
                ReplyObstacles(reply: $0, neverHasBody: isOfHEAD, libraries: libraries).all
            }
    }

    private var requestSentences: [String] {
        let request = exchange.request
        var sentences: [String] = []
        if request.methods == [Array("CONNECT".utf8)] { sentences.append("CONNECT opens a tunnel of HTTP/1.1") }
        if case .literal(let start)? = request.target.parts.first,
            start.starts(with: Array("http://".utf8)) || start.starts(with: Array("https://".utf8))
        {
            sentences.append("HTTP/2 has no target in absolute-form")
        }
        sentences += Self.sentences(request.headers, request.more)
        if let script = request.script, let word = ScriptWords.ofRequest.first(in: script, calling: libraries) {
            sentences.append("a script of the request names \"\(word)\", which HTTP/2 has not")
        }
        return sentences
    }

    private static func sentences(
        _ headers: [RequestPattern.HeaderCondition], _ more: MoreConditions?
    ) -> [String] {
        var sentences = headers.compactMap { condition -> String? in
            guard condition.value != .absent, HTTP2Fields.isOfConnections(condition.name) else { return nil }
            return "the request asks for \(condition.name), a field of HTTP/1.1 (RFC 9113 §8.2.2)"
        }
        if let alpn = more?.security?.applicationProtocol, alpn.verdict(on: Array("h2".utf8)) != .holds {
            sentences.append("the request asks for another protocol of ALPN")
        }
        for condition in (more?.not ?? []) + (more?.anyOf ?? []) {
            sentences += Self.sentences(condition.headers, condition.more)
        }
        return sentences
    }
}

/// Words in scripts that have a meaning in HTTP/1.1 only.
///
/// The reply of a script is known only when the script runs, so such a word alone is an obstacle.
enum ScriptWords {
    case ofRequest, ofReply

    private var words: [String] {
        switch self {
        case .ofRequest: ["version", "framing", "chunks"]
        case .ofReply: ["raw", "framing", "version", "slice", "send", "chunks"]
        }
    }

    /// The first of the words that occurs as a whole word in the script, or in what it may call of the libraries.
    func first(in script: FixtureScript, calling libraries: [FixtureScript]) -> String? {
        let occurring = ScriptParts(libraries).words(calledBy: script)
        return words.first(where: occurring.contains)
    }
}
