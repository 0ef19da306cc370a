package import ProctorBase

/// What a random number is for; a run's numbers of one request differ by it.
package struct RandomPlace: Sendable, Hashable {
    /// The purpose in the highest byte, then the line and the column of the fixture, or an index.
    package let number: UInt64

    package enum Purpose: UInt8, Sendable {
        /// `{{random A-B}}` and `{{uuid}}`.
        case text = 1
        /// `wait A-B`; of a connection's effect the number of the connection stands for that of the request.
        case wait = 2
        /// `choose:` among replies.
        case reply = 3
        case script = 4
    }

    /// A place in a fixture: `purpose` × 2⁵⁶ + line × 2²⁴ + column, each from 1.
    package init(_ purpose: Purpose, at location: SourceLocation) {
        let line = UInt64(truncatingIfNeeded: location.line) & 0xFFFF_FFFF
        let column = UInt64(truncatingIfNeeded: location.column) & 0xFF_FFFF
        number = UInt64(purpose.rawValue) << 56 | line << 24 | column
    }

    /// A place that has no line: `purpose` × 2⁵⁶ + index.
    package init(_ purpose: Purpose, index: Int) {
        number = UInt64(purpose.rawValue) << 56 | UInt64(truncatingIfNeeded: index) & 0xFF_FFFF_FFFF_FFFF
    }
}
