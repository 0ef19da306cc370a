/// A departure of a message from the documents of DNS.
package struct DNSViolation: Error, Sendable, Hashable, CustomStringConvertible {
    package let kind: Kind
    /// Bytes from the first one of the message.
    package let offset: Int

    package init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// The names are stable for ever.
    package enum Kind: String, Sendable, CaseIterable {
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
    }

    /// Whether the message has no reading.
    package var isFatal: Bool {
        switch kind {
        case .headerCut, .cut, .badLabel, .badPointer, .nameTooLong, .tooManyRecords: true
        case .badData, .parametersOutOfOrder, .reservedNotZero, .trailingBytes, .notAQuery, .badOpcode,
            .badQuestionCount, .badClass:
            false
        }
    }

    package var section: String {
        switch kind {
        case .headerCut, .reservedNotZero, .notAQuery, .badOpcode: "RFC 1035 §4.1.1"
        case .badQuestionCount, .badClass: "RFC 1035 §4.1.2"
        case .cut, .trailingBytes, .tooManyRecords, .badData: "RFC 1035 §4.1.3"
        case .badLabel, .badPointer: "RFC 1035 §4.1.4"
        case .nameTooLong: "RFC 1035 §2.3.4"
        case .parametersOutOfOrder: "RFC 9460 §2.2"
        }
    }

    /// What is wrong, for a person.
    package var sentence: String {
        switch kind {
        case .headerCut: "the message ends within its header, which has 12 bytes"
        case .cut: "the message ends within a question or a record that its header announces"
        case .badLabel: "a label begins with the bits 01 or 10, which are reserved"
        case .badPointer: "a pointer of a compressed name leads to no earlier place of the message"
        case .nameTooLong: "a name has more than \(DNSName.mostBytes) bytes"
        case .tooManyRecords:
            "the header announces more than \(DNSReader.mostRecords) questions and records, which are the most that are "
                + "read"
        case .badData: "the data of a record have another length than its type has"
        case .parametersOutOfOrder: "the keys of an HTTPS record are not in strictly ascending order"
        case .reservedNotZero: "the reserved bit Z of the header is set"
        case .trailingBytes: "bytes follow the last record that the header announces"
        case .notAQuery: "a message to a server has the bit QR of a response"
        case .badOpcode: "the opcode is none of a standard query"
        case .badQuestionCount: "a query has another number of questions than one"
        case .badClass: "the class of the question is not that of the internet"
        }
    }

    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}
