/// What a client offers in its first message (RFC 8446 §4.1.2), in its own order.
public struct ClientHello: Sendable, Equatable {
    /// The version in the message's own head.
    public var legacyVersion: UInt16 = 0
    /// The content of supported_versions, otherwise the legacy version alone; GREASE included.
    public var versions: [UInt16] = []
    /// GREASE included.
    public var cipherSuites: [UInt16] = []
    /// The first host_name of server_name, as it came; nil where there is none.
    public var serverName: [UInt8]?
    /// The content of application_layer_protocol_negotiation.
    public var applicationProtocols: [[UInt8]] = []
    /// Their types.
    public var extensions: [UInt16] = []
    /// The content of supported_groups.
    public var groups: [UInt16] = []
    /// The content of signature_algorithms.
    public var signatureSchemes: [UInt16] = []
    /// Whether it wants an earlier session to go on: a ticket, a session identifier of TLS 1.2, or a pre_shared_key.
    public var wantsResumption = false
    /// The length of the message with its head of four, without record heads.
    public var byteCount = 0

    /// Nothing offered.
    public init() {}
}

extension ClientHello {
    /// What is wrong with the message.
    struct Flaw: Error, Equatable {
        let sentence: String

        init(_ part: String) {
            sentence = "the \(part) of the ClientHello does not fit its length (RFC 8446 §4.1.2)"
        }
    }

    /// Reads what stands behind the message's head of four.
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
        // TLS 1.3 clients send an identifier that means nothing (RFC 8446 §D.4), known by its versions below.
        wantsResumption = !identifier.isEmpty
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
            default: break
            }
        }
        wantsResumption = hasTicket || (wantsResumption && !offersVersion13)
    }

    private static func serverName(_ content: ArraySlice<UInt8>) throws(Flaw) -> [UInt8]? {
        var reader = WireBytes(content)
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw("server_name") }
        var entries = WireBytes(list)
        var host: [UInt8]?
        while !entries.isEmpty {
            guard let type = entries.number8(), let name = entries.vector16() else { throw Flaw("server_name") }
            if type == 0, host == nil { host = Array(name) }
        }
        return host
    }

    private static func protocols(_ content: ArraySlice<UInt8>) throws(Flaw) -> [[UInt8]] {
        let part = "application_layer_protocol_negotiation"
        var reader = WireBytes(content)
        guard let list = reader.vector16(), reader.isEmpty else { throw Flaw(part) }
        var entries = WireBytes(list)
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

/// Reads vectors of TLS's presentation language (RFC 8446 §3) off the front of some bytes.
struct WireBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isEmpty: Bool { rest.isEmpty }

    /// Takes one byte, big-endian numbers of two below; nil where the bytes end before.
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

    /// Behind a length of one byte.
    mutating func vector8() -> ArraySlice<UInt8>? {
        guard let count = number8() else { return nil }
        return bytes(Int(count))
    }

    /// Behind a length of two bytes.
    mutating func vector16() -> ArraySlice<UInt8>? {
        guard let count = number16() else { return nil }
        return bytes(Int(count))
    }

    /// All of some bytes as numbers of two; nil where one byte is left over.
    static func numbers(_ bytes: ArraySlice<UInt8>?) -> [UInt16]? {
        guard let bytes, bytes.count % 2 == 0 else { return nil }
        var reader = WireBytes(bytes)
        var numbers: [UInt16] = []
        numbers.reserveCapacity(bytes.count / 2)
        while let number = reader.number16() { numbers.append(number) }
        return numbers
    }
}
