internal import ProctorScenario

/// Collects steps; neighbouring bytes become one.
struct StepList {
    private(set) var steps: [ReplyPlan.Step] = []
    private var pending: [UInt8] = []
    /// Bytes of the reply so far, without those that effects send.
    private(set) var byteCount = 0
    /// Notes where the fixture wants cuts that depend on what is sent.
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
