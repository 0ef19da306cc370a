/// The codings of all Transfer-Encoding lines, in order (RFC 9112 §6.1).
struct TransferCodings: Sendable {
    /// Of the first Transfer-Encoding line.
    let line: Int
    private var count = 0
    private var chunkedCount = 0
    private var lastIsChunked = false
    private var other: (offset: Int, name: [UInt8])?
    private var last: (offset: Int, name: [UInt8]) = (0, [])

    init(line: Int) { self.line = line }

    mutating func take(
        _ value: Span<UInt8>, _ place: FieldValue, findings: inout Findings
    ) throws(Violation) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            let offset = place.offset(of: element)
            guard !element.isEmpty else {
                if !value.isEmpty { findings.note(.emptyListElement, at: offset, value.excerpt(0..<value.count)) }
                continue
            }
            var nameEnd = element.lowerBound
            while nameEnd < element.upperBound, value[nameEnd].isTokenByte { nameEnd += 1 }
            var rest = nameEnd
            while rest < element.upperBound, value[rest].isBlank { rest += 1 }
            let name = value.extracting(element.lowerBound..<nameEnd)
            let isChunked = name.equalsIgnoringCase("chunked")
            // `chunked` has no parameters and their presence SHOULD be treated as an error (RFC 9112 §7.1).
            guard !name.isEmpty, rest == element.upperBound || value[rest] == UInt8(ascii: ";") && !isChunked else {
                throw findings.fatal(.badTransferEncoding, at: offset, value.excerpt(element))
            }
            count += 1
            lastIsChunked = isChunked
            last = (offset, name.excerpt(0..<name.count))
            if isChunked {
                chunkedCount += 1
            } else {
                other = other ?? last
            }
        }
    }

    /// Throws unless the codings are `chunked` and nothing else.
    ///
    /// A last coding other than `chunked` MUST be answered with 400 (RFC 9112 §6.3), which goes before the 501 that a
    /// coding we do not know SHOULD get (§6.1).
    func check(_ findings: Findings) throws(Violation) {
        guard count > 0 else { throw findings.fatal(.badTransferEncoding, at: line) }
        guard lastIsChunked else { throw findings.fatal(.chunkedNotFinal, at: last.offset, last.name) }
        guard chunkedCount == 1 else { throw findings.fatal(.chunkedTwice, at: last.offset, last.name) }
        if let other { throw findings.fatal(.unsupportedTransferCoding, at: other.offset, other.name) }
    }
}
