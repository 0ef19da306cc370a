internal import ProctorBase
internal import ProctorHTTP

/// What a gateway changes of a head: the fields that are about one connection alone (RFC 9110 §7.6.1), and who is asked.
enum HandedMessage {
    private static let ofConnection: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
        "content-length",
        "proxy-authenticate", "proxy-authorization",
    ]

    /// The fields that go on, in their order.
    static func fields(
        of section: FieldSection, without others: Set<String> = []
    ) -> [(name: [UInt8], value: [UInt8])] {
        var named = ofConnection.union(others)
        for value in section.values(named: "Connection") {
            for name in value.split(separator: UInt8(ascii: ",")) {
                named.insert(
                    String(decoding: name.map(\.asciiLowercased).filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self))
            }
        }
        var fields: [(name: [UInt8], value: [UInt8])] = []
        section.forEachNameAndValue { name, value in
            var bytes: [UInt8] = []
            for index in name.indices { bytes.append(name[index]) }
            guard !named.contains(String(decoding: bytes.map(\.asciiLowercased), as: UTF8.self)) else { return }
            var content: [UInt8] = []
            for index in value.indices { content.append(value[index]) }
            fields.append((bytes, content))
        }
        return fields
    }

    /// How the content of a reply ends for the client.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked
        /// For a client of HTTP/1.0.
        case close
    }

    /// The head of a reply for the client.
    static func reply(_ head: ReplyHead, _ framing: Framing, closes: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(status: head.status, reason: head.reason, into: &bytes)
        for field in fields(of: head.fields) {
            ReplyWriter.fieldLine(name: field.name, value: field.value, into: &bytes)
        }
        switch framing {
        case .none, .close: break
        case .length(let count):
            ReplyWriter.fieldLine(name: "Content-Length".utf8, value: String(count).utf8, into: &bytes)
        case .chunked: ReplyWriter.fieldLine(name: "Transfer-Encoding".utf8, value: "chunked".utf8, into: &bytes)
        }
        if closes { ReplyWriter.fieldLine(name: "Connection".utf8, value: "close".utf8, into: &bytes) }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    /// A reply of the gateway itself, of one line of text.
    static func own(_ status: Int, _ text: String, closes: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        ReplyWriter.statusLine(status: status, reason: Array("Gateway".utf8), into: &bytes)
        ReplyWriter.fieldLine(name: "Content-Type".utf8, value: "text/plain; charset=utf-8".utf8, into: &bytes)
        ReplyWriter.fieldLine(name: "Content-Length".utf8, value: String(text.utf8.count + 1).utf8, into: &bytes)
        if closes { ReplyWriter.fieldLine(name: "Connection".utf8, value: "close".utf8, into: &bytes) }
        ReplyWriter.lineEnd(into: &bytes)
        return bytes + Array(text.utf8) + [0x0A]
    }
}

/// A request for the server, with all its content.
///
/// It asks for no content coding, so that what is recorded can be read, and for a connection of its own.
struct HandedRequest {
    let method: [UInt8]
    let target: [UInt8]
    /// The client's fields that go on, and Accept-Encoding.
    let fields: [(name: [UInt8], value: [UInt8])]
    let content: [UInt8]
    let upstream: Upstream
    /// Whether the client takes trailers (RFC 9110 §10.1.4), which some servers send to those that say so alone.
    let takesTrailers: Bool

    init(_ head: RequestHead, content: [UInt8], to upstream: Upstream) {
        method = Array(head.methodBytes)
        target =
            head.form == .absolute
            ? AbsoluteTarget.originForm(of: head.target, isOptions: head.hasMethod("OPTIONS")) : head.target
        var fields = HandedMessage.fields(of: head.fields, without: ["host", "expect", "accept-encoding"])
        fields.append((Array("Accept-Encoding".utf8), Array("identity".utf8)))
        takesTrailers = head.fields.values(named: "TE").contains {
            String(decoding: $0, as: UTF8.self).lowercased().contains(text: "trailers")
        }
        if takesTrailers { fields.append((Array("TE".utf8), Array("trailers".utf8))) }
        if head.hasFraming { fields.append((Array("Content-Length".utf8), Array(String(content.count).utf8))) }
        (self.fields, self.content, self.upstream) = (fields, content, upstream)
    }

    var http1Bytes: [UInt8] {
        var bytes = method
        bytes.append(0x20)
        bytes += target
        bytes += Array(" HTTP/1.1\r\n".utf8)
        ReplyWriter.fieldLine(name: "Host".utf8, value: upstream.authority.utf8, into: &bytes)
        for field in fields { ReplyWriter.fieldLine(name: field.name, value: field.value, into: &bytes) }
        // TE is about one connection (RFC 9110 §10.1.4).
        ReplyWriter.fieldLine(
            name: "Connection".utf8, value: (takesTrailers ? "close, TE" : "close").utf8, into: &bytes)
        ReplyWriter.lineEnd(into: &bytes)
        return bytes + content
    }
}
