internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The head of a request on the wire: Host first, then the caller's fields in order, then the framing.
struct OutgoingHead {
    /// The bytes, with the empty line.
    let bytes: [UInt8]
    /// Whether the caller asks to close the connection after this request (RFC 9112 §9.6).
    let asksToClose: Bool
    /// Whether the content waits for the server's 100 (RFC 9110 §10.1.1).
    let expectsContinue: Bool

    /// Refuses text that would be another line or message on the wire; CONNECT is permitted only for `authority`.
    ///
    /// `upgrade` has the fields of a WebSocket's opening handshake.
    init(
        _ request: ClientRequest, _ body: OutgoingBody, as form: RequestForm = .origin, upgrade: [HTTPField]? = nil,
        fault: TransportFault? = nil
    ) throws(LoadError) {
        try Self.check(request.method, with: body, as: form)
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        RequestWriter.requestLine(
            method: request.method.utf8, target: Self.target(of: request.url, form, fault), into: &buffer)
        let host = fault?.sendsEveryField == true ? request.fields.first(named: "Host") : nil
        RequestWriter.fieldLines([host ?? form.host(of: request.url)], into: &buffer)
        let sendsFieldsForProxies =
            fault == .wire(.sendsProxyCredentialInTunnel) || fault?.sendsEveryField == true
        var asksToClose = false
        var expectsContinue = false
        for field in request.fields {
            guard field.isSendable else { throw Self.unsendable(field) }
            if upgrade != nil, OpeningHandshake.owns(field.name) { continue }
            if form.leavesOut(field.name), !sendsFieldsForProxies { continue }
            switch TransportField(field.name) {
            case .ours: continue
            case .connection:
                // Other options of Connection are dropped, since the caller does not know this connection.
                asksToClose = asksToClose || field.lists("close")
                continue
            case .expect:
                let isContinue = field.lists("100-continue")
                // A request without content must not have this expectation.
                if isContinue, body.isEmpty { continue }
                expectsContinue = expectsContinue || isContinue
            case nil: break
            }
            RequestWriter.fieldLine(name: field.name.utf8, value: field.bytes, into: &buffer)
        }
        RequestWriter.fieldLines(upgrade ?? [], into: &buffer)
        if asksToClose { RequestWriter.fieldLine(name: "Connection".utf8, value: "close".utf8, into: &buffer) }
        if form.isForProxy, fault == .wire(.sendsProxyConnection) {
            RequestWriter.fieldLine(name: "Proxy-Connection".utf8, value: "keep-alive".utf8, into: &buffer)
        }
        Self.writeFraming(of: request.method, body, into: &buffer)
        RequestWriter.lineEnd(into: &buffer)
        bytes = buffer
        (self.asksToClose, self.expectsContinue) = (asksToClose, expectsContinue)
    }

    private static func target(of url: ClientURL, _ form: RequestForm, _ fault: TransportFault?) -> [UInt8] {
        switch (fault, form) {
        case (.wire(.sendsOriginFormToProxy), .absolute): url.target
        case (.wire(.connectsWithoutPort), .authority): Array(url.origin.authority.utf8)
        default: form.target(of: url)
        }
    }

    private static func check(_ method: String, with body: OutgoingBody, as form: RequestForm) throws(LoadError) {
        guard RequestWriter.isMethod(method.utf8) else {
            throw LoadError(
                .badURL, "\"\(PrintableText.sanitize(method, limit: 100))\" is no method; expected a token like GET")
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
        guard body.byteCount != nil else {
            RequestWriter.fieldLine(name: "Transfer-Encoding".utf8, value: "chunked".utf8, into: &buffer)
            return
        }
        guard let byteCount = statedLength(of: method, body) else { return }
        RequestWriter.fieldLine(name: "Content-Length".utf8, value: String(byteCount).utf8, into: &buffer)
    }

    /// The value of Content-Length; nil: no field, since there is no content and the method usually has none (RFC 9110
    /// §8.6).
    static func statedLength(of method: String, _ body: OutgoingBody) -> Int? {
        guard let byteCount = body.byteCount, byteCount > 0 || RegisteredMethods.expectsContent(method) else {
            return nil
        }
        return byteCount
    }

    private static func unsendable(_ field: HTTPField) -> LoadError {
        LoadError(
            .badURL,
            "the field \"\(EscapedText.escape(field.name.utf8, limit: 100))\" can't be sent with the value "
                + "\"\(EscapedText.escape(field.bytes, limit: 100))\"; a name is a token, and a value has no CR, LF or other "
                + "control but a tab")
    }
}

struct OutgoingBody {
    let source: Source
    /// The length in bytes; nil for a stream of unknown length.
    let byteCount: Int?

    enum Source {
        case none
        case bytes([UInt8])
        case file(SentFile)
        case stream(BodyStream)
    }

    final class SentFile {
        let path: String
        let file: OpenFile

        init(path: String) throws(CallFailure) {
            self.path = path
            file = try OpenFile(path: path)
        }
    }

    /// The fields behind the content, which only content of unknown length has (RFC 9112 §7.1.2).
    private(set) var trailers: [HTTPField] = []

    /// Opens files and streams before a connection is requested, since opening may fail.
    init(_ body: RequestBody) throws(LoadError) {
        switch body {
        case .none:
            source = .none
            byteCount = 0
        case .bytes(let bytes):
            source = bytes.isEmpty ? .none : .bytes(bytes)
            byteCount = bytes.count
        case .file(let path):
            let file = try Self.open(path)
            source = file.file.byteCount == 0 ? .none : .file(file)
            byteCount = file.file.byteCount
        case .stream(let stream):
            guard stream.open() else {
                throw LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream was read from before and can't be sent again; "
                        + "give a new stream, or a body of bytes or of a file, which can be sent as often as needed")
            }
            source = .stream(stream)
            byteCount = stream.byteCount.map { max(0, $0) }
        case .streamOnDemand:
            throw LoadError(.requestBodyStreamExhausted, "no body stream was given when one was needed")
        }
    }

    /// The body of a request, with its trailers.
    ///
    /// Refuses text that would be another line, and fields that framing or routing need before (RFC 9110 §6.5.1).
    init(of request: ClientRequest) throws(LoadError) {
        try self.init(request.body)
        guard byteCount == nil else { return }
        for field in request.trailers {
            guard field.isSendable, TransportField(field.name) == nil else {
                throw LoadError(
                    .badURL,
                    "the field \"\(EscapedText.escape(field.name.utf8, limit: 100))\" can't stand behind content")
            }
        }
        trailers = request.trailers
    }

    /// Whether no bytes will be sent; false for every stream.
    var isEmpty: Bool { if case .none = source { true } else { false } }

    private static func open(_ path: String) throws(LoadError) -> SentFile {
        do throws(CallFailure) {
            return try SentFile(path: path)
        } catch {
            let isMissing = error.code == ENOENT
            throw LoadError(
                isMissing ? .fileDoesNotExist : .resourceUnavailable,
                "the body's file \"\(PrintableText.sanitize(path, limit: 300))\" can't be sent: \(error.text)")
        }
    }
}

extension CallFailure {
    /// `sendfile` may also fail because of the file.
    var isOfConnection: Bool {
        [EPIPE, ECONNRESET, ECONNABORTED, ENOTCONN, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENETDOWN].contains(code)
    }
}

/// The receiver of a request, which decides the target (RFC 9112 §3.2) and some fields of the head.
enum RequestForm {
    /// The origin; the target is path and query.
    case origin
    /// The origin, inside a tunnel.
    case tunnelled
    /// A proxy that forwards the request; the target is the whole URL.
    case absolute
    /// A proxy that makes a tunnel; the target is host and port.
    case authority

    func target(of url: ClientURL) -> [UInt8] {
        switch self {
        case .origin, .tunnelled: url.target
        case .absolute: url.absoluteTarget
        case .authority: Array(url.origin.hostAndPort.utf8)
        }
    }

    /// The Host field, with the same authority as the target (RFC 9110 §7.2).
    func host(of url: ClientURL) -> HTTPField {
        switch self {
        case .origin, .tunnelled, .absolute: url.hostField
        case .authority: HTTPField("Host", url.origin.hostAndPort)
        }
    }

    var isForProxy: Bool {
        switch self {
        case .absolute, .authority: true
        case .origin, .tunnelled: false
        }
    }

    /// Whether a field is left out: fields for the proxy are never sent to an origin, even if the caller wrote them
    /// (RFC 9110 §11.7.2).
    func leavesOut(_ name: String) -> Bool {
        guard !isForProxy else { return false }
        return name.utf8.count == 19 && name.lowercased() == "proxy-authorization"
    }
}
