/// What a server may only send to a client that offers it: a case about it shows nothing of a client that does not.
package enum OfferedSubject: Sendable {
    /// Codings of content, by Accept-Encoding (RFC 9110 §12.5.3).
    case codings
    /// Compressed messages of a WebSocket, by permessage-deflate in Sec-WebSocket-Extensions (RFC 7692 §5).
    case compression
}

extension OfferedSubject {
    /// nil where every client is sent what the case is about.
    init?(of item: Case, exchanges: [Exchange]) {
        if exchanges.contains(where: { $0.replies.contains(where: \.agreesOnCompression) }) {
            self = .compression
        } else if exchanges.contains(where: { $0.replies.contains(where: \.negotiatesCoding) }), !item.choosesCoding,
            item.facts.isEmpty || item.facts.contains(where: { $0.name.subject == .reply })
        {
            self = .codings
        } else {
            return nil
        }
    }
}

extension Case {
    /// Whether the program itself sets the codings that the client offers.
    fileprivate var choosesCoding: Bool {
        client.contains { program in
            program.headers.contains { String(decoding: $0.name, as: UTF8.self).lowercased() == "accept-encoding" }
        }
    }
}

extension Reply {
    /// Whether the Accept-Encoding of the client decides the coding of the content (RFC 9110 §12.5.3).
    fileprivate var negotiatesCoding: Bool {
        guard case .structured(let reply)? = message, let coding = reply.coding, coding.place == .content,
            case .negotiate = coding.plan
        else { return false }
        return true
    }

    /// Whether messages are compressed if the client offers it.
    fileprivate var agreesOnCompression: Bool { webSocket?.agreesOnCompression == true }
}
