package import ProctorBase

/// A departure of a message from the documents of DNS.
package typealias DNSViolation = MessageViolation<DNSViolationKind>

/// The names are stable for ever.
package enum DNSViolationKind: String, MessageViolationKind {
    case headerCut = "header-cut"
    case cut
    case badLabel = "bad-label"
    case badPointer = "bad-pointer"
    case nameTooLong = "name-too-long"
    case tooManyRecords = "too-many-records"
    case badData = "bad-data"
    case parametersOutOfOrder = "parameters-out-of-order"
    case reservedNotZero = "reserved-not-zero"
    case trailingBytes = "trailing-bytes"

    // Of questions.
    case notAQuery = "not-a-query"
    case badOpcode = "bad-opcode"
    case badQuestionCount = "bad-question-count"
    case badClass = "bad-class"

    package static let table = ContainedTable<Self, MessageViolationRow>("dns-violations") {
        MessageViolationRow($0, limits: ["name limit": DNSName.mostBytes, "record limit": DNSReader.mostRecords])
    }
}
