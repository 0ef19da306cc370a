/// What a client offers in its first message (RFC 8446 §4.1.2), in the order of the message.
package struct ClientHello: Sendable, Equatable {
    /// The legacy_version field.
    package var legacyVersion: UInt16 = 0
    /// From supported_versions, else the legacy version; including GREASE.
    package var versions: [UInt16] = []
    /// Including GREASE.
    package var cipherSuites: [UInt16] = []
    /// The first host_name of server_name; nil if there is none.
    package var serverName: [UInt8]?
    package var applicationProtocols: [[UInt8]] = []
    package var extensions: [UInt16] = []
    package var groups: [UInt16] = []
    package var signatureSchemes: [UInt16] = []
    /// Whether it offers resumption: a ticket, a session identifier of TLS 1.2, or a pre_shared_key.
    package var wantsResumption = false
    /// The length of the legacy_session_id field, which is empty over QUIC (RFC 9001 §8.4).
    package var sessionIdentifierByteCount = 0
    /// The content of quic_transport_parameters (RFC 9001 §8.2); nil if there is none.
    package var transportParameters: [UInt8]?
    /// The message with its header of four bytes, without record headers.
    package var byteCount = 0

    package init() {}
}

extension ClientHello {
    struct Flaw: Error, Equatable {
        let sentence: String

        init(_ part: String) {
            sentence = "the \(part) of the ClientHello does not fit its length (RFC 8446 §4.1.2)"
        }
    }

    /// Reads the message after its header of four bytes.
    init(body: ArraySlice<UInt8>, byteCount: Int) throws(Flaw) {
        self.init()
        self.byteCount = byteCount
        var reader = WireBytes(body)
        guard let version = reader.number16(), reader.bytes(32) != nil else { throw Flaw("head") }
        legacyVersion = version
        versions = [version]
        guard let identifier = reader.vector8(), identifier.count <= 32 else { throw Flaw("session identifier") }
        guard let suites = WireBytes.numbers(reader.vector16()), !suites.isEmpty else { throw Flaw("cipher suites") }
        cipherSuites = suites
        guard let methods = reader.vector8(), !methods.isEmpty else { throw Flaw("compression methods") }
        // TLS 1.3 clients send an identifier without a meaning (RFC 8446 §D.4); the versions correct this below.
        wantsResumption = !identifier.isEmpty
        sessionIdentifierByteCount = identifier.count
        guard !reader.isEmpty else { return }
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw("list of extensions") }
        var offersVersion13 = false
        var hasTicket = false
        var entries = WireBytes(list)
        while !entries.isEmpty {
            guard let type = entries.number16(), let content = entries.vector16() else { throw Flaw("extension") }
            extensions.append(type)
            switch type {
            case 0: serverName = try Self.serverName(content)
            case 10: groups = try Self.numbers(content, "supported_groups")
            case 13: signatureSchemes = try Self.numbers(content, "signature_algorithms")
            case 16: applicationProtocols = try Self.protocols(content)
            case 35: hasTicket = hasTicket || !content.isEmpty
            case 41: hasTicket = true
            case 43:
                versions = try Self.versions(content)
                offersVersion13 = versions.contains(TLSVersion.tls13.number)
            case 57: transportParameters = Array(content)
            default: break
            }
        }
        wantsResumption = hasTicket || (wantsResumption && !offersVersion13)
    }

    /// Reads a list after its length; bytes after the list are an error.
    private static func list(_ content: ArraySlice<UInt8>, _ part: String) throws(Flaw) -> WireBytes {
        var reader = WireBytes(content)
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw(part) }
        return WireBytes(list)
    }

    private static func serverName(_ content: ArraySlice<UInt8>) throws(Flaw) -> [UInt8]? {
        var entries = try list(content, "server_name")
        var host: [UInt8]?
        while !entries.isEmpty {
            guard let type = entries.number8(), let name = entries.vector16() else { throw Flaw("server_name") }
            if type == 0, host == nil { host = Array(name) }
        }
        return host
    }

    private static func protocols(_ content: ArraySlice<UInt8>) throws(Flaw) -> [[UInt8]] {
        let part = "application_layer_protocol_negotiation"
        var entries = try list(content, part)
        var names: [[UInt8]] = []
        while !entries.isEmpty {
            guard let name = entries.vector8(), !name.isEmpty else { throw Flaw(part) }
            names.append(Array(name))
        }
        return names
    }

    private static func versions(_ content: ArraySlice<UInt8>) throws(Flaw) -> [UInt16] {
        var reader = WireBytes(content)
        guard let versions = WireBytes.numbers(reader.vector8()), reader.isEmpty else {
            throw Flaw("supported_versions")
        }
        return versions
    }

    private static func numbers(_ content: ArraySlice<UInt8>, _ part: String) throws(Flaw) -> [UInt16] {
        var reader = WireBytes(content)
        guard let numbers = WireBytes.numbers(reader.vector16()), reader.isEmpty else { throw Flaw(part) }
        return numbers
    }
}

/// Reads vectors of TLS's presentation language (RFC 8446 §3) from the front.
struct WireBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isEmpty: Bool { rest.isEmpty }

    mutating func number8() -> UInt8? { rest.popFirst() }

    mutating func number16() -> UInt16? {
        guard rest.count >= 2, let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads a vector whose length has one byte.
    mutating func vector8() -> ArraySlice<UInt8>? {
        guard let count = number8() else { return nil }
        return bytes(Int(count))
    }

    /// Reads a vector whose length has two bytes.
    mutating func vector16() -> ArraySlice<UInt8>? {
        guard let count = number16() else { return nil }
        return bytes(Int(count))
    }

    /// Numbers of two bytes each; nil if a single byte is left.
    static func numbers(_ bytes: ArraySlice<UInt8>?) -> [UInt16]? {
        guard let bytes, bytes.count % 2 == 0 else { return nil }
        var reader = WireBytes(bytes)
        var numbers: [UInt16] = []
        numbers.reserveCapacity(bytes.count / 2)
        while let number = reader.number16() { numbers.append(number) }
        return numbers
    }
}
