import ProctorHTTP

/// What a server does on one connection, in order.
struct PlayedConnection {
    /// The server's end, as `127.0.0.1:28080`.
    let place: String
    var steps: [PlayStep] = []
}

enum PlayStep: Equatable {
    /// The head of a request comes; its number over all connections.
    case request(Int)
    /// The rest of that request comes.
    case content
    /// So many bytes come that are no request.
    case bytes(Int)
    /// Bytes of HTTP/2 come, up to so many since the beginning.
    case received(Int)
    /// With `isCut` the record of TLS that holds the bytes is broken off.
    case send([UInt8], isCut: Bool)
    /// Sent one by one, so that the client's system gets each by itself.
    case slices([[UInt8]])
    /// Milliseconds.
    case wait(Int)
    case tls(PlayedHandshake)
    /// Nothing is done until the client leaves.
    case stall
    /// FIN, behind close_notify where TLS sends one.
    case finish(closeNotify: Bool)
    /// Without a look at what the client still sends.
    case close
    case reset
}

/// A handshake of the server.
struct PlayedHandshake: Hashable {
    /// Of the certificate.
    let profile: String
    /// That the certificate is for; the first is its common name.
    let names: [String]
    /// `1.2` or `1.3`.
    let version: String
    /// Of ALPN; nil: none.
    let protocolName: String?
}

/// A request as it came.
struct PlayedRequest {
    /// From 0, in the order in which connections were opened.
    let connection: Int
    let head: [UInt8]
    /// Whether it came in frames of HTTP/2, for which the head stands.
    let isMultiplexed: Bool
    /// With the lines of its chunks.
    var content: [UInt8] = []

    /// The lines of the head, without their ends.
    var lines: [ArraySlice<UInt8>] {
        head.split(separator: 0x0A, omittingEmptySubsequences: false).map { $0.last == 0x0D ? $0.dropLast() : $0 }
            .filter { !$0.isEmpty }
    }

    /// Method and target.
    var name: [UInt8] {
        let words = (lines.first ?? []).split(separator: 0x20, omittingEmptySubsequences: false)
        return Array(words.prefix(2).joined(separator: [0x20]))
    }

    /// The lines of a field.
    func lines(ofField name: String) -> [ArraySlice<UInt8>] {
        lines.dropFirst().filter { line in
            line.prefix { $0 != UInt8(ascii: ":") }.lowercasedText == name.lowercased()
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var lowercasedText: String { String(decoding: self, as: UTF8.self).lowercased() }
}
