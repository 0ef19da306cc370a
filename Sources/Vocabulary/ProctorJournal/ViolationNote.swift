package import ProctorBase

/// A departure of the client from the documents of a protocol.
package struct ViolationNote: Sendable, Equatable {
    /// `bad-version`; the names are stable for ever.
    package let kind: String
    /// Bytes from the first one of the message or of the connection.
    package let offset: Int
    package let section: String
    /// What is wrong, for a person.
    package let sentence: String

    package init<Kind>(_ violation: MessageViolation<Kind>) {
        self.init(
            kind: violation.kind.rawValue, offset: violation.offset, section: violation.section,
            sentence: violation.sentence)
    }

    init(kind: String, offset: Int, section: String, sentence: String) {
        (self.kind, self.offset, self.section, self.sentence) = (kind, offset, section, sentence)
    }
}

extension ViolationNote: CustomStringConvertible {
    /// `bad-version at byte 0: … (RFC 1928 §3)`.
    package var description: String { "\(kind) at byte \(offset): \(sentence) (\(section))" }
}
