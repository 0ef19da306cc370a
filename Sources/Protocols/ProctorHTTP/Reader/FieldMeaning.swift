import ProctorBase

struct FieldMeaning: Sendable {
    private(set) var contentLength: ContentLengthField?
    private(set) var transferCodings: TransferCodings?
    private(set) var options = ConnectionOptions()
    private(set) var upgrade: Int?
    private var seenSingletons: UInt32 = 0
    private var seenFields = SeenFields()

    /// Reads one known field; the caller reads fields that only requests or only replies have.
    mutating func readField(
        _ field: KnownField, _ place: FieldValue, value: Span<UInt8>, lengthLimit: Int, findings: inout Findings
    ) throws(Violation) {
        switch field {
        case .contentLength:
            var length = contentLength ?? ContentLengthField()
            try length.readValue(value, place, limit: lengthLimit, findings: &findings)
            contentLength = length
        case .transferEncoding:
            var codings = transferCodings ?? TransferCodings(line: place.line)
            try codings.readValue(value, place, findings: &findings)
            transferCodings = codings
        case .connection: options.readValue(value, place, findings: &findings)
        case .upgrade: upgrade = upgrade ?? place.line
        case .singleton(let bit):
            if seenSingletons & bit != 0 {
                findings.report(.duplicateField, at: place.line, value.excerpt(0..<value.count))
            }
            seenSingletons |= bit
        case .structured(let type):
            if !type.isValid(value) {
                findings.report(.badStructuredField, at: place.value, value.excerpt(0..<value.count))
            }
        case .host, .te, .expect, .valued: break
        }
    }

    /// Reads a field of a request whose value has a grammar of its own.
    mutating func readValue(
        _ field: RequestField, _ place: FieldValue, name: Span<UInt8>, value: Span<UInt8>, findings: inout Findings
    ) {
        seenFields.readField(
            field, name: name, value: value, line: place.line, start: place.value, findings: &findings)
    }

    /// Reports an Upgrade that Connection does not name.
    func checkUpgrade(_ findings: inout Findings) {
        if let upgrade, !options.upgrade { findings.report(.upgradeWithoutConnection, at: upgrade) }
    }

    /// The meaning of version and Connection; close has precedence over keep-alive (RFC 9112 §9.3).
    func keepsConnection(_ version: HTTPVersion) -> Bool {
        !options.close && (version.hasHTTP11Semantics || options.keepAlive)
    }
}

struct FieldValue {
    let entry: FieldSection.Entry

    init(_ entry: FieldSection.Entry) { self.entry = entry }

    var line: Int { entry.raw.lowerBound }

    /// The offset of the value; for a value that was unfolded, the offset of its line.
    var value: Int { entry.isUnfolded ? line : entry.value.lowerBound }

    func offset(of element: Range<Int>) -> Int { entry.isUnfolded ? line : value + element.lowerBound }
}

/// The single length that all Content-Length lines agree on (RFC 9110 §8.6).
struct ContentLengthField: Sendable {
    private(set) var length: Int?
    private(set) var line = 0
    /// Whether a malformed or a second length was accepted.
    private(set) var isUnclear = false

    /// Reads one line's value, which may be a list of equal numbers.
    ///
    /// Equal repetitions count as one (§8.6); different ones MUST be refused (RFC 9112 §6.3).
    mutating func readValue(
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
            findings.report(.duplicateContentLength, at: place.offset(of: element), value.excerpt(element))
        }
    }

    /// nil for a number too large for Int.
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

/// The codings of all Transfer-Encoding lines, in order (RFC 9112 §6.1).
struct TransferCodings: Sendable {
    let line: Int
    private var count = 0
    private var chunkedCount = 0
    private var lastIsChunked = false
    private var isIdentity = true
    private var other: (offset: Int, name: [UInt8])?
    /// Whether all codings are `chunked` or those of RFC 9112 §7.2 that callers often decode.
    ///
    /// `identity` is not one of them: it is no longer registered (§7.3).
    private var isCommon = true
    private var last: (offset: Int, name: [UInt8]) = (0, [])

    init(line: Int) { self.line = line }

    mutating func readValue(_ value: Span<UInt8>, _ place: FieldValue, findings: inout Findings) throws(Violation) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            let offset = place.offset(of: element)
            guard !element.isEmpty else {
                if !value.isEmpty { findings.report(.emptyListElement, at: offset, value.excerpt(0..<value.count)) }
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
                // The first coding that is not `identity` is reported.
                other = last
                isIdentity = name.equalsIgnoringCase("identity")
            }
            isCommon =
                isCommon
                && (isChunked || name.equalsIgnoringCase("gzip") || name.equalsIgnoringCase("x-gzip")
                    || name.equalsIgnoringCase("deflate"))
        }
    }

    /// Whether the codings are `chunked` alone; false if they have no effect and give no end.
    ///
    /// Another last coding in a request MUST be answered with 400 (RFC 9112 §6.3), which has precedence over the 501
    /// for an unknown coding (§6.1). A reply is read until close (§6.3), but only with `identity`, which old servers
    /// still send. Other codings are refused, since the caller would get coded bytes as content, unless it decodes gzip
    /// and deflate (`areUndone`).
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

/// The connection options of all Connection lines (RFC 9110 §7.6.1) that this server uses.
struct ConnectionOptions: Sendable {
    private(set) var close = false
    private(set) var keepAlive = false
    private(set) var te = false
    private(set) var upgrade = false

    mutating func readValue(_ value: Span<UInt8>, _ place: FieldValue, findings: inout Findings) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            let option = value.extracting(element)
            switch option.count {
            case 0: findings.report(.emptyListElement, at: place.offset(of: element), value.excerpt(0..<value.count))
            case 5 where option.equalsIgnoringCase("close"): close = true
            case 10 where option.equalsIgnoringCase("keep-alive"): keepAlive = true
            case 2 where option.equalsIgnoringCase("te"): te = true
            case 7 where option.equalsIgnoringCase("upgrade"): upgrade = true
            default:
                if !ListElements.isToken(option) {
                    // An option that is no token has no meaning.
                    findings.report(.badConnectionOption, at: place.offset(of: element), value.excerpt(element))
                }
            }
        }
    }
}

struct ListElements {
    private var index = 0
    private var isFinished = false

    /// The next element without whitespace around it; also empty ones between commas.
    mutating func next(in value: Span<UInt8>) -> Range<Int>? {
        guard !isFinished else { return nil }
        let start = index
        var isQuoted = false
        while index < value.count, isQuoted || value[index] != UInt8(ascii: ",") {
            if value[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted, value[index] == UInt8(ascii: "\\"), index + 1 < value.count { index += 1 }
            index += 1
        }
        let element = Self.trimmed(value, start..<index)
        isFinished = index == value.count
        index += 1
        return element
    }

    private static func trimmed(_ value: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, value[start].isBlank { start += 1 }
        while end > start, value[end - 1].isBlank { end -= 1 }
        return start..<end
    }

    static func isToken(_ bytes: Span<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.indices.allSatisfy { bytes[$0].isTokenByte }
    }
}
