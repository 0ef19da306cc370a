import ProctorBase

/// What the fields of a request say about the connection and about where the content ends.
struct RequestMeaning {
    private(set) var framing: BodyFraming = .none
    private(set) var keepsAlive = true
    private(set) var expectsContinue = false
    /// Whether the peer said `Connection: close` itself.
    private(set) var asksToClose = false

    private var host: FieldSection.Entry?
    private var fields = FieldMeaning()
    private var te: Int?
    private var expect: Int?
    private var hasContinueExpectation = false

    /// Reads the known fields in order, then weighs them together; throws what makes the request unreadable.
    init(
        _ bytes: Span<UInt8>, line: RequestLine, entries: [FieldSection.Entry], unfolded: Span<UInt8>,
        limits: RequestLimits, findings: inout Findings
    ) throws(Violation) {
        for entry in entries {
            guard let field = KnownField(bytes.extracting(entry.name), of: .request) else { continue }
            let value = entry.isUnfolded ? unfolded.extracting(entry.value) : bytes.extracting(entry.value)
            try take(field, FieldValue(entry), value, limits: limits, findings: &findings)
        }
        try checkHost(bytes, line, unfolded: unfolded, findings: &findings)
        try frame(line, findings: &findings)
        weigh(line, findings: &findings)
        asksToClose = fields.options.close
        keepsAlive = keepsAlive && fields.keepsConnection(line.version)
    }

    private mutating func take(
        _ field: KnownField, _ place: FieldValue, _ value: Span<UInt8>, limits: RequestLimits,
        findings: inout Findings
    ) throws(Violation) {
        switch field {
        case .host:
            // Where it is read over, the first one counts.
            guard host == nil else {
                return try findings.judge(.duplicateHost, at: place.line, value.excerpt(0..<value.count))
            }
            if HostSyntax.split(value) == nil {
                try findings.judge(.badHost, at: place.value, value.excerpt(0..<value.count))
            }
            host = place.entry
        case .te:
            te = te ?? place.line
            noteChunked(in: value, place, &findings)
        case .expect:
            expect = expect ?? place.line
            noteExpectations(in: value, place, &findings)
        case .contentLength, .transferEncoding, .connection, .upgrade, .singleton:
            try fields.take(field, place, value, lengthLimit: limits.bodyByteCount, findings: &findings)
        }
    }

    private func noteChunked(in value: Span<UInt8>, _ place: FieldValue, _ findings: inout Findings) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            if value.extracting(element).equalsIgnoringCase("chunked") {
                findings.note(.chunkedInTE, at: place.offset(of: element), value.excerpt(element))
            }
        }
    }

    private mutating func noteExpectations(in value: Span<UInt8>, _ place: FieldValue, _ findings: inout Findings) {
        var elements = ListElements()
        while let element = elements.next(in: value) {
            if value.extracting(element).equalsIgnoringCase("100-continue") {
                hasContinueExpectation = true
            } else {
                findings.note(.unknownExpectation, at: place.offset(of: element), value.excerpt(element))
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
            // The target then names no authority (RFC 9112 §3.3), which a server of one origin can still answer.
            if value.isEmpty { findings.note(.emptyHost, at: place.line) }
        case .absolute, .authority:
            // An absolute target overrules Host (RFC 9112 §3.2.2), so there is one reading.
            if !HostComparison.matches(bytes.extracting(line.targetRange), form: line.form, host: value) {
                findings.note(.hostDiffersFromTarget, at: place.value, value.excerpt(0..<value.count))
            }
        }
    }

    private mutating func frame(_ line: RequestLine, findings: inout Findings) throws(Violation) {
        if let transferCodings = fields.transferCodings {
            // An HTTP/1.0 message with Transfer-Encoding MUST be treated as badly framed (RFC 9112 §6.1).
            if !line.version.hasHTTP11Semantics {
                try findings.judge(.transferEncodingInHTTP10, at: transferCodings.line)
                keepsAlive = false
            }
            // A request that does not end so has no framing at all: it was thrown, or is read without content.
            guard try transferCodings.endsWithChunked(&findings) else {
                keepsAlive = false
                return
            }
            framing = .chunked
            if let contentLength = fields.contentLength {
                // RFC 9112 §6.1 gives a server the choice: refuse it, or read by Transfer-Encoding alone. It is read,
                // since the precedence is written down and no second reading of ours follows it; the connection MUST be
                // closed after the reply, so what an attacker hides behind it is never taken for a request.
                findings.note(.contentLengthWithTransferEncoding, at: contentLength.line)
                keepsAlive = false
            }
        } else if let contentLength = fields.contentLength {
            guard !contentLength.isUnclear, let length = contentLength.length else {
                // Nobody can say where the content ends: none is read, and no request behind it.
                keepsAlive = false
                return
            }
            framing = .length(length)
        }
    }

    /// What method, framing and connection options say together.
    private mutating func weigh(_ line: RequestLine, findings: inout Findings) {
        let hasContent = framing != .none && framing != .length(0)
        if hasContent {
            let start = fields.transferCodings?.line ?? fields.contentLength?.line ?? 0
            if line.method == .trace { findings.note(.traceWithContent, at: start) }
            if line.method == .connect { findings.note(.connectWithContent, at: start) }
        }
        if let te, !fields.options.te { findings.note(.teWithoutConnection, at: te) }
        fields.checkUpgrade(&findings)
        if let expect, hasContinueExpectation {
            if !hasContent { findings.note(.expectationWithoutContent, at: expect) }
            // In HTTP/1.0 it MUST be ignored (RFC 9110 §10.1.1).
            expectsContinue = hasContent && line.version.hasHTTP11Semantics
        }
    }
}
