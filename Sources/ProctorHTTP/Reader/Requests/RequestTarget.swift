import ProctorBase

/// The four forms of a request-target and what each may hold (RFC 9112 §3.2).
enum RequestTarget {
    /// Tells the form, and notes or throws what is wrong with the bytes.
    ///
    /// Where anything is accepted, what has none of the forms counts as origin-form.
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
            // Only OPTIONS gives it a meaning; there is nothing else it could be, so it is read.
            if method != .options { findings.note(.asteriskWithoutOptions, at: range.lowerBound) }
            return .asterisk
        }
        return try checkAbsolute(head, range, findings: &findings) ? .absolute : .origin
    }

    /// `host:port`, both of them; a CONNECT to anything else MUST be refused (RFC 9110 §9.3.6).
    private static func checkConnect(
        _ target: Span<UInt8>, at start: Int, _ findings: inout Findings
    ) throws(Violation) {
        guard let (host, port) = HostSyntax.split(target), !host.isEmpty, let port,
            let number = HostSyntax.port(target.extracting(port)), number > 0
        else { return try findings.judge(.badConnectTarget, at: start, target.excerpt(0..<target.count)) }
    }

    /// False for what is no absolute-form, and is to be read over.
    private static func checkAbsolute(
        _ head: Span<UInt8>, _ range: Range<Int>, findings: inout Findings
    ) throws(Violation) -> Bool {
        let target = head.extracting(range)
        let start = range.lowerBound
        let parts = URIReference.split(target)
        // `host:80` has the grammar of a URI with the scheme `host`; digits alone after the colon give it away.
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
                findings.note(.userinfoInTarget, at: start + userinfo.lowerBound, target.excerpt(userinfo))
                checkCharacters(
                    head, start + userinfo.lowerBound..<start + userinfo.upperBound, findings: &findings)
            }
        }
        checkCharacters(head, start + parts.path.lowerBound..<range.upperBound, findings: &findings)
        return true
    }

    /// Notes the first byte of each wrong kind but whitespace and controls, so that a target of a thousand raw letters is one finding.
    ///
    /// Such bytes are read as they stand: none is a separator of the request line, so there is one reading, and what a client
    /// leaves unescaped is what its author wants to see.
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
                    findings.note(.badPercentEscape, at: index, head.excerpt(index..<min(index + 3, range.upperBound)))
                }
            } else if byte >= 0x80 {
                if isASCII {
                    var end = index
                    while end < range.upperBound, head[end] >= 0x80 { end += 1 }
                    findings.note(.nonASCIIInTarget, at: index, head.excerpt(index..<end))
                }
                isASCII = false
            } else if byte == UInt8(ascii: "#"), !hasFragment {
                hasFragment = true
                findings.note(.fragmentInTarget, at: index, head.excerpt(index..<range.upperBound))
            } else if !byte.isPathOrQueryByte, isLegal, !byte.isStartLineBlank, !byte.isControl {
                isLegal = false
                findings.note(.illegalCharacterInTarget, at: index, [byte])
            }
            index += 1
        }
    }
}

/// The four ways to write a request-target (RFC 9112 §3.2).
public enum TargetForm: Sendable, Hashable {
    /// `/path?query`, to the origin itself.
    case origin
    /// A whole URI, as a proxy is sent; an origin must take it too.
    case absolute
    /// `host:port`, for CONNECT only.
    case authority
    /// `*`, for OPTIONS about the server as a whole.
    case asterisk
}
