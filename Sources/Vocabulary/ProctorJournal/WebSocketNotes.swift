import ProctorBase

/// One thing about a WebSocket (RFC 6455): its handshake, a frame, or what was expected on it.
public struct WebSocketNote: Sendable, Equatable {
    package let event: Event

    package enum Event: Sendable, Equatable {
        /// The handshake was accepted: the values of Sec-WebSocket-Protocol and of Sec-WebSocket-Extensions.
        case opened(protocolName: String?, extensions: [String])
        case frame(WebSocketFrameNote)
        case violation(WebSocketViolationNote)
        case expected(WebSocketExpectedNote)
    }

    package init(_ event: Event) { self.event = event }
}

/// A frame that came or went out (RFC 6455 §5.2).
package struct WebSocketFrameNote: Sendable, Equatable {
    /// Who sent it.
    package var party: JournalEvent.Party
    /// `text`, `continuation`; a reserved one is `opcode 0xb`.
    package var opcode: String
    /// The names of those of FIN, RSV1, RSV2 and RSV3 that are set.
    package var flags: [String]
    package var isMasked: Bool
    /// The masking key, its first byte as the most significant one; nil where there is none.
    package var mask: Int?
    /// Bytes of the payload, as the head says them.
    package var byteCount: Int
    /// Bytes from the first one of this direction behind the handshake to the frame's first one.
    package var offset: Int
    /// What is complete with the frame; nil before the last frame of a message, and where it was not read.
    package var message: Message?
    /// What a client must refuse of a frame of the server, by the name of the violation; nil where nothing is wrong.
    package var violation: String?

    /// A message, or what a control frame says.
    package struct Message: Sendable, Equatable {
        package var kind: Kind
        /// Without compression.
        package var byteCount: Int
        /// The first bytes: those of a message, a payload, or the reason of a Close.
        package var kept: [UInt8]
        package var isCompressed: Bool
        /// The code of a Close.
        package var code: Int?

        package init(_ kind: Kind, byteCount: Int, kept: [UInt8], isCompressed: Bool = false, code: Int? = nil) {
            (self.kind, self.byteCount, self.kept, self.isCompressed) = (kind, byteCount, kept, isCompressed)
            self.code = code
        }
    }

    package enum Kind: String, Sendable, CaseIterable { case text, binary, ping, pong, close }

    package init(
        by party: JournalEvent.Party, opcode: String, flags: [String], isMasked: Bool, mask: Int? = nil, byteCount: Int,
        offset: Int, message: Message? = nil, violation: String? = nil
    ) {
        (self.party, self.opcode, self.flags, self.isMasked, self.mask) = (party, opcode, flags, isMasked, mask)
        (self.byteCount, self.offset, self.message, self.violation) = (byteCount, offset, message, violation)
    }
}

/// A departure of the client from RFC 6455, RFC 7692 or RFC 8441.
package struct WebSocketViolationNote: Sendable, Equatable {
    package var part: Part
    /// `mask-missing`; the names are stable for ever.
    package var kind: String
    /// Bytes from the first one of the head, or of the frames.
    package var offset: Int
    /// The code of the Close frame that answers the violation; nil where the server reads on.
    package var code: Int?
    package var section: String
    package var sentence: String

    package enum Part: String, Sendable, CaseIterable { case handshake, frames }

    package init(
        of part: Part, _ kind: String, at offset: Int, code: Int? = nil, section: String, sentence: String
    ) {
        (self.part, self.kind, self.offset, self.code, self.section) = (part, kind, offset, code, section)
        self.sentence = sentence
    }

    /// Whether it is the end of a connection without a Close, which a client that was cancelled may bring about.
    package var isDeparture: Bool { kind.hasPrefix("ended-") }

    /// `mask-missing at byte 1: … (RFC 6455 §5.1)`.
    package var text: String { "\(kind) at byte \(offset): \(sentence) (\(section))" }
}

/// How a turn ended that expects something of the client.
package struct WebSocketExpectedNote: Sendable, Equatable {
    package var outcome: ExpectedBytes.Outcome
    /// Half a sentence: `a text message "hello"`.
    package var wanted: String
    /// What came in its place; nil where it came.
    package var got: String?

    package init(_ outcome: ExpectedBytes.Outcome, wanted: String, got: String? = nil) {
        (self.outcome, self.wanted, self.got) = (outcome, wanted, got)
    }
}

extension WebSocketNote {
    /// About the bytes that it refers to.
    var keptByteCount: Int {
        switch event {
        case .opened(let name, let extensions):
            extensions.reduce(name?.utf8.count ?? 0) { $0 + 16 + $1.utf8.count }
        case .frame(let frame): frame.message?.kept.count ?? 0
        case .violation(let violation): violation.sentence.utf8.count
        case .expected(let expected): expected.wanted.utf8.count + (expected.got?.utf8.count ?? 0)
        }
    }

    /// Whether the client did what it may not, or not what was expected; leaving is none.
    package var isFault: Bool {
        switch event {
        case .opened, .frame: false
        case .violation(let violation): !violation.isDeparture
        case .expected(let expected): expected.outcome != .met
        }
    }

    /// For a person: `client: text of 5 bytes, masked: "hello"`.
    package var sentence: String {
        switch event {
        case .opened(let name, let extensions):
            let parts = [name.map { "protocol \($0)" }].compactMap(\.self) + extensions
            return "the WebSocket is open" + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
        case .frame(let frame): return "\(frame.party.rawValue): \(frame.words)"
        case .violation(let violation): return "\(violation.part.rawValue): \(violation.text)"
        case .expected(let expected) where expected.outcome == .met: return "as expected: \(expected.wanted)"
        case .expected(let expected):
            let got = expected.got.map { ", got \($0)" } ?? ""
            return "wanted \(expected.wanted)\(got)"
        }
    }
}

extension WebSocketFrameNote {
    fileprivate var words: String {
        var words = "\(opcode) of \(Plural.count(byteCount, "byte"))"
        if isMasked { words += ", masked" }
        if !flags.contains("FIN") { words += ", without FIN" }
        let bits = flags.filter { $0 != "FIN" }
        if !bits.isEmpty { words += ", with \(bits.joined(separator: " and "))" }
        return message.map { "\(words): \($0.words)" } ?? words
    }
}

extension WebSocketFrameNote.Message {
    /// `"hello"`, `00 ff`, or `1000 "bye"`.
    package var words: String {
        let shown = kept.prefix(60)
        let more = byteCount > shown.count ? " …, \(Plural.count(byteCount, "byte"))" : ""
        let text =
            kind == .binary
            ? shown.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined(separator: " ")
            : "\"\(EscapedText.escape(shown))\""
        return ([code.map(String.init)].compactMap(\.self) + [text]).joined(separator: " ") + more
    }
}
