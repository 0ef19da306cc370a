package import ProctorBase

/// One thing in which a value departs from its schema.
package struct SchemaFault: Sendable, Equatable {
    /// The JSON pointer (RFC 6901) of the value; empty for the whole document.
    package let pointer: String
    /// The JSON pointer of the keyword in the schema's document: `/properties/a/type`.
    package let schemaPointer: String
    /// Where the keyword stands.
    package let location: SourceLocation
    /// What was wanted and what came: `wanted a number, got "x"`.
    package let sentence: String

    package init(pointer: String, schemaPointer: String, location: SourceLocation, sentence: String) {
        (self.pointer, self.schemaPointer, self.location, self.sentence) = (pointer, schemaPointer, location, sentence)
    }

    /// For a person: `/a/0: wanted a number, got "x" (order.yaml:12:7 #/properties/a/items/type)`.
    package var description: String {
        let place = pointer.isEmpty ? "" : EscapedText.escape(pointer.utf8) + ": "
        return "\(place)\(sentence) (\(location) #\(EscapedText.escape(schemaPointer.utf8)))"
    }
}

/// What became of one validation.
package enum SchemaVerdict: Sendable, Equatable {
    case valid
    /// At least one fault; the text says that there may be others beyond the bound.
    case invalid([SchemaFault], more: String?)
    /// A bound was reached; the sentence names it and the place in the schema.
    case undecided(String)

    package var isValid: Bool { self == .valid }

    /// One line for each fault, and one for those that are only counted.
    package var sentences: [String] {
        switch self {
        case .valid: []
        case .invalid(let faults, let more): faults.map(\.description) + (more.map { [$0] } ?? [])
        case .undecided(let sentence): [sentence]
        }
    }
}
