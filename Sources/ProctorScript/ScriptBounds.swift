/// What one call of a script may use; every bound is named in the error of a script that reaches it.
package struct ScriptBounds: Sendable, Equatable {
    /// Instructions of Lua, with those that library functions count for their work.
    package var instructionCount = 20_000_000
    /// The time that a script computes, without its waits.
    package var duration = Duration.seconds(1)
    /// What all scripts of a run keep on one loop.
    package var memoryByteCount = 32 << 20
    /// What one call allocates in all, freed or not.
    package var allocatedByteCount = 512 << 20
    /// Levels of tables in an answer and in JSON.
    package var depth = 64
    /// Values in an answer and in JSON.
    package var valueCount = 200_000
    /// Members of one table beside its list.
    package static let memberCount = 32_768
    /// Of one text of a script.
    package var sourceByteCount = 1 << 20

    package init() {}
}

/// A bound that a script has reached.
package enum ScriptBound: Sendable, Equatable {
    case instructions, time, memory, allocations, members
}

extension ScriptBounds {
    /// The sentence of the error: `the script ran more than 20000000 instructions`.
    func sentence(_ bound: ScriptBound) -> String {
        switch bound {
        case .instructions: "the script runs more than \(instructionCount) instructions"
        case .time: "the script computes longer than \(duration)"
        case .memory: "the scripts of the run keep more than \(memoryByteCount) bytes"
        case .members: "a table of the script has more than \(Self.memberCount) members beside its list 1, 2, 3 …"
        case .allocations: "the script allocates more than \(allocatedByteCount) bytes"
        }
    }
}
