/// A departure of a token from SPNEGO or from its encoding, or of a message of the stub mechanism from its form.
package struct SPNEGOViolation: Error, Sendable, Hashable {
    package let kind: Kind
    /// Bytes from the first one of the token.
    package let offset: Int
    /// What came and what was expected.
    package let sentence: String

    init(_ kind: Kind, at offset: Int, _ sentence: String) {
        self.kind = kind
        self.offset = offset
        self.sentence = sentence
    }

    /// The names are stable for ever.
    package enum Kind: String, Sendable, CaseIterable {
        case tooLong = "too-long"
        case incomplete
        case unexpectedTag = "unexpected-tag"
        case indefiniteLength = "indefinite-length"
        case lengthOutside = "length-outside"
        case longLength = "long-length"
        case trailingBytes = "trailing-bytes"
        case fieldOrder = "field-order"
        case unknownField = "unknown-field"
        case missingField = "missing-field"
        case tooManyMechanisms = "too-many-mechanisms"
        case badIdentifier = "bad-identifier"
        case badState = "bad-state"
        case badFlags = "bad-flags"
        case badStub = "bad-stub"
    }

    /// Whether the rest of the token can't be read.
    package var isFatal: Bool {
        switch kind {
        case .tooLong, .incomplete, .unexpectedTag, .indefiniteLength, .lengthOutside, .missingField,
            .tooManyMechanisms, .badIdentifier, .badState, .badStub:
            true
        case .longLength, .trailingBytes, .fieldOrder, .unknownField, .badFlags: false
        }
    }

    package var section: String {
        switch kind {
        case .tooLong, .incomplete, .unexpectedTag, .fieldOrder, .unknownField, .missingField, .badState:
            "RFC 4178 §4.2"
        case .indefiniteLength, .lengthOutside, .longLength, .trailingBytes: "RFC 4178 §4.2, X.690 §10.1"
        case .tooManyMechanisms: "RFC 4178 §4.1"
        case .badIdentifier: "RFC 4178 §4.1, X.690 §8.19"
        case .badFlags: "RFC 4178 §4.2.1"
        case .badStub: "Docs/format/credentials.md"
        }
    }
}
