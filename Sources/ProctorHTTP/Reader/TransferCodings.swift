/// The codings of all Transfer-Encoding lines, in order (RFC 9112 §6.1).
struct TransferCodings: Sendable {
    /// Of the first Transfer-Encoding line.
    let line: Int
    private var count = 0
    private var chunkedCount = 0
    private var lastIsChunked = false
    private var isIdentity = true
    private var other: (offset: Int, name: [UInt8])?
    /// All of them are `chunked` or those of RFC 9112 §7.2 that are often undone.
    ///
    /// `identity` is none: the registry (§7.3) has it no more, and only alone does it say how the content is read.
    private var isCommon = true
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
            if name.isEmpty || rest < element.upperBound && (value[rest] != UInt8(ascii: ";") || isChunked) {
                try findings.judge(.badTransferEncoding, at: offset, value.excerpt(element))
            }
            count += 1
            lastIsChunked = isChunked
            last = (offset, name.excerpt(0..<name.count))
            if isChunked {
                chunkedCount += 1
            } else if isIdentity {
                // The first that is not `identity` is named, if there is one.
                other = last
                isIdentity = name.equalsIgnoringCase("identity")
            }
            isCommon =
                isCommon
                && (isChunked || name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip")
                    || name.equalsIgnoringCase("deflate"))
        }
    }

    /// Whether the codings are `chunked` and nothing else; false when they change nothing and say no end either.
    ///
    /// A last coding other than `chunked` in a request MUST be answered with 400 (RFC 9112 §6.3), which goes before the
    /// 501 that a coding we do not know SHOULD get (§6.1). A reply is then to be read until close (§6.3), which helps
    /// only where its bytes are the content: with `identity`, which RFC 2616 had and old servers still send. Any other
    /// coding would hand out coded bytes as the content, so it is refused, unless the caller undoes gzip and deflate.
    func endsWithChunked(areUndone: Bool = false, _ findings: inout Findings) throws(Violation) -> Bool {
        guard count > 0 else {
            try findings.judge(.badTransferEncoding, at: line)
            return false
        }
        if !lastIsChunked { try findings.judge(.chunkedNotFinal, at: last.offset, last.name) }
        if chunkedCount > 1 { try findings.judge(.chunkedTwice, at: last.offset, last.name) }
        if let other, chunkedCount >= 1 || !isIdentity, !(areUndone && isCommon) {
            try findings.judge(.unsupportedTransferCoding, at: other.offset, other.name)
        }
        return lastIsChunked
    }
}
