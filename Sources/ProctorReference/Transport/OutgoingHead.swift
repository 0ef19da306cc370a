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

    /// Refuses what would become other lines, or another message, on the wire.
    ///
    /// A proxy is given the whole URL (RFC 9112 §3.2.2), and only one of `http`: there are no tunnels.
    init(_ request: ClientRequest, _ body: OutgoingBody, toProxy: Bool = false) throws(LoadError) {
        try Self.check(request.method, body)
        guard !toProxy || request.url.origin.scheme == .http else {
            throw LoadError(
                .unsupportedURL,
                "\(request.url.origin) can be reached by a tunnel alone where there is a proxy (RFC 9110 §9.3.6), "
                    + "and this client makes none; use http, or no proxy")
        }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        RequestWriter.requestLine(
            method: request.method.utf8, target: toProxy ? request.url.absoluteTarget : request.url.target,
            into: &buffer)
        RequestWriter.fieldLines([request.url.hostField], into: &buffer)
        var asksToClose = false
        var expectsContinue = false
        for field in request.fields {
            guard field.isSendable else { throw Self.unsendable(field) }
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
        Self.writeFraming(of: request.method, body, into: &buffer)
        RequestWriter.lineEnd(into: &buffer)
        bytes = buffer
        self.asksToClose = asksToClose
        self.expectsContinue = expectsContinue
    }

    private static func check(_ method: String, _ body: OutgoingBody) throws(LoadError) {
        guard RequestWriter.isMethod(method.utf8) else {
            throw LoadError(
                .badURL, "\"\(PrintableText.of(method, limit: 100))\" is no method; expected a token like GET")
        }
        if method == "CONNECT" {
            throw LoadError(
                .unsupportedURL, "CONNECT asks a proxy for a tunnel (RFC 9110 §9.3.6); this client makes none")
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
