import ProctorHTTP

/// The actions of a server on one connection, in order.
struct PlayedConnection {
    /// The server's address, as `127.0.0.1:28080`.
    let place: String
    var steps: [PlayStep] = []
}

enum PlayStep: Equatable {
    /// Reads the head of a request; its number counts over all connections.
    case request(Int)
    /// Reads the content of that request.
    case content
    /// Reads this number of bytes that are no request.
    case bytes(Int)
    /// Reads bytes of HTTP/2, until this number has arrived since the beginning.
    case received(Int)
    /// Sends bytes; with `isCut` the TLS record with the bytes is cut.
    case send([UInt8], isCut: Bool)
    /// Sends slices one by one, so that the client's system receives them separately.
    case slices([[UInt8]])
    /// Waits this number of milliseconds.
    case wait(Int)
    case tls(PlayedHandshake)
    /// Does nothing until the client closes the connection.
    case stall
    /// Sends FIN, with TLS after close_notify if that is sent.
    case finish(closeNotify: Bool)
    /// Closes the connection without reading what the client still sends.
    case close
    case reset
}

/// The handshake of the server.
struct PlayedHandshake: Hashable {
    /// The profile of the certificate.
    let profile: String
    /// The names in the certificate; the first is its common name.
    let names: [String]
    /// The TLS version, `1.2` or `1.3`.
    let version: String
    /// The protocol that ALPN selects; nil: none.
    let protocolName: String?
}

/// A request as it arrived.
struct PlayedRequest {
    /// The index of its connection, from 0, in the order in which connections were opened.
    let connection: Int
    let head: [UInt8]
    /// Whether it arrived in frames of HTTP/2; the head is then made from the frames.
    let isMultiplexed: Bool
    /// The content, with the chunk lines.
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

    func lines(ofField name: String) -> [ArraySlice<UInt8>] {
        lines.dropFirst().filter { line in
            line.prefix { $0 != UInt8(ascii: ":") }.lowercasedText == name.lowercased()
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var lowercasedText: String { String(decoding: self, as: UTF8.self).lowercased() }
}
