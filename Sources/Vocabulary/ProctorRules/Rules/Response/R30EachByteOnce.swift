import ProctorEvents

struct R30EachByteOnce: RuleMonitor {
    static let interests: EventNameSet = [.response, .data]

    /// The byte count of the content; 0 when it is unknown or coded.
    private var expected = 0
    private var received = 0
    private var isIdentity = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        if event.name == .response {
            received = 0
            let coding = event.facts.text(.coding)
            isIdentity = coding == "identity"
            expected = coding == nil || isIdentity ? event.facts.integer(.expectedLength) ?? 0 : 0
            return nil
        }
        guard let count = event.facts.integer(.bytes) else { return nil }
        guard count > 0 else { return Breach("data has \(count) bytes; empty chunks are not sent", isInferred: true) }
        let before = received
        received = Self.sum(before, count)
        guard expected > 0, received > expected else { return nil }
        return Breach(
            "\(before) + \(count) bytes came of an entity of \(expected); each byte comes once", isInferred: !isIdentity
        )
    }

    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? .max : sum
    }
}
