import ProctorBase

/// The three words of a request line, as ranges into the head.
struct RequestLine: Sendable, Equatable {
    var methodRange: Range<Int>
    var targetRange: Range<Int>
    var version: HTTPVersion
    var form: TargetForm
    var method: Method
    var end: Int

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

    /// Reads the usual form of the line in one pass; nil means that `init(careful:)`, which gives the same result, must
    /// read it.
    private static func plain(_ head: Span<UInt8>, end: Int, limits: RequestLimits) -> RequestLine? {
        // `HTTP/1.1` CR LF, a space before it, and before that at least `M /`.
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
    /// Reads the line that ends before `end`; adds to `findings` the violations that it accepts.
    init(_ head: Span<UInt8>, end: Int, limits: RequestLimits, findings: inout Findings) throws(Violation) {
        if let plain = Self.plain(head, end: end, limits: limits) {
            self = plain
        } else {
            try self.init(careful: head, end: end, limits: limits, findings: &findings)
        }
    }

    /// Reads word by word.
    ///
    /// Any whitespace except a bare CR may precede, separate and follow the words (RFC 9112 §3): whitespace inside the
    /// target is refused, so there is one reading. A bare CR is refused, since some readers end a line there.
    init(careful head: Span<UInt8>, end: Int, limits: RequestLimits, findings: inout Findings) throws(Violation) {
        let lineEnd = try StartLine.endOfContent(head, end: end, findings: &findings)

        var index = 0
        StartLine.skipBlanks(head, &index, before: lineEnd)
        if index > 0 { findings.report(.requestLineWhitespace, at: 0, head.excerpt(0..<index)) }
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
        // From the end: the version is the last word, if it looks like a version.
        var last = lineEnd
        while last > targetStart, head[last - 1].isStartLineBlank { last -= 1 }
        guard last > targetStart else { throw findings.fatal(.missingTarget, at: lineEnd, head.excerpt(0..<lineEnd)) }
        if last < lineEnd { findings.report(.requestLineWhitespace, at: last, head.excerpt(last..<lineEnd)) }
        var versionStart = last
        while versionStart > targetStart, !head[versionStart - 1].isStartLineBlank { versionStart -= 1 }

        let looksLikeVersion =
            last - versionStart >= 5 && head.extracting(versionStart..<versionStart + 5).equalsIgnoringCase("http/")
        if versionStart == targetStart {
            guard !looksLikeVersion else {
                throw findings.fatal(.missingTarget, at: targetStart, head.excerpt(0..<last))
            }
            // A request without a version, if accepted, may still have fields.
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

/// The grammar of request-targets (RFC 9112 §3.2).
enum RequestTarget {
    /// Finds the form of the target; reports or throws illegal bytes.
    ///
    /// A reader with `acceptsAnything` reads a target without a form as origin-form.
    static func form(
        _ head: Span<UInt8>, _ range: Range<Int>, method: RequestLine.Method, findings: inout Findings
    ) throws(Violation) -> TargetForm {
        let target = head.extracting(range)
        if let control = range.first(where: { head[$0].isControl }) {
            try findings.judge(.controlInTarget, at: control, target.excerpt(0..<target.count))
        }
        if method == .connect {
            try checkConnect(target, at: range.lowerBound, &findings)
            return .authority
        }
        if target[0] == UInt8(ascii: "/") {
            checkCharacters(head, range, findings: &findings)
            return .origin
        }
        if target.equals("*") {
            // Only OPTIONS gives it a meaning; no other reading exists, so it is accepted.
            if method != .options { findings.report(.asteriskWithoutOptions, at: range.lowerBound) }
            return .asterisk
        }
        return try checkAbsolute(head, range, findings: &findings) ? .absolute : .origin
    }

    /// Checks `host:port`, of which both parts are required; CONNECT to another target MUST be refused (RFC 9110
    /// §9.3.6).
    private static func checkConnect(
        _ target: Span<UInt8>, at start: Int, _ findings: inout Findings
    ) throws(Violation) {
        guard let (host, port) = HostSyntax.split(target), !host.isEmpty, let port,
            let number = HostSyntax.port(target.extracting(port)), number > 0
        else { return try findings.judge(.badConnectTarget, at: start, target.excerpt(0..<target.count)) }
    }

    /// False for a target that is no absolute-form but is accepted.
    private static func checkAbsolute(
        _ head: Span<UInt8>, _ range: Range<Int>, findings: inout Findings
    ) throws(Violation) -> Bool {
        let target = head.extracting(range)
        let start = range.lowerBound
        let parts = URIReference.split(target)
        // `host:80` is also a URI with the scheme `host`; only digits after the colon show that a port is meant.
        guard let scheme = parts.scheme,
            parts.authority != nil || parts.path.contains(where: { !target[$0].isASCIIDigit })
        else {
            try findings.judge(.badTarget, at: start, target.excerpt(0..<target.count))
            checkCharacters(head, range, findings: &findings)
            return false
        }

        let name = target.extracting(scheme)
        let isHTTP = name.equalsIgnoringCase("http") || name.equalsIgnoringCase("https")
        let hostStart = start + (parts.host?.lowerBound ?? scheme.upperBound + 1)
        if isHTTP, parts.host?.isEmpty ?? true {
            try findings.judge(.emptyHostInTarget, at: hostStart, target.excerpt(0..<target.count))
        }
        if let authority = parts.authority {
            let hostAndPort = (parts.host?.lowerBound ?? authority.lowerBound)..<authority.upperBound
            if HostSyntax.split(target.extracting(hostAndPort)) == nil {
                try findings.judge(.badAuthorityInTarget, at: hostStart, target.excerpt(hostAndPort))
            }
            if let userinfo = parts.userinfo {
                findings.report(.userinfoInTarget, at: start + userinfo.lowerBound, target.excerpt(userinfo))
                checkCharacters(head, start + userinfo.lowerBound..<start + userinfo.upperBound, findings: &findings)
            }
        }
        checkCharacters(head, start + parts.path.lowerBound..<range.upperBound, findings: &findings)
        return true
    }

    /// Reports the first byte of each illegal kind apart from whitespace and controls, so that a thousand raw letters
    /// give one finding.
    ///
    /// The bytes stay in the target: none of them separates words, so there is one reading.
    private static func checkCharacters(_ head: Span<UInt8>, _ range: Range<Int>, findings: inout Findings) {
        var isASCII = true
        var isLegal = true
        var isEscaped = true
        var hasFragment = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = head[index]
            if byte == UInt8(ascii: "%") {
                if isEscaped, !HostSyntax.isEscape(head.extracting(index..<range.upperBound), at: 0) {
                    isEscaped = false
                    findings.report(
                        .badPercentEscape, at: index, head.excerpt(index..<min(index + 3, range.upperBound)))
                }
            } else if byte >= 0x80 {
                if isASCII {
                    var end = index
                    while end < range.upperBound, head[end] >= 0x80 { end += 1 }
                    findings.report(.nonASCIIInTarget, at: index, head.excerpt(index..<end))
                }
                isASCII = false
            } else if byte == UInt8(ascii: "#"), !hasFragment {
                hasFragment = true
                findings.report(.fragmentInTarget, at: index, head.excerpt(index..<range.upperBound))
            } else if !byte.isPathOrQueryByte, isLegal, !byte.isStartLineBlank, !byte.isControl {
                isLegal = false
                findings.report(.illegalCharacterInTarget, at: index, [byte])
            }
            index += 1
        }
    }
}

/// The four ways to write a request-target (RFC 9112 §3.2).
@usableFromInline package enum TargetForm: UInt8, Sendable {
    /// `/path?query`, to the origin itself.
    case origin
    /// A whole URI, as sent to a proxy; an origin server must accept it too.
    case absolute
    /// `host:port`, for CONNECT only.
    case authority
    /// `*`, for OPTIONS about the server as a whole.
    case asterisk

    // Inlinable, since other modules also compare forms several times for each request.
    @inlinable package static func == (left: TargetForm, right: TargetForm) -> Bool {
        left.rawValue == right.rawValue
    }
}
