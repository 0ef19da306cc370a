import ProctorBase

/// The one length that all Content-Length lines agree on (RFC 9110 §8.6).
struct ContentLengthField: Sendable {
    private(set) var length: Int?
    private(set) var line = 0
    /// What is no length, or a second one, was read over.
    private(set) var isUnclear = false

    /// Takes one line's value, which may itself be a list of equal numbers.
    ///
    /// Equal repetitions are read as one, as §8.6 allows; what differs MUST be refused (RFC 9112 §6.3).
    mutating func take(
        _ value: Span<UInt8>, _ place: FieldValue, limit: Int, findings: inout Findings
    ) throws(Violation) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            let number = value.extracting(element)
            guard !number.isEmpty, number.indices.allSatisfy({ number[$0].isASCIIDigit }) else {
                try findings.judge(.badContentLength, at: place.value, value.excerpt(0..<value.count))
                isUnclear = true
                return
            }
            guard let new = Self.number(number), new <= limit else {
                throw findings.fatal(.contentTooLarge, at: place.value, value.excerpt(element), bound: limit)
            }
            guard let length else {
                length = new
                line = place.line
                continue
            }
            guard new == length else {
                try findings.judge(
                    .differingContentLengths, at: place.offset(of: element), value.excerpt(element), bound: length)
                isUnclear = true
                return
            }
            findings.note(.duplicateContentLength, at: place.offset(of: element), value.excerpt(element))
        }
    }

    /// Nil for what an Int cannot hold.
    private static func number(_ digits: Span<UInt8>) -> Int? {
        var number = 0
        for index in digits.indices {
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(digits[index] & 0x0F))
            if overflow || carry { return nil }
            number = sum
        }
        return number
    }
}
