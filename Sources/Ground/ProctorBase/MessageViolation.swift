/// A departure of a binary message from the documents of its protocol, of which `Fault` has a table.
package struct MessageViolation<Fault: MessageViolationKind>: Error, Sendable, Hashable {
    /// The kinds of this protocol; their names are stable for ever.
    package typealias Kind = Fault

    package let kind: Kind
    /// Bytes from the first one of the message, or from the first one that its end of the connection has sent.
    package let offset: Int
    /// What is wrong, for a person.
    package let sentence: String

    /// The sentence of the table, unless the reader says what came and what was expected.
    package init(_ kind: Kind, at offset: Int, _ sentence: String? = nil) {
        (self.kind, self.offset) = (kind, offset)
        self.sentence = sentence ?? Kind.table[kind].sentence
    }

    /// Whether nothing behind it can be read.
    package var isFatal: Bool { Kind.table[kind].isFatal }

    /// The section of the document, or the document.
    package var section: String { Kind.table[kind].section }
}

extension MessageViolation: CustomStringConvertible {
    /// `cut at byte 12: … (RFC 1035 §4.1.3)`.
    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}

/// The kinds of departures of one protocol, with the table of what its documents say of each.
package protocol MessageViolationKind: RawRepresentable, CaseIterable, Hashable, Sendable where RawValue == String {
    static var table: ContainedTable<Self, MessageViolationRow> { get }
}

/// What the documents of a protocol say of one kind of departure.
package struct MessageViolationRow: Sendable {
    let section: String
    let isFatal: Bool
    let sentence: String

    /// `limits` are the numbers that stand for `{name}` in sentences.
    package init(_ cells: TableCells, limits: [String: Int] = [:]) {
        section = cells["section"]
        isFatal = cells.value("rest") { ["readable": false, "unreadable": true][$0] }
        sentence = limits.reduce(cells.text("sentence") ?? "") { sentence, limit in
            sentence.replacing(text: "{\(limit.key)}", with: "\(limit.value)")
        }
    }
}
