internal import ProctorHTTP
import ProctorJournal
internal import ProctorScenario

/// A reply as an ordered list of steps for the socket.
final class ReplyPlan: Sendable {
    var steps: [Step] { whole.map { [.send($0.bytes)] } ?? parts }
    /// nil for raw bytes and for effects alone.
    let status: Int?
    /// The reply says, or its framing needs, that the connection ends after it.
    let endsConnection: Bool
    /// The reply says to an HTTP/1.0 client that the connection stays open.
    let saysKeepAlive: Bool
    /// The tunnel that the connection becomes behind it, where it answers CONNECT; nil: none.
    let tunnel: Tunnel?
    /// nil: as few writes as the system permits, without pace.
    let schedule: WriteSchedule?
    /// The cookies of its head; nil: none.
    let setCookies: SetCookies?
    /// What is sent and expected after it, where the connection is no longer HTTP; nil where the fixture has no
    /// script.
    let opaque: [OpaqueStep]?
    /// The journal's events, in order; shared by all requests with this plan.
    var begun: [BegunReply] { whole.map { [BegunReply(offset: 0, $0.reply)] } ?? announced }
    /// The fixture's word on the connection, which overrides request and reply.
    let persistence: Reply.Persistence
    /// A plan that is one final reply and nothing else; nil for any other plan.
    let whole: Whole?
    /// A plan for a stream that is one final reply with content in memory and nothing else; nil for any other plan.
    let message: StreamMessage?
    /// Whether it is field sections and content of a stream alone, without effects, a pace or a tunnel.
    let isOfContent: Bool
    /// Of a reply on a stream, by the number of the frame.
    let beforeFrames: [PendingEffects.BeforeFrame]
    // Empty where the plan is one reply.
    private let parts: [Step]
    private let announced: [BegunReply]

    /// A reply that is sent as one piece of bytes.
    struct Whole: Sendable {
        let status: Int
        let bytes: [UInt8]
        let reply: SentReply

        /// The same of a reply that has no Connection field.
        func staysOpen(answering head: RequestHead, _ persistence: Reply.Persistence) -> Bool {
            switch persistence {
            case .usual: staysUsually(open: head, saysKeepAlive: false)
            case .keep: true
            case .close: false
            }
        }
    }

    /// The plan of a reply that has no Connection field.
    init(_ whole: Whole, persistence: Reply.Persistence) {
        self.whole = whole
        status = whole.status
        self.persistence = persistence
        endsConnection = false
        saysKeepAlive = false
        tunnel = nil
        schedule = nil
        setCookies = nil
        opaque = nil
        message = nil
        isOfContent = false
        beforeFrames = []
        parts = []
        announced = []
    }

    init(
        steps: [Step], status: Int? = nil, endsConnection: Bool = false, saysKeepAlive: Bool = false,
        tunnel: Tunnel? = nil, schedule: WriteSchedule? = nil, setCookies: SetCookies? = nil, begun: [BegunReply] = [],
        opaque: [OpaqueStep]?, persistence: Reply.Persistence, beforeFrames: [PendingEffects.BeforeFrame] = []
    ) {
        self.status = status
        self.endsConnection = endsConnection
        self.saysKeepAlive = saysKeepAlive
        self.tunnel = tunnel
        self.schedule = schedule
        self.setCookies = setCookies
        self.opaque = opaque
        self.persistence = persistence
        self.beforeFrames = beforeFrames
        let isPlain = beforeFrames.isEmpty && schedule == nil && setCookies == nil && opaque == nil && tunnel == nil
        if isPlain, steps.count == 1, case .send(let bytes) = steps[0],
            begun.count == 1, begun[0].offset == 0, let status, status >= 200
        {
            whole = Whole(status: status, bytes: bytes, reply: begun[0].reply)
            message = nil
            isOfContent = false
            parts = []
            announced = []
        } else {
            whole = nil
            message = isPlain ? StreamMessage(steps) : nil
            isOfContent = isPlain && steps.areOfContent
            parts = steps
            announced = begun
        }
    }

    struct SetCookies: Sendable {
        let values: [[UInt8]]
        /// Bytes sent, with those of effects, when the head is complete.
        let headEnd: Int
    }

    /// Whether the connection stays open for another request (RFC 9112 §9.3), unless the server stops.
    func staysOpen(answering head: RequestHead) -> Bool {
        switch persistence {
        case .usual: !endsConnection && Self.staysUsually(open: head, saysKeepAlive: saysKeepAlive)
        case .keep: true
        case .close: false
        }
    }

    private static func staysUsually(open head: RequestHead, saysKeepAlive: Bool) -> Bool {
        head.keepsConnection && (head.version != .http10 || saysKeepAlive)
    }

    /// Whether the fixture writes a 100 (Continue) itself.
    var continuesRequest: Bool { begun.contains { $0.reply.status == 100 } }

    /// Whether another protocol follows: after 101, and after 2xx to CONNECT (RFC 9112 §6.3).
    func leavesHTTP(answering head: RequestHead) -> Bool {
        guard let status = begun.last?.reply.status else { return false }
        return status == 101 || head.form == .authority && 200...299 ~= status
    }

    /// The same on a stream of HTTP/2, which has no 101 (RFC 9113 §8.5, §8.6, RFC 8441 §5).
    func opensTunnel(answering head: RequestHead) -> Bool {
        head.asksForTunnel && status.map { 200...299 ~= $0 } ?? false
    }

    /// For a stream of HTTP/2, bytes and streams are content.
    enum Step: Sendable {
        case send([UInt8])
        case stream(ContentSource, Range<Int>)
        case effect(Effect.Action, at: String)
        /// Of a stream alone.
        case section(StreamSection)
        /// The end of a stream whose last section does not end it.
        case end
    }
}

/// Collects steps; neighbouring bytes become one step.
struct StepList {
    private(set) var steps: [ReplyPlan.Step] = []
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

    mutating func stream(_ source: ContentSource, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        flush()
        byteCount += range.count
        steps.append(.stream(source, range))
    }

    mutating func section(_ section: StreamSection) {
        flush()
        steps.append(.section(section))
    }

    /// Ends a stream.
    mutating func end() {
        flush()
        steps.append(.end)
    }

    mutating func effect(_ action: Effect.Action, at position: String) {
        flush()
        steps.append(.effect(action, at: position))
    }

    mutating func flush() {
        guard !pending.isEmpty else { return }
        steps.append(.send(pending))
        pending = []
    }
}

/// The meaning of a reply's Connection fields (RFC 9110 §7.6.1).
struct ConnectionField {
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false

    init(_ values: some Sequence<[UInt8]>) {
        for value in values {
            let field = HTTPField(name: "Connection", bytes: value)
            if field.lists("close") { saysClose = true }
            if field.lists("keep-alive") { saysKeepAlive = true }
        }
    }
}
