import ProctorScenario

/// What the processes of a client took of the machine while they carried out one assignment.
package struct ClientSpending: Sendable, Equatable {
    /// The most bytes that one process had in memory (resident pages); nil: no process was looked at in time.
    package var memory: Int?
    /// Bytes that certainly no process had more than, from the start of the first one on; nil: not known.
    package var memoryBound: Int?
    /// Milliseconds of processor time of all processes together, in the program and in the system.
    package var processorMilliseconds: Int

    package init(memory: Int?, memoryBound: Int? = nil, processorMilliseconds: Int) {
        (self.memory, self.memoryBound, self.processorMilliseconds) = (memory, memoryBound, processorMilliseconds)
    }

    /// Adds what the next launch of the same client took.
    package mutating func add(_ next: ClientSpending) {
        memory = [memory, next.memory].compactMap(\.self).max()
        memoryBound = memoryBound.flatMap { first in next.memoryBound.map { max(first, $0) } }
        processorMilliseconds += next.processorMilliseconds
    }

    /// Whether the fact holds in any case, although the client ended before its memory was looked at.
    func isCertain(_ fact: Fact) -> Bool {
        guard memory == nil, let memoryBound, case .spent("memory") = fact.name,
            case .range(nil, let most?) = fact.expected
        else { return false }
        return Double(memoryBound) <= most
    }

    /// The value of a fact; `spending` is nil where nothing was measured.
    static func measure(_ fact: NamedFact, of spending: ClientSpending?) -> Measurement {
        guard let spending else {
            return .notKept(
                "memory and processor time are known of a client alone that proctor exam starts itself, on Linux")
        }
        return rows.first { $0.row.name == fact.row }?.measure(spending) ?? .untold
    }

    /// The facts `client.…`.
    static let rows: [(row: FactRow, measure: @Sendable (ClientSpending) -> Measurement)] = [
        (
            FactRow("memory", "the memory of the client in bytes", .number, subject: .reply),
            { spending in
                spending.memory.map { Measurement($0) }
                    ?? .notKept("the client ended before anybody could look at its memory")
            }
        ),
        (
            FactRow("processor", "the processor time of the client in milliseconds", .number, subject: .reply),
            { Measurement($0.processorMilliseconds) }
        ),
    ]
}
