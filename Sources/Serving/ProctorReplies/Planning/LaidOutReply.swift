package import ProctorHTTP
internal import ProctorHTTP2
package import ProctorJournal
package import ProctorScenario
package import ProctorWebSocket

/// A reply as an ordered list of steps for a wire.
package final class LaidOutReply: Sendable {
    package var steps: [Step] {
        guard parts.isEmpty, let short else { return parts }
        return [.bytes(short.bytes)]
    }
    /// The journal's events for bytes, in order; shared by all requests with this reply.
    package var begun: [BegunReply] {
        guard parts.isEmpty, let short else { return announced }
        return [BegunReply(offset: 0, short.reply)]
    }
    package let traits: Traits
    /// Set where it is one final reply in memory and nothing else.
    package let short: ShortReply?
    /// The section before the content of a short reply that has sections.
    package let head: StreamSection?
    /// Whether it is field sections and content alone, without effects, a pace or a tunnel.
    package let isOfContent: Bool
    // Empty where the reply is one piece of bytes.
    private let parts: [Step]
    private let announced: [BegunReply]

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
        package var handshakeViolations: [HandshakeViolation] = []
        /// The fixture's word on the connection, which overrides request and reply.
        var persistence = Reply.Persistence.usual
        /// By the number of the frame.
        package var beforeFrames: [PendingEffects.BeforeFrame] = []

        package init(
            status: Int? = nil, opaque: [OpaqueStep]? = nil, persistence: Reply.Persistence = .usual
        ) {
            self.status = status
            self.opaque = opaque
            self.persistence = persistence
        }

        /// nil where none is opened.
        package var webSocket: WebSocketScript? {
            if case .webSocket(let script)? = opaque?.first { script } else { nil }
        }

        /// Whether nothing but the steps is played.
        fileprivate var arePlain: Bool {
            beforeFrames.isEmpty && schedule == nil && setCookies == nil && opaque == nil && tunnel == nil
                && handshakeViolations.isEmpty
        }
    }

    package enum Step: Sendable {
        /// A field section; a layout of bytes has none.
        case section(StreamSection)
        /// Content; in a layout of bytes also heads and framing.
        case content(ContentSource, Range<Int>)
        case effect(Effect.Action, at: String)
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
        self.short = short
        traits = Traits(status: short.status, persistence: persistence)
        (head, isOfContent, parts, announced) = (nil, false, [], [])
    }

    /// `isToConnect`: bytes are never sent as a short reply, since the connection may become another.
    package init(_ steps: [Step], begun: [BegunReply] = [], isToConnect: Bool = false, _ traits: Traits = Traits()) {
        self.traits = traits
        let isPlain = traits.arePlain
        if isPlain, !isToConnect, steps.count == 1, let bytes = steps[0].bytes, begun.count == 1,
            begun[0].offset == 0, let status = traits.status, status >= 200
        {
            short = ShortReply(status: status, bytes: bytes, reply: begun[0].reply)
            (head, isOfContent, parts, announced) = (nil, false, [], [])
        } else {
            let found = isPlain ? ShortReply.inSections(steps) : nil
            (short, head) = (found?.short, found?.head)
            isOfContent = isPlain && steps.areOfContent
            (parts, announced) = (steps, begun)
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
            traits.persistence, endsConnection: traits.endsConnection, saysKeepAlive: traits.saysKeepAlive,
            status: traits.status)
    }

    /// Whether the fixture writes a 100 (Continue) itself.
    package var continuesRequest: Bool { begun.contains { $0.reply.status == 100 } }

    /// The same with bytes behind it, in one write with its last ones.
    package func followed(by bytes: [UInt8]) -> LaidOutReply {
        guard !bytes.isEmpty else { return self }
        var steps = steps
        if let last = steps.last?.bytes {
            steps[steps.count - 1] = .bytes(last + bytes)
        } else {
            steps.append(.bytes(bytes))
        }
        return LaidOutReply(steps, begun: begun, traits)
    }

    /// Whether the steps from here on send nothing and cut nothing off.
    package func isWhole(before index: Int) -> Bool {
        steps[index...].allSatisfy { step in
            guard case .effect(let action, _) = step else { return false }
            return action.row.onlyWaits
        }
    }
}

/// A final reply that is sent at once: as one piece of bytes, or as a field section and content.
package struct ShortReply {
    package let status: Int
    /// Head and content, or the content behind a section.
    package let bytes: [UInt8]
    package let reply: SentReply

    /// The same of a reply that has no Connection field.
    package func staysOpen(answering head: RequestHead, _ persistence: Reply.Persistence) -> Bool {
        head.staysOpen(persistence, endsConnection: false, saysKeepAlive: false, status: status)
    }

    /// Nil where the steps are anything else.
    fileprivate static func inSections(_ steps: [LaidOutReply.Step]) -> (short: ShortReply, head: StreamSection)? {
        guard case .section(let head)? = steps.first, head.kind == .response, let reply = head.reply,
            let status = reply.status
        else { return nil }
        switch steps.count {
        case 1 where head.endsStream: return (ShortReply(status: status, bytes: [], reply: reply), head)
        case 3:
            guard let bytes = steps[1].bytes, steps[2].isEnd else { return nil }
            return (ShortReply(status: status, bytes: bytes, reply: reply), head)
        default: return nil
        }
    }
}

extension RequestHead {
    fileprivate func staysOpen(
        _ persistence: Reply.Persistence, endsConnection: Bool, saysKeepAlive: Bool, status: Int?
    ) -> Bool {
        switch persistence {
        case .usual:
            !endsConnection
                && (keepsConnection ? version != .http10 || saysKeepAlive : isHeld(behind: status))
        case .keep: true
        case .close: false
        }
    }
}

extension RequestHead {
    /// Whether the connection of a client that said `close` is held for a bounded time: the reply leads to a further
    /// request by itself.
    ///
    /// A server that says `close` back ends the connection at once (RFC 9112 §9.6). Then it depends on luck whether a
    /// client that wrongly sends its next request here does so before it sees the end.
    private func isHeld(behind status: Int?) -> Bool {
        guard asksToClose, version == .http11, let status else { return false }
        return 300..<400 ~= status && status != 304 || Self.retried.contains(status)
    }

    /// Replies to challenges, and those behind which a client may send the same request again (RFC 9110 §15.5, §15.6.4,
    /// RFC 6585 §4, RFC 8470 §5.2).
    private static let retried: Set = [401, 407, 408, 417, 421, 425, 429, 503]
}

extension LaidOutReply.Step {
    package var isEnd: Bool { if case .end = self { true } else { false } }

    package var isContent: Bool { if case .content = self { true } else { false } }

    /// Content in memory, as a whole; nil for anything else.
    fileprivate var bytes: [UInt8]? {
        guard case .content(.bytes(let bytes), let range) = self, range == bytes.indices else { return nil }
        return bytes
    }
}

extension [LaidOutReply.Step] {
    /// Whether they are a whole reply in sections, without effects.
    fileprivate var areOfContent: Bool {
        guard case .section? = first else { return false }
        return allSatisfy { if case .effect = $0 { false } else { true } }
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
