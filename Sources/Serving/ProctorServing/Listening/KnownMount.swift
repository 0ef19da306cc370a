internal import ProctorBase
internal import ProctorHTTP
package import ProctorReplies

/// The scenario that a connection asked for last, found again without the lock and the table; on one loop's thread.
package struct KnownMount {
    package let stage: Stage
    private let id: [UInt8]
    /// The generation of the catalogue.
    package let generation: Int
    /// The last target's part behind the id, which many clients repeat; empty where it is too long to keep.
    private var rest: [UInt8] = []

    /// `end` is the end of the scenario's id in the target.
    package init(_ stage: Stage, _ target: Span<UInt8>, end: Int, generation: Int) {
        (self.stage, self.generation) = (stage, generation)
        id = target.extracting(1..<end).array
    }

    /// The target's part behind the id; nil for a target that is not below this scenario.
    package mutating func rest(of target: Span<UInt8>) -> [UInt8]? {
        // No id is a folder of another.
        let id = id
        let end = id.count + 1
        guard target.count > end, target[end] == Self.slash, target[0] == Self.slash,
            id.span.equals(target.extracting(1..<end))
        else { return nil }
        let suffix = target.extracting(end..<target.count)
        let known = rest
        if known.span.equals(suffix) { return known }
        let new = suffix.array
        rest = new.count <= Self.longestRest ? new : []
        return new
    }

    private static let slash = UInt8(ascii: "/")
    /// In bytes, since a connection that waits holds it.
    private static let longestRest = 256
}
