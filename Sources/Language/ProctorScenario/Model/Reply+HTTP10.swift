import ProctorBase

extension Reply {
    /// Whether a proxy hands the request on in place of a reply.
    package var forwards: Bool {
        if case .forward? = message { true } else { false }
    }

    /// Nil for raw bytes and for effects alone.
    package var structured: StructuredReply? {
        guard case .structured(let message)? = message else { return nil }
        return message
    }

    /// Whether it has chunks or interim replies, which no server may send to a client of HTTP/1.0 (RFC 9112 §6.1,
    /// RFC 9110 §15.2).
    package var needsHTTP11: Bool { structured.map { $0.isChunked || $0.hasInterimReplies } ?? false }

    /// Whether a client of HTTP/1.0 cannot be shown what the reply is about: effects within chunks, trailers, interim
    /// replies, or raw bytes that have chunks or interim replies.
    package var isAboutHTTP11: Bool {
        switch message {
        case .structured(let reply)?:
            reply.hasInterimReplies || !reply.trailers.isEmpty
                || reply.isChunked && (!effects.isEmpty || reply.body.contains(where: \.isEffect))
        case .raw(let pieces)?: pieces.areOfHTTP11
        case .forward?, .script?, nil: false
        }
    }

    /// The reply for a client of HTTP/1.0: without interim replies, and ended by the end of the connection in place
    /// of chunks.
    package var forHTTP10: Reply {
        guard case .structured(let old)? = message else { return self }
        let interim = old.interim.filter { if case .effect = $0 { true } else { false } }
        let new = StructuredReply(
            status: old.status, reason: old.reason, version: old.version, headers: old.headers, body: old.body,
            framing: old.isChunked ? .close : old.framing, trailers: old.isChunked ? [] : old.trailers,
            interim: interim, coding: old.coding, honours: old.honours, unsatisfiable: old.unsatisfiable,
            tunnel: old.tunnel, pace: old.pace, slicing: old.slicing)
        return Reply(
            message: .structured(new), effects: effects, rawSlicing: rawSlicing, rawTunnel: rawTunnel,
            persistence: old.isChunked ? .usual : persistence, opaque: opaque, sets: sets, location: location)
    }
}

extension StructuredReply {
    fileprivate var isChunked: Bool { if case .chunked = framing { true } else { false } }

    fileprivate var hasInterimReplies: Bool {
        interim.contains { if case .reply = $0 { true } else { false } }
    }
}

extension BodyPiece {
    fileprivate var isEffect: Bool { if case .effect = self { true } else { false } }
}

extension [BodyPiece] {
    /// Whether the written bytes begin with an interim reply, or have the word `chunked`.
    fileprivate var areOfHTTP11: Bool {
        let bytes = flatMap { piece -> [UInt8] in
            guard case .bytes(let source) = piece else { return [] }
            return source.literalBytes ?? []
        }
        let text = String(decoding: bytes.prefix(Self.headLimit), as: UTF8.self).lowercased()
        return text.hasPrefix("http/1.1 1") || text.contains(text: "chunked")
    }

    private static let headLimit = 4096
}
