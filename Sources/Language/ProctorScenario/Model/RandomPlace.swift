package import ProctorBase

/// The place for which a random number is drawn; at different places, one request gets different numbers.
package struct RandomPlace: Sendable, Hashable {
    /// The purpose in the highest byte, then the line and the column of the fixture, or an index.
    package let number: UInt64

    package enum Purpose: UInt8, Sendable {
        /// For `{{random A-B}}` and `{{uuid}}`.
        case text = 1
        /// For `wait A-B` and `wait lognormal`; an effect of a connection uses the connection's number in place of the request's.
        case wait = 2
        /// For `choose:` among replies.
        case reply = 3
        case script = 4
    }

    /// Makes the number from a place in a fixture: `purpose` × 2⁵⁶ + line × 2²⁴ + column, each from 1.
    package init(_ purpose: Purpose, at location: SourceLocation) {
        let line = UInt64(truncatingIfNeeded: location.line) & 0xFFFF_FFFF
        let column = UInt64(truncatingIfNeeded: location.column) & 0xFF_FFFF
        number = UInt64(purpose.rawValue) << 56 | line << 24 | column
    }

    /// Makes the number for a place without a line: `purpose` × 2⁵⁶ + index.
    package init(_ purpose: Purpose, index: Int) {
        number = UInt64(purpose.rawValue) << 56 | UInt64(truncatingIfNeeded: index) & 0xFF_FFFF_FFFF_FFFF
    }
}
