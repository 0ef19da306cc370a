internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2

/// The field section of a request (RFC 9113 §8.3.1, RFC 9114 §4.3.1): pseudo-header fields, then the caller's fields, then the length.
///
/// ``OutgoingHead`` has refused fields that can't be sent.
struct StreamRequestFields {
    let list: [HeaderField]

    /// A CONNECT has only the method and the authority (RFC 9113 §8.5).
    init(connect request: ClientRequest, _ body: OutgoingBody) {
        list =
            [
                HeaderField(":method", request.method),
                HeaderField(":authority", request.url.origin.hostAndPort),
            ]
            + request.fields.filter { Self.isSent($0, with: body, as: .authority, nil) }.map {
                HeaderField(
                    Self.lowercased($0.name), Self.trimmed($0.bytes), isNeverIndexed: Self.isSecret($0))
            }
    }

    /// `form` says whether a proxy receives the request; then scheme and authority are those of the origin.
    ///
    /// `opening` has the fields of a WebSocket's handshake, which is an extended CONNECT (RFC 8441 §4).
    init(
        _ request: ClientRequest, _ body: OutgoingBody, as form: RequestForm = .origin, opening: [HTTPField]? = nil,
        fault: StreamFault? = nil
    ) {
        let path = HeaderField(Array(":path".utf8), request.url.target)
        var list = [
            HeaderField(":method", opening == nil ? request.method : "CONNECT"),
            HeaderField(":scheme", request.url.origin.scheme.rawValue),
            HeaderField(Array(":authority".utf8), request.url.hostField.bytes),
        ]
        if opening != nil { list.append(HeaderField(":protocol", "websocket")) }
        if fault != .noPath, fault != .pathLast { list.append(path) }
        for field in request.fields where Self.isSent(field, with: body, as: form, fault) {
            if opening != nil, OpeningHandshake.owns(field.name) { continue }
            let isSecret = Self.isSecret(field)
            let name = fault == .upperCaseNames ? Self.capitalized(field.name) : Self.lowercased(field.name)
            list.append(HeaderField(name, Self.trimmed(field.bytes), isNeverIndexed: isSecret))
        }
        list += (opening ?? []).map { HeaderField(Self.lowercased($0.name), $0.bytes, isNeverIndexed: false) }
        if let byteCount = OutgoingHead.statedLength(of: request.method, body) {
            let stated = fault == .wrongContentLength && byteCount > 0 ? byteCount + 1 : byteCount
            list.append(HeaderField("content-length", "\(stated)"))
        }
        if fault == .connectionField { list.append(HeaderField("connection", "keep-alive")) }
        if fault == .upperCaseNames, list.allSatisfy({ $0.isPseudo }) { list.append(HeaderField("Accept", "*/*")) }
        if fault == .pathLast { list.append(path) }
        self.list = list
    }

    /// The field section behind the content (RFC 9113 §8.1).
    static func trailers(_ fields: [HTTPField]) -> [HeaderField] {
        fields.map { HeaderField(lowercased($0.name), trimmed($0.bytes), isNeverIndexed: isSecret($0)) }
    }

    /// False for connection-specific fields (RFC 9113 §8.2.2), Host, the caller's length, and fields for a proxy.
    private static func isSent(
        _ field: HTTPField, with body: OutgoingBody, as form: RequestForm, _ fault: StreamFault?
    ) -> Bool {
        // `trailers` is the only value that is permitted on a stream.
        if field.isNamed("TE") { return fault == .anyTE || Self.trimmed(field.bytes) == Array("trailers".utf8) }
        switch TransportField(field.name) {
        case .ours, .connection: return false
        case .expect where field.lists("100-continue"): return !body.isEmpty
        case .expect, nil: return !form.leavesOut(field.name)
        }
    }

    /// Whether the value is a credential, which intermediaries must not put into their tables (RFC 7541 §7.1.3, RFC 9204 §7.1.3).
    private static func isSecret(_ field: HTTPField) -> Bool {
        field.isNamed("Authorization") || field.isNamed("Proxy-Authorization")
    }

    private static func lowercased(_ name: String) -> [UInt8] { name.utf8.map(\.asciiLowercased) }

    private static func capitalized(_ name: String) -> [UInt8] {
        var bytes = lowercased(name)
        if let first = bytes.first, first.isASCIILetter { bytes[0] = first & ~0x20 }
        return bytes
    }

    /// Removes white space at both ends, which a value must not have (RFC 9113 §8.2.1).
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let start = bytes.firstIndex(where: { !isBlank($0) }), let end = bytes.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(bytes[start...end])
    }
}
