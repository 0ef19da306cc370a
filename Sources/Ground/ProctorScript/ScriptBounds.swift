/// The resources that one call of a script may use; the error of a script that reaches a bound names it.
package struct ScriptBounds: Sendable, Equatable {
    /// Lua instructions, and those that library functions count for their work.
    package var instructionCount = 20_000_000
    /// Instructions behind which others have their turn, where the script may pause.
    package var stretchCount = 1_000_000
    /// The most instructions at a stretch where it can't: in a condition, a library, a coroutine of its own, and in a function
    /// that a function of C calls.
    package var wholeStretchCount = 10_000_000
    /// The processor time of a script, without its waits.
    package var duration = Duration.seconds(1)
    /// The memory of all scripts of a run on one loop.
    package var memoryByteCount = 32 << 20
    /// The bytes that one call allocates in total, freed or not.
    package var allocatedByteCount = 512 << 20
    /// The levels of nested tables in an answer and in JSON.
    package var depth = 64
    /// The number of values in an answer and in JSON.
    package var valueCount = 200_000
    /// The most members of one table without its list part.
    package static let memberCount = 32_768
    /// The longest text of a script.
    package var sourceByteCount = 1 << 20

    package init() {}
}

/// A bound that a script has reached.
package enum ScriptBound: Sendable, Equatable {
    case instructions, stretch, time, memory, allocations, members
}

extension ScriptBounds {
    /// The sentence of the error: `the script ran more than 20000000 instructions`.
    func sentence(_ bound: ScriptBound) -> String {
        switch bound {
        case .instructions: "the script runs more than \(instructionCount) instructions"
        case .stretch:
            "the script runs more than \(wholeStretchCount) instructions at a stretch, where it can't let others have their turn"
        case .time: "the script computes longer than \(duration)"
        case .memory: "the scripts of the run keep more than \(memoryByteCount) bytes"
        case .members: "a table of the script has more than \(Self.memberCount) members beside its list 1, 2, 3 …"
        case .allocations: "the script allocates more than \(allocatedByteCount) bytes"
        }
    }
}
