package import ProctorHTTP
package import ProctorJournal
package import ProctorScenario

/// A reply as an ordered list of steps for a wire.
package final class LaidOutReply: Sendable {
    package let traits: Traits
    /// Whether nothing but the steps is played, and HTTP goes on behind them.
    package let isPlain: Bool
    /// Whether the fixture writes a 100 (Continue) itself.
    package let continuesRequest: Bool
    /// One piece of bytes, which needs no lists.
    private let single: (bytes: [UInt8], reply: SentReply)?
    private let parts: [Step]
    /// The journal's events for bytes, in order; shared by all requests with this reply.
    private let announced: [BegunReply]

    /// A reply that sends nothing.
    package static let nothing = LaidOutReply([])

    /// What a reply brings besides its steps.
    package struct Traits: Sendable {
        /// nil for raw bytes and for effects alone.
        package var status: Int?
        /// The reply says, or its framing needs, that the connection ends after it.
        package var endsConnection = false
        /// The reply says to an HTTP/1.0 client that the connection stays open.
        var saysKeepAlive = false
        /// Whether another protocol follows: after 101, and after 2xx to CONNECT (RFC 9112 §6.3, RFC 9113 §8.5).
        package var leavesHTTP = false
        /// The tunnel that the connection or the stream becomes behind it; nil: none.
        package var tunnel: Tunnel?
        /// nil: as few writes as the system permits, without pace.
        package var schedule: WriteSchedule?
        /// The cookies of its head; nil: none.
        package var setCookies: SetCookies?
        /// What is sent and expected after it, where the connection is no longer HTTP; nil where the fixture has no
        /// script.
        package var opaque: [OpaqueStep]?
        /// What is wrong with the opening handshake of a WebSocket.
        package var handshakeViolations: [WebSocketNote] = []
        /// The fixture's word on the connection, which overrides request and reply.
        var persistence = Reply.Persistence.usual
        /// The effects that are played before frames, by the number of the frame.
        package var beforeFrames: [PendingEffects.BeforeFrame] = []

        package init(
            status: Int? = nil, opaque: [OpaqueStep]? = nil, persistence: Reply.Persistence = .usual
        ) {
            (self.status, self.opaque, self.persistence) = (status, opaque, persistence)
        }

        /// nil where none is opened.
        package var webSocket: (any WebSocketProgram)? {
            if case .webSocket(let program)? = opaque?.first { program } else { nil }
        }

        /// Whether nothing but the steps is played.
        fileprivate var arePlain: Bool {
            beforeFrames.isEmpty && schedule == nil && setCookies == nil && opaque == nil && tunnel == nil
                && handshakeViolations.isEmpty && !leavesHTTP
        }
    }

    package enum Step: Sendable {
        /// A field section; a layout of bytes has none.
        case section(StreamSection)
        /// Content; in a layout of bytes also heads and framing.
        case content(ContentSource, Range<Int>)
        indirect case effect(Effect.Action, at: String)
        /// The end of a reply whose last section does not end it; a layout of bytes has it as bytes.
        case end

        package static func bytes(_ bytes: [UInt8]) -> Step { .content(.bytes(bytes), bytes.indices) }
    }

    package struct SetCookies: Sendable {
        package let values: [[UInt8]]
        /// Bytes sent, with those of effects, when the head is complete.
        package let headEnd: Int
    }

    /// A short reply that has no Connection field.
    package init(_ short: ShortReply, persistence: Reply.Persistence) {
        single = (short.bytes, short.reply)
        traits = Traits(status: short.status, persistence: persistence)
        (isPlain, continuesRequest, parts, announced) = (true, false, [], [])
    }

    package init(_ steps: [Step], begun: [BegunReply] = [], _ traits: Traits = Traits()) {
        self.traits = traits
        continuesRequest = begun.contains { $0.reply.status == 100 }
        isPlain = traits.arePlain && !continuesRequest
        if steps.count == 1, let bytes = steps[0].bytes, begun.count == 1, begun[0].offset == 0 {
            single = (bytes, begun[0].reply)
            (parts, announced) = ([], [])
        } else {
            (single, parts, announced) = (nil, steps, begun)
        }
    }

    /// A reply of the server itself; `sent` is its content as far as it is known now.
    package convenience init(
        _ head: ReplySection, _ content: [UInt8] = [], sent: SentContent? = .empty, endsReply: Bool = true,
        as layout: WireLayout
    ) {
        let traits = Traits(status: head.status)
        switch layout {
        case .bytes:
            let bytes = head.bytes
            self.init(
                [.bytes(bytes + content)],
                begun: [BegunReply(offset: 0, head.sent(content: sent, headByteCount: bytes.count))], traits)
        case .sections:
            let section = StreamSection(head, endsStream: content.isEmpty && endsReply, content: sent)
            let rest: [Step] = content.isEmpty ? [] : endsReply ? [.bytes(content), .end] : [.bytes(content)]
            self.init([.section(section)] + rest, traits)
        }
    }

    /// Whether the connection stays open for another request (RFC 9112 §9.3), unless the server stops.
    package func staysOpen(answering head: RequestHead) -> Bool {
        head.staysOpen(
            traits.persistence, endsConnection: traits.endsConnection, saysKeepAlive: traits.saysKeepAlive)
    }

    /// What is sent and expected behind it; nil where HTTP goes on.
    ///
    /// On a connection the fixture's script stands behind any reply; without one, only what is no longer HTTP is read on. A
    /// stream is no longer HTTP behind a 2xx reply to CONNECT (RFC 9113 §8.5, RFC 8441 §5).
    package func script(as layout: WireLayout) -> [OpaqueStep]? {
        switch layout {
        case .bytes: traits.opaque ?? (traits.leavesHTTP && !traits.endsConnection ? [] : nil)
        case .sections: traits.leavesHTTP ? traits.opaque ?? [] : nil
        }
    }

    /// Returns the reply with bytes behind it, in one write with its last ones.
    package func followed(by bytes: [UInt8]) -> LaidOutReply {
        guard !bytes.isEmpty else { return self }
        var steps = steps
        let begun = (0..<begunCount).map { self.begun(at: $0) }
        if let last = steps.last?.bytes {
            steps[steps.count - 1] = .bytes(last + bytes)
        } else {
            steps.append(.bytes(bytes))
        }
        return LaidOutReply(steps, begun: begun, traits)
    }

    /// Whether the steps from here on send nothing and cut nothing off.
    package func isWhole(before index: Int) -> Bool {
        parts[index...].allSatisfy { step in
            guard case .effect(let action, _) = step else { return false }
            return action.row.onlyWaits
        }
    }
}

// The steps and the events by their index, without a list of a single one.
extension LaidOutReply {
    package var steps: [Step] { single.map { [.bytes($0.bytes)] } ?? parts }

    package var stepCount: Int { single == nil ? parts.count : 1 }

    package func step(at index: Int) -> Step { if let single { .bytes(single.bytes) } else { parts[index] } }

    package var begunCount: Int { single == nil ? announced.count : 1 }

    package func begun(at index: Int) -> BegunReply {
        if let single { BegunReply(offset: 0, single.reply) } else { announced[index] }
    }

    /// False also where there is no such step.
    package func isEnd(at index: Int) -> Bool { parts.indices.contains(index) && parts[index].isEnd }

    package func isContent(at index: Int) -> Bool { parts.indices.contains(index) && parts[index].isContent }

    /// Whether it is content that is read or made while it is sent, so that the bytes before it are not sent alone.
    package func isRead(at index: Int) -> Bool { parts.indices.contains(index) && parts[index].isRead }
}

/// A final reply as one piece of bytes.
package struct ShortReply {
    package let status: Int
    /// Head and content.
    package let bytes: [UInt8]
    package let reply: SentReply
}

extension RequestHead {
    fileprivate func staysOpen(
        _ persistence: Reply.Persistence, endsConnection: Bool, saysKeepAlive: Bool
    ) -> Bool {
        switch persistence {
        case .usual: !endsConnection && keepsConnection && (version != .http10 || saysKeepAlive)
        case .keep: true
        case .close: false
        }
    }
}

extension LaidOutReply.Step {
    fileprivate var isEnd: Bool { if case .end = self { true } else { false } }

    fileprivate var isContent: Bool { if case .content = self { true } else { false } }

    fileprivate var isRead: Bool {
        switch self {
        case .content(.bytes, _), .section, .effect, .end: false
        case .content: true
        }
    }

    /// Content in memory, as a whole; nil for anything else.
    fileprivate var bytes: [UInt8]? {
        guard case .content(.bytes(let bytes), let range) = self, range == bytes.indices else { return nil }
        return bytes
    }
}

/// Collects steps; neighbouring bytes become one step.
struct StepList {
    private var steps: [LaidOutReply.Step] = []
    private var pending: [UInt8] = []
    /// Bytes of the reply so far, without those of effects.
    private(set) var byteCount = 0
    /// Finds the fixture's cuts that depend on the bytes.
    var cuts: CutFinder?

    /// Larger pieces are not copied together.
    private static let mergeLimit = 256 << 10

    init(cuts: CutFinder? = nil) {
        self.cuts = cuts
    }

    mutating func send(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        byteCount += bytes.count
        if pending.count + bytes.count > Self.mergeLimit { flush() }
        pending.append(contentsOf: bytes)
    }

    mutating func add(_ piece: ContentPiece) {
        if case .bytes(let bytes) = piece.source { return send(bytes[piece.range]) }
        guard !piece.range.isEmpty else { return }
        byteCount += piece.range.count
        append(.content(piece.source, piece.range))
    }

    mutating func section(_ section: StreamSection) { append(.section(section)) }

    /// Ends a reply in sections.
    mutating func endStream() { append(.end) }

    mutating func effect(_ action: Effect.Action, at position: String) { append(.effect(action, at: position)) }

    mutating func allSteps() -> [LaidOutReply.Step] {
        flush()
        return steps
    }

    private mutating func append(_ step: LaidOutReply.Step) {
        flush()
        steps.append(step)
    }

    private mutating func flush() {
        guard !pending.isEmpty else { return }
        steps.append(.bytes(pending))
        pending = []
    }
}
