internal import ProctorBase
internal import ProctorHTTP

/// The head of a request as it goes on the wire: Host first, then the caller's fields in order, then the framing.
struct OutgoingHead {
    /// Up to the empty line and with it.
    let bytes: [UInt8]
    /// The caller wants no other request on this connection (RFC 9112 §9.6).
    let asksToClose: Bool
    /// The content waits for the server's 100 (RFC 9110 §10.1.1).
    let expectsContinue: Bool

    /// Refuses what would become other lines, or another message, on the wire; CONNECT is for `authority` alone.
    init(
        _ request: ClientRequest, _ body: OutgoingBody, as form: RequestForm = .origin, fault: TransportFault? = nil
    ) throws(LoadError) {
        try Self.check(request.method, body, form)
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        RequestWriter.requestLine(
            method: request.method.utf8, target: Self.target(of: request.url, form, fault), into: &buffer)
        RequestWriter.fieldLines([form.host(of: request.url)], into: &buffer)
        var asksToClose = false
        var expectsContinue = false
        for field in request.fields {
            guard field.isSendable else { throw Self.unsendable(field) }
            if form.leavesOut(field.name), fault != .sendsProxyCredentialInTunnel { continue }
            switch TransportField(field.name) {
            case .ours: continue
            case .connection:
                // Its other options concern this connection, of which the caller knows nothing.
                asksToClose = asksToClose || field.lists("close")
                continue
            case .expect:
                let isContinue = field.lists("100-continue")
                // Without content a client must not expect it.
                if isContinue, body.isEmpty { continue }
                expectsContinue = expectsContinue || isContinue
            case nil: break
            }
            RequestWriter.fieldLine(name: field.name.utf8, value: field.bytes, into: &buffer)
        }
        if asksToClose { RequestWriter.fieldLine(name: "Connection".utf8, value: "close".utf8, into: &buffer) }
        if form.isForProxy, fault == .sendsProxyConnection {
            RequestWriter.fieldLine(name: "Proxy-Connection".utf8, value: "keep-alive".utf8, into: &buffer)
        }
        Self.writeFraming(of: request.method, body, into: &buffer)
        RequestWriter.lineEnd(into: &buffer)
        bytes = buffer
        self.asksToClose = asksToClose
        self.expectsContinue = expectsContinue
    }

    private static func target(of url: ClientURL, _ form: RequestForm, _ fault: TransportFault?) -> [UInt8] {
        switch (fault, form) {
        case (.sendsOriginFormToProxy, .absolute): url.target
        case (.connectsWithoutPort, .authority): Array(url.origin.authority.utf8)
        default: form.target(of: url)
        }
    }

    private static func check(_ method: String, _ body: OutgoingBody, _ form: RequestForm) throws(LoadError) {
        guard RequestWriter.isMethod(method.utf8) else {
            throw LoadError(
                .badURL, "\"\(PrintableText.of(method, limit: 100))\" is no method; expected a token like GET")
        }
        if method == "CONNECT", form != .authority {
            throw LoadError(
                .unsupportedURL,
                "CONNECT asks a proxy for a tunnel (RFC 9110 §9.3.6), which this client does by itself; "
                    + "ask for an https URL, and name the proxy")
        }
        if method == "TRACE", !body.isEmpty {
            throw LoadError(.badURL, "a TRACE request has no content (RFC 9110 §9.3.8); leave the body out")
        }
    }

    private static func writeFraming(of method: String, _ body: OutgoingBody, into buffer: inout [UInt8]) {
        guard let byteCount = body.byteCount else {
            RequestWriter.fieldLine(name: "Transfer-Encoding".utf8, value: "chunked".utf8, into: &buffer)
            return
        }
        // RFC 9110 §8.6: no length where there is no content and the method does not make one expect any.
        guard byteCount > 0 || IdempotentMethods.expectsContent(method) else { return }
        RequestWriter.fieldLine(name: "Content-Length".utf8, value: String(byteCount).utf8, into: &buffer)
    }

    private static func unsendable(_ field: HTTPField) -> LoadError {
        LoadError(
            .badURL,
            "the field \"\(EscapedText.of(field.name.utf8, limit: 100))\" can't be sent with the value "
                + "\"\(EscapedText.of(field.bytes, limit: 100))\"; a name is a token, and a value has no CR, LF or other "
                + "control but a tab")
    }
}
