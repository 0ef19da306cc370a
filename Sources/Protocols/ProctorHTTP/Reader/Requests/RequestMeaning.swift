import ProctorBase

struct RequestMeaning {
    private(set) var framing: BodyFraming = .none
    private(set) var keepsConnection = true
    private(set) var expectsContinue = false
    /// Whether the peer sent `Connection: close` itself.
    private(set) var asksToClose = false
    /// The length of the first Host field's value; 0 without one.
    private(set) var hostByteCount = 0

    private var host: FieldSection.Entry?
    private var fields = FieldMeaning()
    private var te: Int?
    private var expect: Int?
    private var hasContinueExpectation = false

    /// Reads the known fields in order, then decides the framing; throws what makes the request unreadable.
    ///
    /// `knownHost` is a value of Host that is known to be valid; the function replaces it by that of this request.
    init(
        _ section: FieldSection, line: RequestLine, limits: RequestLimits, knownHost: inout [UInt8],
        findings: inout Findings
    ) throws(Violation) {
        // Copied to local variables first: the optimiser makes no direct span of a stored property.
        let (head, joined) = (section.bytes, section.unfolded)
        let bytes = head.span
        let unfolded = joined.span
        for entry in section.entries {
            guard let field = KnownField(bytes.extracting(entry.name), of: .request) else { continue }
            let value = entry.isUnfolded ? unfolded.extracting(entry.value) : bytes.extracting(entry.value)
            if case .host = field {
                try takeHost(FieldValue(entry), value: value, known: &knownHost, findings: &findings)
            } else if case .valued(let field) = field {
                fields.readValue(
                    field, FieldValue(entry), name: bytes.extracting(entry.name), value: value, findings: &findings)
            } else {
                try readField(field, FieldValue(entry), value: value, limits: limits, findings: &findings)
                if let field = field.alsoValued {
                    fields.readValue(
                        field, FieldValue(entry), name: bytes.extracting(entry.name), value: value, findings: &findings)
                }
            }
        }
        try checkHost(bytes, line, unfolded: unfolded, findings: &findings)
        try frame(line, findings: &findings)
        weigh(line, findings: &findings)
        asksToClose = fields.options.close
        keepsConnection = keepsConnection && fields.keepsConnection(line.version)
    }

    private mutating func takeHost(
        _ place: FieldValue, value: Span<UInt8>, known: inout [UInt8], findings: inout Findings
    ) throws(Violation) {
        // If a second Host is accepted, the first one has the effect.
        guard host == nil else {
            return try findings.judge(.duplicateHost, at: place.line, value.excerpt(0..<value.count))
        }
        host = place.entry
        hostByteCount = value.count
        if known.span.equals(value) { return }
        if HostSyntax.split(value) == nil {
            try findings.judge(.badHost, at: place.value, value.excerpt(0..<value.count))
        } else if value.count <= Self.knownHostByteLimit {
            known = value.array
        }
    }

    /// A longer value is not stored for the next request.
    private static let knownHostByteLimit = 256

    private mutating func readField(
        _ field: KnownField, _ place: FieldValue, value: Span<UInt8>, limits: RequestLimits, findings: inout Findings
    ) throws(Violation) {
        switch field {
        case .host, .valued: break
        case .te:
            te = te ?? place.line
            noteChunked(in: value, place, &findings)
        case .expect:
            expect = expect ?? place.line
            noteExpectations(in: value, place, &findings)
        case .contentLength, .transferEncoding, .connection, .upgrade, .singleton, .structured:
            try fields.readField(field, place, value: value, lengthLimit: limits.bodyByteCount, findings: &findings)
        }
    }

    private func noteChunked(in value: Span<UInt8>, _ place: FieldValue, _ findings: inout Findings) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            if value.extracting(element).equalsIgnoringCase("chunked") {
                findings.report(.chunkedInTE, at: place.offset(of: element), value.excerpt(element))
            }
        }
    }

    private mutating func noteExpectations(in value: Span<UInt8>, _ place: FieldValue, _ findings: inout Findings) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            if value.extracting(element).equalsIgnoringCase("100-continue") {
                hasContinueExpectation = true
            } else {
                findings.report(.unknownExpectation, at: place.offset(of: element), value.excerpt(element))
            }
        }
    }

    private func checkHost(
        _ bytes: Span<UInt8>, _ line: RequestLine, unfolded: Span<UInt8>, findings: inout Findings
    ) throws(Violation) {
        guard let host else {
            guard line.version.hasHTTP11Semantics else { return }
            let isCRLF = bytes.count >= 2 && bytes[bytes.count - 2] == .carriageReturn
            return try findings.judge(.missingHost, at: bytes.count - (isCRLF ? 2 : 1))
        }
        let value = host.isUnfolded ? unfolded.extracting(host.value) : bytes.extracting(host.value)
        let place = FieldValue(host)
        switch line.form {
        case .origin, .asterisk:
            // The target then has no authority (RFC 9112 §3.3); a server of one origin can answer it.
            if value.isEmpty { findings.report(.emptyHost, at: place.line) }
        case .absolute, .authority:
            // An absolute-form target has precedence over Host (RFC 9112 §3.2.2), so there is one reading.
            if !HostComparison.matches(bytes.extracting(line.targetRange), form: line.form, host: value) {
                findings.report(.hostDiffersFromTarget, at: place.value, value.excerpt(0..<value.count))
            }
        }
    }

    private mutating func frame(_ line: RequestLine, findings: inout Findings) throws(Violation) {
        if let transferCodings = fields.transferCodings {
            // An HTTP/1.0 message with Transfer-Encoding MUST be treated as badly framed (RFC 9112 §6.1).
            if !line.version.hasHTTP11Semantics {
                try findings.judge(.transferEncodingInHTTP10, at: transferCodings.line)
                keepsConnection = false
            }
            // Another last coding was thrown above, or the request is read without content.
            guard try transferCodings.endsWithChunked(&findings) else {
                keepsConnection = false
                return
            }
            framing = .chunked
            if let contentLength = fields.contentLength {
                // RFC 9112 §6.1 permits to refuse the request, or to use Transfer-Encoding alone. It is used, and the
                // connection MUST be closed after the reply, so that bytes hidden after it never become a request.
                findings.report(.contentLengthWithTransferEncoding, at: contentLength.line)
                keepsConnection = false
            }
        } else if let contentLength = fields.contentLength {
            guard !contentLength.isUnclear, let length = contentLength.length else {
                // The end of the content is unknown, so neither content nor another request is read.
                keepsConnection = false
                return
            }
            framing = .length(length)
        }
    }

    /// Combines method, framing and connection options.
    private mutating func weigh(_ line: RequestLine, findings: inout Findings) {
        let hasContent = framing != .none && framing != .length(0)
        if hasContent {
            let start = fields.transferCodings?.line ?? fields.contentLength?.line ?? 0
            if line.method == .trace { findings.report(.traceWithContent, at: start) }
            if line.method == .connect { findings.report(.connectWithContent, at: start) }
        }
        if let te, !fields.options.te { findings.report(.teWithoutConnection, at: te) }
        fields.checkUpgrade(&findings)
        if let expect, hasContinueExpectation {
            if !hasContent { findings.report(.expectationWithoutContent, at: expect) }
            // In HTTP/1.0 it MUST be ignored (RFC 9110 §10.1.1).
            expectsContinue = hasContent && line.version.hasHTTP11Semantics
        }
    }
}

/// Whether Host agrees with the request-target (RFC 9112 §3.2); copies nothing.
enum HostComparison {
    /// Ignores the letter case of the host and the scheme's default port; userinfo is not part of Host.
    static func matches(_ target: Span<UInt8>, form: TargetForm, host value: Span<UInt8>) -> Bool {
        guard let (host, port) = HostSyntax.split(value) else { return false }
        let name = value.extracting(host)
        guard form == .absolute else {
            // CONNECT: §3.2.3 shows Host without the target's port, so only a port that Host has can differ.
            guard let (tunnelHost, tunnelPort) = HostSyntax.split(target) else { return false }
            return name.equalsIgnoringCase(target.extracting(tunnelHost))
                && (port?.isEmpty ?? true || number(value, port) == number(target, tunnelPort))
        }
        let parts = URIReference.split(target)
        guard parts.authority != nil else { return value.isEmpty }
        guard let named = parts.host, name.equalsIgnoringCase(target.extracting(named)) else { return false }
        if port == nil, parts.port == nil { return true }
        let ownPort = URIReference.defaultPort(of: target, scheme: parts.scheme)
        // A malformed port is unequal to every other.
        let askedPort = parts.port?.isEmpty ?? true ? ownPort : number(target, parts.port)
        return (number(value, port) ?? ownPort) == askedPort
    }

    private static func number(_ bytes: Span<UInt8>, _ port: Range<Int>?) -> Int? {
        guard let port else { return nil }
        return HostSyntax.port(bytes.extracting(port))
    }
}
