package import ProctorBase

/// What a violation in frames of HTTP/2 or HTTP/3 ends.
package enum ViolationScope: String, Sendable, CaseIterable {
    /// The receiver continues as if nothing were wrong.
    case none
    /// A stream error: the receiver resets the stream (RFC 9113 §5.4.2), or asks to stop sending on it (RFC 9114 §8).
    case stream
    /// A connection error: the receiver ends the connection, by GOAWAY (RFC 9113 §5.4.1) or by closing it (RFC 9114 §8).
    case connection
}

/// What the specification of HTTP/2 or HTTP/3 says of one kind of violation, with the code of the answer.
package struct StreamViolationRow<Code: NamedNumber>: Sendable {
    package let section: String
    package let code: Code
    /// If a kind can be a stream error or a connection error, the code that finds it decides.
    package let scope: ViolationScope
    package let sentence: String

    package init(_ cells: TableCells) {
        section = cells["section"]
        code = cells.value("code") { Code(named: $0) }
        scope = cells.value("ends", ViolationScope.init)
        sentence = cells["sentence"]
    }
}

/// The kinds of violations of HTTP/2 or of HTTP/3, each with its row.
package protocol StreamViolationKind: ContainedTableKind {
    associatedtype Code: NamedNumber
    static var table: ContainedTable<Self, StreamViolationRow<Code>> { get }
}

extension StreamViolationKind {
    package var row: StreamViolationRow<Code> { Self.table[self] }

    /// The kind of a fault in a field section, which both protocols name as it is named there.
    package init(_ fault: FieldSectionFault.Kind) {
        guard let kind = Self(rawValue: fault.rawValue) else {
            preconditionFailure("\(Self.self) has no violation of the name \(fault.rawValue)")
        }
        self = kind
    }
}
