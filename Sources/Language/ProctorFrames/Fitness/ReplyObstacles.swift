internal import ProctorBase
internal import ProctorJournal
internal import ProctorScenario

/// Finds parts of a reply that exist only in HTTP/1.1.
struct ReplyObstacles {
    let reply: Reply
    /// Whether the reply is to HEAD requests only.
    let neverHasBody: Bool
    /// The libraries that its script may call.
    let libraries: [FixtureScript]

    var all: [HTTP2Obstacle] {
        var obstacles: [HTTP2Obstacle] = []
        func add(_ sentence: String, at location: SourceLocation? = nil) {
            obstacles.append(HTTP2Obstacle(location ?? reply.location, sentence))
        }
        if let script = reply.webSocket {
            if script.omitsFieldsOfUpgrade {
                add("the handshake leaves out a field that only HTTP/1.1 has (RFC 8441 §5)")
            }
        } else if reply.opaque != nil {
            add("behind the reply the connection is no longer HTTP")
        }
        for effect in reply.effects {
            if let sentence = sentence(of: effect) { add(sentence, at: effect.location) }
        }
        switch reply.message {
        case .raw?: add("a raw reply has the bytes of HTTP/1.1")
        case .forward?: add("a proxy forwards requests over HTTP/1.1")
        case .script(let script)?:
            if let word = ScriptWords.ofReply.first(in: script.script, calling: libraries) {
                add("the script names \"\(word)\", with which a reply has bytes of HTTP/1.1")
            }
        case .structured(let message)?:
            obstacles += MessageObstacles(
                message: message, webSocket: reply.webSocket, neverHasBody: neverHasBody, isCut: isCut(message)
            ).sentences
                .map { HTTP2Obstacle($0.location ?? reply.location, $0.sentence) }
            if let other = message.unsatisfiable?.reply {
                obstacles += ReplyObstacles(reply: other, neverHasBody: neverHasBody, libraries: libraries).all
            }
        case nil: break
        }
        return obstacles
    }

    /// A position inside the head, or inside the framing of chunks, has no counterpart in frames.
    private func sentence(of effect: Effect) -> String? {
        switch effect.position {
        case .head(let offset) where offset > 0: "the effect stands at a byte of the head of HTTP/1.1"
        case .wire(let offset) where offset > 0 && isChunked: "the effect stands at a byte among chunks"
        case .head, .wire, .body, .frame, .end: effect.action.row.http2Sentence
        }
    }

    private var isChunked: Bool {
        if case .structured(let message)? = reply.message { message.framing.isChunked } else { false }
    }

    /// Whether an effect ends the connection before the message ends, or directly after its last byte.
    private func isCut(_ message: StructuredReply) -> Bool {
        reply.effects.contains { $0.action.row.ends.cutsReply() }
            || message.body.contains { piece in
                if case .effect(let action) = piece { action.row.ends.cutsReply() } else { false }
            }
    }
}

/// Finds parts of a structured message that exist only in HTTP/1.1.
struct MessageObstacles {
    let message: StructuredReply
    /// What the reply opens; nil: no WebSocket.
    let webSocket: (any WebSocketProgram)?
    let neverHasBody: Bool
    /// Whether an effect certainly prevents the regular end of the message.
    let isCut: Bool

    /// An obstacle; where the location is nil, it is the reply's.
    typealias Lookup = (sentence: String, location: SourceLocation?)

    var sentences: [Lookup] {
        var plain = statusSentences + deliverySentences
        if let framingSentence { plain.append(framingSentence) }
        var obstacles: [Lookup] = plain.map { ($0, nil) }
        for field in message.headers + message.trailers + message.interimFields {
            if let fault = HTTP2Fields.fault(of: field) { obstacles.append((fault, field.location)) }
            if webSocket != nil, field.isNamed("sec-websocket-accept") {
                obstacles.append(("an extended CONNECT has no Sec-WebSocket-Accept (RFC 8441 §5)", field.location))
            }
        }
        if let lengthSentence { obstacles.append(lengthSentence) }
        if let field = message.interimFields.first(where: { $0.isNamed("content-length") }) {
            obstacles.append(
                ("an interim reply has no DATA to which its Content-Length fits (RFC 9113 §8.1.1)", field.location))
        }
        let echoes = message.body.contains { piece in
            guard case .bytes(.template(let template)) = piece else { return false }
            return template.parts.contains { if case .value(.message, _) = $0 { true } else { false } }
        }
        if echoes { obstacles.append(("the request is echoed with the bytes of HTTP/1.1", nil)) }
        let actions =
            message.body.compactMap { piece in if case .effect(let action) = piece { action } else { nil } }
            + message.interim.compactMap { piece in if case .effect(let action) = piece { action } else { nil } }
        return obstacles + actions.compactMap(\.row.http2Sentence).map { ($0, nil) }
    }

    private var statusSentences: [String] {
        var sentences: [String] = []
        if message.version != "HTTP/1.1" { sentences.append("the reply has the version \(message.version)") }
        if message.tunnel != nil { sentences.append("the reply opens a tunnel of HTTP/1.1") }
        let isSwitch = message.interim.contains { piece in
            if case .reply(let reply) = piece { reply.status == 101 } else { false }
        }
        if let webSocket, !isSwitch {
            // The status is 200 there.
            guard webSocket.hasOwnStatus, message.status < 300 else { return sentences }
            sentences.append("the status opens a WebSocket over HTTP/2 alone, or not at all (RFC 8441 §5)")
        } else if message.status == 101 || isSwitch {
            sentences.append("HTTP/2 has no 101 (RFC 9113 §8.6)")
        } else if message.status < 200 {
            sentences.append("a reply of HTTP/2 does not end with an interim status (RFC 9113 §8.1)")
        }
        return sentences
    }

    // MARK: Length and framing

    /// Whether neither side reads content, whatever the fields say (RFC 9110 §6.4).
    private var hasNoContent: Bool { neverHasBody || message.status < 200 || [204, 304].contains(message.status) }

    private var lengths: [ReplyField] { message.headers.filter { $0.isNamed("content-length") } }

    /// A wrong Content-Length makes a message malformed in HTTP/2 (RFC 9113 §8.1.1); a client of HTTP/1.1 reads on or
    /// waits.
    private var lengthSentence: Lookup? {
        guard let field = lengths.first else { return nil }
        if lengths.count > 1 { return ("Content-Length stands there several times", lengths[1].location) }
        guard let digits = field.value.literalBytes, !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit),
            let length = Int(String(decoding: digits, as: UTF8.self))
        else { return ("Content-Length is no number that HTTP/2 could compare", field.location) }
        if message.framing.isChunked { return ("Content-Length stands beside chunks", field.location) }
        if hasNoContent { return nil }
        guard message.knowsContentLength, let count = message.contentByteCount else {
            return ("Content-Length is the fixture's, and the length of the content is not known", field.location)
        }
        // A message that is cut before this length is cut over HTTP/2 too.
        if length == count || isCut && length > count { return nil }
        return ("Content-Length is not that of the content (RFC 9113 §8.1.1)", field.location)
    }

    private var framingSentence: String? {
        if let coding = message.coding, coding.place == .transfer { return "HTTP/2 has no transfer codings" }
        switch message.framing {
        case .unspecified, .length: return nil
        case .chunked(let style):
            return style == ChunkStyle() ? nil : "the reply says how its chunks are written, and HTTP/2 has none"
        case .close: return "the end of the connection ends the content"
        case .none:
            if !lengths.isEmpty || hasNoContent && message.body.isEmpty { return nil }
            return "the reply has no framing, and HTTP/2 has no content without"
        }
    }

    // MARK: Delivery

    private var deliverySentences: [String] {
        var sentences: [String] = []
        switch message.slicing {
        case .offsets?: sentences.append("the reply is cut at bytes of HTTP/1.1")
        case .midCRLF?: sentences.append("the reply is cut at line ends, which HTTP/2 has not")
        case .midChunkSize?: sentences.append("the reply is cut in chunk sizes, which HTTP/2 has not")
        case .everyByte?, .size?, .midUTF8?, .random?, .once?, nil: break
        }
        if message.pace?.scope == .reply { sentences.append("the pace counts the bytes of the head of HTTP/1.1") }
        return sentences
    }
}

extension StructuredReply {
    fileprivate var interimFields: [ReplyField] {
        interim.flatMap { piece in
            guard case .reply(let reply) = piece else { return [ReplyField]() }
            return reply.headers
        }
    }
}
