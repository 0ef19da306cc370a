import ProctorBase

/// The three words of a request line, as ranges into the head.
struct RequestLine: Sendable, Equatable {
    var methodRange: Range<Int>
    var targetRange: Range<Int>
    var version: HTTPVersion
    var form: TargetForm
    var method: Method
    /// The offset behind the line end.
    var end: Int

    /// The methods that have a say in what a request may look like.
    enum Method: Sendable {
        case connect, options, trace, other

        init(_ name: Span<UInt8>) {
            switch name.count {
            case 5 where name.equals("TRACE"): self = .trace
            case 7 where name.equals("CONNECT"): self = .connect
            case 7 where name.equals("OPTIONS"): self = .options
            default: self = .other
            }
        }
    }

    /// Reads the line that ends before `end`; `findings` take what can be read over.
    init(
        _ head: Span<UInt8>, end: Int, limits: RequestLimits, findings: inout Findings
    ) throws(Violation) {
        if let plain = Self.plain(head, end: end, limits: limits) {
            self = plain
        } else {
            try self.init(careful: head, end: end, limits: limits, findings: &findings)
        }
    }

    private init(
        methodRange: Range<Int>, targetRange: Range<Int>, version: HTTPVersion, form: TargetForm, method: Method,
        end: Int
    ) {
        self.methodRange = methodRange
        self.targetRange = targetRange
        self.version = version
        self.form = form
        self.method = method
        self.end = end
    }

    /// The usual line, in one pass; nil leaves a line to the careful way, which reads the usual one alike.
    private static func plain(_ head: Span<UInt8>, end: Int, limits: RequestLimits) -> RequestLine? {
        // `HTTP/1.1` CR LF, a space before it, and at least `M /` before that.
        let versionStart = end - 10
        guard versionStart >= 4, head[end - 2] == .carriageReturn, head[versionStart - 1] == .space,
            head.extracting(versionStart..<versionStart + 7).equals("HTTP/1."), head[versionStart + 7].isASCIIDigit
        else { return nil }
        var index = 0
        while head[index].isTokenByte { index += 1 }
        let methodEnd = index
        guard methodEnd > 0, methodEnd <= limits.methodByteCount, head[index] == .space,
            head[index + 1] == UInt8(ascii: "/")
        else { return nil }
        index += 2
        while head[index].isPathOrQueryByte { index += 1 }
        guard index == versionStart - 1, index - methodEnd - 1 <= limits.targetByteCount else { return nil }
        let method = Method(head.extracting(0..<methodEnd))
        if method == .connect { return nil }
        return RequestLine(
            methodRange: 0..<methodEnd, targetRange: methodEnd + 1..<index,
            version: HTTPVersion(major: 1, minor: Int(head[versionStart + 7] & 0x0F)), form: .origin, method: method,
            end: end)
    }
}

extension RequestLine {
    /// Word by word.
    ///
    /// Words may be parted, led and followed by any whitespace but a bare CR, as RFC 9112 §3 allows: it leaves one
    /// reading, since whitespace inside the target is refused. CR is left out because some readers end a line at it.
    init(
        careful head: Span<UInt8>, end: Int, limits: RequestLimits, findings: inout Findings
    ) throws(Violation) {
        let lineEnd = try StartLine.endOfContent(head, end: end, findings: &findings)

        var index = 0
        StartLine.skipBlanks(head, &index, before: lineEnd)
        if index > 0 { findings.note(.requestLineWhitespace, at: 0, head.excerpt(0..<index)) }
        let methodStart = index
        while index < lineEnd, head[index].isTokenByte { index += 1 }
        if index == methodStart || index < lineEnd && !head[index].isStartLineBlank {
            let wordEnd = StartLine.endOfWord(head, methodStart, before: lineEnd)
            let word = head.excerpt(methodStart..<wordEnd)
            guard wordEnd > methodStart else { throw findings.fatal(.badMethod, at: index, word) }
            try findings.judge(.badMethod, at: index, word)
            index = wordEnd
        }
        methodRange = methodStart..<index
        guard methodRange.count <= limits.methodByteCount else {
            throw findings.fatal(
                .methodTooLong, at: methodStart + limits.methodByteCount, head.excerpt(methodRange),
                bound: limits.methodByteCount)
        }
        method = Method(head.extracting(methodRange))

        let targetStart = StartLine.separator(
            head, index, before: lineEnd, kind: .requestLineWhitespace, findings: &findings)
        // From the back: the version is the last word, if it looks like one.
        var last = lineEnd
        while last > targetStart, head[last - 1].isStartLineBlank { last -= 1 }
        guard last > targetStart else { throw findings.fatal(.missingTarget, at: lineEnd, head.excerpt(0..<lineEnd)) }
        if last < lineEnd { findings.note(.requestLineWhitespace, at: last, head.excerpt(last..<lineEnd)) }
        var versionStart = last
        while versionStart > targetStart, !head[versionStart - 1].isStartLineBlank { versionStart -= 1 }

        let looksLikeVersion =
            last - versionStart >= 5 && head.extracting(versionStart..<versionStart + 5).equalsIgnoringCase("http/")
        if versionStart == targetStart {
            guard !looksLikeVersion else {
                throw findings.fatal(.missingTarget, at: targetStart, head.excerpt(0..<last))
            }
            // Read over, it is the oldest request there is, whose fields count if there are any.
            try findings.judge(.missingVersion, at: last, head.excerpt(0..<last))
            targetRange = targetStart..<last
            version = .http10
        } else {
            var targetEnd = versionStart
            while head[targetEnd - 1].isStartLineBlank { targetEnd -= 1 }
            if let blank = (targetStart..<targetEnd).first(where: { head[$0].isStartLineBlank }) {
                try findings.judge(.spaceInTarget, at: blank, head.excerpt(targetStart..<last))
            }
            _ = StartLine.separator(head, targetEnd, before: lineEnd, kind: .requestLineWhitespace, findings: &findings)
            targetRange = targetStart..<targetEnd
            version = try HTTPVersion(head, versionStart..<last, findings: &findings)
        }
        if version.major != 1 {
            let word = head.excerpt(versionStart..<last)
            guard version.major != 2 || !head.extracting(methodRange).equals("PRI") else {
                throw findings.fatal(.http2Preface, at: versionStart, word)
            }
            try findings.judge(.unsupportedVersion, at: versionStart, word)
        }
        guard targetRange.count <= limits.targetByteCount else {
            throw findings.fatal(
                .targetTooLong, at: targetStart + limits.targetByteCount, [], bound: limits.targetByteCount)
        }
        form = try RequestTarget.form(head, targetRange, method: method, findings: &findings)
        self.end = end
    }
}
