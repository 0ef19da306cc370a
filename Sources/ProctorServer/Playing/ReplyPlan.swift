internal import ProctorScenario

/// A reply worked out to what is handed to the socket, in order.
struct ReplyPlan: Sendable {
    let steps: [Step]
    /// nil for raw bytes and for effects alone.
    let status: Int?
    /// The reply itself says, or needs, that the connection ends after it.
    let endsConnection: Bool
    /// Tells an HTTP/1.0 client that the connection stays.
    let saysKeepAlive: Bool
    /// False when something in it is made anew for each request.
    let isReusable: Bool
    /// Our own address stands in it.
    let namesAddresses: Bool

    enum Step: Sendable {
        case send([UInt8])
        /// Part of a source that is not held in memory.
        case stream(ByteSource, Range<Int>)
        case effect(Effect.Action, at: String)
    }
}

/// Collects steps; neighbouring bytes become one.
struct StepList {
    private(set) var steps: [ReplyPlan.Step] = []
    private var pending: [UInt8] = []

    /// Larger pieces are not copied together.
    private static let mergeLimit = 256 << 10

    mutating func send(_ bytes: some Collection<UInt8>) {
        guard !bytes.isEmpty else { return }
        if pending.count + bytes.count > Self.mergeLimit { flush() }
        pending.append(contentsOf: bytes)
    }

    mutating func stream(_ source: ByteSource, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        flush()
        steps.append(.stream(source, range))
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
