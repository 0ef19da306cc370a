internal import ProctorBase
package import ProctorTLSWire

/// A client's ClientHello as QUIC needs it (RFC 9001 §8), read before a library gets any of it.
package struct OpeningHello: Sendable, Equatable {
    package let hello: ClientHello
    package let parameters: TransportParameters

    /// Reads what a CRYPTO stream has; nil where more must come.
    ///
    /// `source` is the id that the client has given itself in its header.
    package static func read(_ stream: CryptoStream, source: [UInt8]) throws(OpeningFault) -> OpeningHello? {
        let bytes = stream.bytes
        if bytes.count >= 4 {
            let byteCount = 4 + bytes[1..<4].reduce(0) { $0 << 8 | Int($1) }
            guard bytes.count < byteCount || bytes.count == byteCount && stream.hasNoGap else {
                throw .alert(10, "bytes came behind the ClientHello", "RFC 9001 §4.1.3")
            }
        }
        var reader = ClientHelloReader(limit: CryptoStream.mostBytes)
        switch reader.read(message: bytes) {
        case .needsMore: return nil
        case .complete(let hello): return try OpeningHello(hello, source: source)
        case .refused(let sentence):
            guard let type = bytes.first, type == 1 else {
                // unexpected_message and decode_error (RFC 8446 §6.2).
                throw .alert(10, sentence, "RFC 8446 §4")
            }
            throw .alert(50, sentence, "RFC 9001 §4.8")
        case .notTLS: throw .alert(10, "no ClientHello came", "RFC 8446 §4")
        }
    }

    private init(_ hello: ClientHello, source: [UInt8]) throws(OpeningFault) {
        guard hello.sessionIdentifierByteCount == 0 else {
            throw .protocolViolation("the ClientHello has a legacy_session_id", "RFC 9001 §8.4")
        }
        guard hello.versions.contains(TLSVersion.tls13.number) else {
            throw .alert(70, "the ClientHello does not offer TLS 1.3", "RFC 9001 §4.2")
        }
        guard Set(hello.extensions).count == hello.extensions.count else {
            throw .alert(47, "an extension came twice in the ClientHello", "RFC 8446 §4.2")
        }
        if let place = hello.extensions.firstIndex(of: Self.preSharedKey), place != hello.extensions.count - 1 {
            throw .alert(47, "pre_shared_key is not the last extension", "RFC 8446 §4.2.11")
        }
        guard let bytes = hello.transportParameters else {
            throw .alert(109, "the ClientHello has no quic_transport_parameters", "RFC 9001 §8.2")
        }
        guard !hello.applicationProtocols.isEmpty else {
            throw .alert(120, "the ClientHello offers no application protocol", "RFC 9001 §8.1")
        }
        let parameters = try TransportParameters(bytes, of: .client)
        guard parameters.initialSource == source else {
            throw .parameter("initial_source_connection_id is not the id of the client's packets", "RFC 9000 §7.3")
        }
        (self.hello, self.parameters) = (hello, parameters)
    }

    private static let preSharedKey: UInt16 = 41
}
