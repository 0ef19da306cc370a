/// A departure of a message from MS-NLMP.
package struct NTLMViolation: Error, Sendable, Hashable {
    package let kind: Kind
    /// Bytes from the first one of the message.
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
        case badSignature = "bad-signature"
        case unknownType = "unknown-type"
        case incomplete
        case fieldOutside = "field-outside"
        case fieldInHeader = "field-in-header"
        case fieldsOverlap = "fields-overlap"
        case oddText = "odd-text"
        case badText = "bad-text"
        case noEncoding = "no-encoding"
        case noNTLM = "no-ntlm"
        case reservedFlag = "reserved-flag"
        case reservedNotZero = "reserved-not-zero"
        case badPair = "bad-pair"
        case repeatedPair = "repeated-pair"
        case badResponse = "bad-response"
    }

    /// Whether the rest of the message can't be read.
    package var isFatal: Bool {
        switch kind {
        case .tooLong, .badSignature, .unknownType, .incomplete, .fieldOutside: true
        case .fieldInHeader, .fieldsOverlap, .oddText, .badText, .noEncoding, .noNTLM, .reservedFlag, .reservedNotZero,
            .badPair, .repeatedPair, .badResponse:
            false
        }
    }

    package var section: String {
        switch kind {
        case .tooLong: "MS-NLMP §2.2"
        case .badSignature, .unknownType, .incomplete, .fieldOutside, .fieldInHeader, .fieldsOverlap, .reservedNotZero:
            "MS-NLMP §2.2.1"
        case .oddText, .badText, .noEncoding, .noNTLM, .reservedFlag: "MS-NLMP §2.2.2.5"
        case .badPair, .repeatedPair: "MS-NLMP §2.2.2.1"
        case .badResponse: "MS-NLMP §2.2.2.7"
        }
    }
}
