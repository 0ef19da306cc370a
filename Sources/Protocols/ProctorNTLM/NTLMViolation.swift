package import ProctorBase

/// A departure of a message from MS-NLMP.
package typealias NTLMViolation = MessageViolation<NTLMViolationKind>

/// The names are stable for ever.
package enum NTLMViolationKind: String, MessageViolationKind {
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

    package static let table = ContainedTable<Self, MessageViolationRow>("ntlm-violations") { MessageViolationRow($0) }
}
