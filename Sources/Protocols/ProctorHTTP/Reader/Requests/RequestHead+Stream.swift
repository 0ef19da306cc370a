import ProctorBase

/// A request of HTTP/2, in the form in which an intermediary forwards it over HTTP/1.1 (RFC 9113 §8.3.1).
extension RequestHead {
    /// The contents of HEADERS apart from the fields.
    package struct ControlData: Sendable {
        /// The value of `:method`, any received bytes.
        package var method: [UInt8]
        /// The value of `:path`; nil for CONNECT without `:protocol`, which has only an authority (§8.5).
        package var path: [UInt8]?
        package var authority: [UInt8]?
        /// The value of `:protocol`; nil for requests other than an extended CONNECT (RFC 8441 §4).
        package var protocolName: [UInt8]?
        /// Whether HEADERS had END_STREAM, so that there is no content.
        package var endsStream: Bool
        /// The value of all Content-Length fields; nil if there is none, or if they differ.
        package var contentLength: Int?
        /// The identifier of the stream.
        package var stream: UInt32?
        /// The version of the protocol: HTTP/2 or HTTP/3.
        package var version: HTTPVersion

        package init(
            method: [UInt8], path: [UInt8]?, authority: [UInt8]?, protocolName: [UInt8]? = nil, endsStream: Bool,
            contentLength: Int?, stream: UInt32? = nil, version: HTTPVersion = .http2
        ) {
            (self.version, self.protocolName, self.stream, self.method) = (version, protocolName, stream, method)
            (self.path, self.authority, self.endsStream) = (path, authority, endsStream)
            self.contentLength = contentLength
        }
    }

    /// The head of a stream: `:authority` becomes its first field, Host, and the Cookie fields become one (§8.2.3).
    ///
    /// Findings concern the target and values that do not match the grammar of their field; the HTTP/2 code checks the rest of
    /// the fields. `fields` are without pseudo-header fields.
    package init(_ control: ControlData, fields: [(name: [UInt8], value: [UInt8])]) {
        let isConnect = control.path == nil
        let target = control.path ?? control.authority ?? []
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            control.method.count + target.count + 64
                + fields.reduce(0) { $0 + $1.name.count + $1.value.count + 4 })
        bytes += control.method
        bytes.append(.space)
        bytes += target
        bytes += (control.version == .http3 ? " HTTP/3\r\n" : " HTTP/2\r\n").utf8
        let methodRange = 0..<control.method.count
        let targetRange = methodRange.upperBound + 1..<methodRange.upperBound + 1 + target.count

        var entries: [FieldSection.Entry] = []
        entries.reserveCapacity(fields.count + 1)
        func add(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
            let start = bytes.count
            ReplyWriter.fieldLine(name: name, value: value, into: &bytes)
            entries.append(
                FieldSection.Entry(
                    start: start, nameEnd: start + name.count, value: start + name.count + 2..<bytes.count - 2,
                    lineEnd: bytes.count - 2))
        }
        if let authority = control.authority { add("host".utf8, authority) }
        let cookies = fields.filter { $0.name.span.equals("cookie") }.map(\.value)
        var hasCookies = false
        var expectsContinue = false
        for field in fields {
            let name = field.name.span
            if name.equals("host"), control.authority != nil { continue }
            if name.equals("cookie"), cookies.count > 1 {
                if !hasCookies { add(field.name, Array(cookies.joined(separator: "; ".utf8))) }
                hasCookies = true
                continue
            }
            if name.equals("expect"), field.value.span.equalsIgnoringCase("100-continue") { expectsContinue = true }
            add(field.name, field.value)
        }
        ReplyWriter.lineEnd(into: &bytes)

        let hostByteCount =
            control.authority?.count ?? fields.first { $0.name.span.equals("host") }?.value.count ?? 0
        let framing: BodyFraming =
            control.endsStream ? .none : control.contentLength.map { .length($0) } ?? .frames
        var findings = Findings(of: .request, acceptsAnything: true)
        let form = Self.form(of: bytes, targetRange, isConnect: isConnect, method: methodRange, &findings)
        Self.readValues(of: entries, in: bytes, &findings)
        self.init(
            fields: FieldSection(bytes: bytes, unfolded: [], entries: entries), method: methodRange,
            target: target, form: form, framing: framing, expectsContinue: expectsContinue && !control.endsStream,
            violations: findings.removeAll(), hostByteCount: hostByteCount, version: control.version,
            stream: control.stream, protocolName: control.protocolName)
    }

    /// The form of the target; `bytes` are those of a head with any target.
    private static func form(
        of bytes: [UInt8], _ target: Range<Int>, isConnect: Bool, method: Range<Int>, _ findings: inout Findings
    ) -> TargetForm {
        guard !target.isEmpty else { return isConnect ? .authority : .origin }
        let head = bytes.span
        // With `:protocol` a CONNECT has a path as any other request does (RFC 8441 §4).
        let named = RequestLine.Method(head.extracting(method))
        let read: RequestLine.Method = isConnect ? .connect : named == .connect ? .other : named
        return (try? RequestTarget.form(head, target, method: read, findings: &findings)) ?? .origin
    }

    /// Reports values that do not match the grammar of their field; TE is what HTTP/2 has a rule of its own about (§8.2.2).
    private static func readValues(
        of entries: [FieldSection.Entry], in bytes: [UInt8], _ findings: inout Findings
    ) {
        let head = bytes.span
        var seen = SeenFields()
        for entry in entries {
            let name = head.extracting(entry.name)
            guard let field = RequestField(name), field != .te else { continue }
            seen.readField(
                field, name: name, value: head.extracting(entry.value), line: entry.raw.lowerBound,
                start: entry.value.lowerBound, findings: &findings)
        }
    }
}
