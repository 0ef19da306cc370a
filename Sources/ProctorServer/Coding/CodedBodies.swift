internal import ProctorBase
internal import ProctorCoding

/// The coded contents of a scenario's replies, each made at its first use and given back with the scenario.
///
/// Safe from any thread; requests that need the same one at a time share its preparation.
final class CodedBodies: Sendable {
    private let kept = Locked(Kept())

    private struct Kept {
        var preparations: [Key: Preparation] = [:]
        /// Those that name addresses, the oldest first.
        var bound: [Key] = []
    }

    /// What tells contents apart.
    struct Key: Hashable {
        let reply: Int
        let variant: Int
        /// What its text was bound to; empty where it names no address.
        let addresses: [UInt8]
    }

    /// Clients choose what a mount is called, and every run is called something else: more of these are not kept.
    private static let boundLimit = 32

    deinit {
        for preparation in kept.withLock({ Array($0.preparations.values) }) { preparation.cancel() }
    }

    /// The content of that key, which may still be in the making; one that failed is made again.
    ///
    /// `pieces` are asked for only where it has to be made.
    func preparation(
        _ key: Key, of pieces: @autoclosure () -> [ContentPiece], by steps: [CodingStep], upTo byteLimit: Int
    ) -> Preparation {
        if let found = kept.withLock({ $0.preparations[key] }), !found.isOver { return found }
        let new = Preparation(pieces(), steps, upTo: byteLimit)
        let (found, isNew) = kept.withLock { kept in
            // Another loop may have been faster.
            if let found = kept.preparations[key], !found.isOver { return (found, false) }
            kept.preparations[key] = new
            if !key.addresses.isEmpty { Self.keep(key, in: &kept) }
            return (new, true)
        }
        if isNew { found.start() }
        return found
    }

    private static func keep(_ key: Key, in kept: inout Kept) {
        kept.bound.removeAll { $0 == key }
        kept.bound.append(key)
        // Whoever waits for one that goes has it still.
        if kept.bound.count > boundLimit { kept.preparations[kept.bound.removeFirst()] = nil }
    }
}
