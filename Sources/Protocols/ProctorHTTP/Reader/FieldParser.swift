import ProctorBase

struct FieldParser {
    private(set) var entries: [FieldSection.Entry] = []
    private(set) var unfolded: [UInt8] = []

    init(lineCount: Int) { entries.reserveCapacity(lineCount) }

    /// Reads a complete section, from `start` to the LF of its empty line, which is the last byte.
    mutating func parse(_ bytes: Span<UInt8>, from start: Int, findings: inout Findings) throws(Violation) {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == .lineFeed {
                findings.report(.bareLF, at: index)
                return
            }
            if byte == .carriageReturn, index + 1 < bytes.count, bytes[index + 1] == .lineFeed { return }
            if byte.isBlank {
                Self.skipStrayLine(bytes, &index, findings: &findings)
            } else {
                try parseLine(bytes, &index, findings: &findings)
            }
        }
    }

    /// Skips a line that begins with whitespace and continues no field.
    ///
    /// RFC 9112 §2.2 permits to refuse the message or to skip such lines; they are skipped, and stay in the head's
    /// bytes for the journal.
    private static func skipStrayLine(_ bytes: Span<UInt8>, _ index: inout Int, findings: inout Findings) {
        let start = index
        while index < bytes.count, bytes[index] != .lineFeed { index += 1 }
        findings.report(.whitespaceBeforeFirstField, at: start, bytes.excerpt(start..<index))
        index += 1
    }

    private mutating func parseLine(
        _ bytes: Span<UInt8>, _ index: inout Int, findings: inout Findings
    ) throws(Violation) {
        let start = index
        while bytes[index].isTokenByte { index += 1 }
        var nameEnd = index
        if bytes[index] != UInt8(ascii: ":") || index == start {
            guard let ends = try Self.colon(bytes, lineStart: start, findings: &findings) else {
                // The line stays in the head's bytes but is no field.
                while bytes[index] != .lineFeed { index += 1 }
                index += 1
                return
            }
            (nameEnd, index) = ends
        }
        index += 1
        var value = try Self.parseValue(bytes, &index, findings: &findings)
        guard index < bytes.count, bytes[index].isBlank else {
            entries.append(
                FieldSection.Entry(start: start, nameEnd: nameEnd, value: value.range, lineEnd: value.lineEnd))
            return
        }

        // obs-fold: RFC 9112 §5.2 requires to refuse it or to replace it by spaces. It is replaced: every recipient
        // that accepts folded lines reads the value so.
        let joinedStart = unfolded.count
        unfolded.append(bytes.extracting(value.range))
        while index < bytes.count, bytes[index].isBlank {
            let fold = index
            value = try Self.parseValue(bytes, &index, findings: &findings)
            findings.report(.obsFold, at: fold, bytes.excerpt(fold..<value.lineEnd))
            guard !value.range.isEmpty else { continue }
            if unfolded.count > joinedStart { unfolded.append(.space) }
            unfolded.append(bytes.extracting(value.range))
        }
        entries.append(
            FieldSection.Entry(
                start: start, nameEnd: nameEnd, value: joinedStart..<unfolded.count, lineEnd: value.lineEnd,
                isUnfolded: true))
    }

    /// The value on one line: from `index` to the line end, without whitespace around it.
    private static func parseValue(
        _ bytes: Span<UInt8>, _ index: inout Int, findings: inout Findings
    ) throws(Violation) -> (range: Range<Int>, lineEnd: Int) {
        while bytes[index].isBlank { index += 1 }
        let start = index
        var isClean = true
        var isReadable = true
        while true {
            // Most values have no control characters: they are skipped eight bytes at a time.
            while index <= bytes.count &- 8 {
                let count = ByteWords.countWithoutControls(ByteWords.load(bytes, at: index))
                index += count
                if count < 8 { break }
            }
            let byte = bytes[index]
            if byte >= 0x20 && byte != 0x7F || byte == .tab {
                index += 1
                continue
            }
            if byte == .lineFeed {
                findings.report(.bareLF, at: index)
                break
            }
            if byte == .carriageReturn {
                if bytes[index + 1] == .lineFeed { break }
            }
            if byte == .carriageReturn || byte == 0 {
                // RFC 9112 §2.2 permits to read a bare CR as a space. It is refused, since some recipients end the line
                // there. If it or NUL is accepted, the value keeps the byte; one finding for each line.
                if isReadable {
                    try findings.judge(
                        byte == 0 ? .nulInFieldValue : .bareCR, at: index, bytes.excerpt(start..<index + 1))
                }
                isReadable = false
                index += 1
                continue
            }
            // Other controls may stay in the value (RFC 9110 §5.5); one finding for each line.
            if isClean { findings.report(.controlInFieldValue, at: index, [byte]) }
            isClean = false
            index += 1
        }
        let lineEnd = index
        index += bytes[lineEnd] == .carriageReturn ? 2 : 1
        var end = lineEnd
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        return (start..<end, lineEnd)
    }

    /// Finds the colon of a line whose name is no token; nil if there is no name or no colon, and the line is skipped.
    ///
    /// Characters that only the token grammar forbids are accepted. Whitespace and controls are not: recipients differ
    /// on where a name with them ends, which permits request smuggling. Whitespace before the colon of a reply is
    /// accepted, since a proxy MUST remove it (RFC 9112 §5.1).
    private static func colon(
        _ bytes: Span<UInt8>, lineStart: Int, findings: inout Findings
    ) throws(Violation) -> (nameEnd: Int, colon: Int)? {
        var lineEnd = lineStart
        while bytes[lineEnd] != .lineFeed { lineEnd += 1 }
        if lineEnd > lineStart, bytes[lineEnd - 1] == .carriageReturn { lineEnd -= 1 }
        let line = bytes.excerpt(lineStart..<lineEnd)
        guard let colon = (lineStart..<lineEnd).first(where: { bytes[$0] == UInt8(ascii: ":") }) else {
            if let bare = (lineStart..<lineEnd).first(where: { bytes[$0] == .carriageReturn }) {
                try findings.judge(.bareCR, at: bare, line)
            }
            try findings.judge(.missingColon, at: lineStart, line)
            return nil
        }
        guard colon > lineStart else {
            try findings.judge(.emptyFieldName, at: lineStart, line)
            return nil
        }
        if let bare = (lineStart..<colon).first(where: { bytes[$0] == .carriageReturn }) {
            try findings.judge(.bareCR, at: bare, line)
        }
        var nameEnd = colon
        while nameEnd > lineStart, bytes[nameEnd - 1].isBlank { nameEnd -= 1 }
        if let bad = (lineStart..<nameEnd).first(where: { bytes[$0].isBlank || bytes[$0].isControl }) {
            try findings.judge(.badFieldName, at: bad, line)
        }
        if nameEnd < colon { try findings.judge(.spaceBeforeColon, at: nameEnd, line) }
        // Whitespace and controls were reported above.
        if let illegal = (lineStart..<nameEnd).first(where: {
            !bytes[$0].isTokenByte && !bytes[$0].isBlank && !bytes[$0].isControl
        }) {
            findings.report(.illegalCharacterInFieldName, at: illegal, bytes.excerpt(lineStart..<nameEnd))
        }
        return (nameEnd, colon)
    }
}
