package import ProctorBase

/// A departure of a token from SPNEGO or from its encoding, or of a message of the stub mechanism from its form.
package typealias SPNEGOViolation = MessageViolation<SPNEGOViolationKind>

/// The names are stable for ever.
package enum SPNEGOViolationKind: String, MessageViolationKind {
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

    package static let table = ContainedTable<Self, MessageViolationRow>("spnego-violations") {
        MessageViolationRow($0)
    }
}
