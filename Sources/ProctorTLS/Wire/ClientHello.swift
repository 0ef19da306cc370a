/// What a client offers in its first message (RFC 8446 §4.1.2), in its own order.
public struct ClientHello: Sendable, Equatable {
    /// The version in the message's own head.
    public var legacyVersion: UInt16 = 0
    /// Of supported_versions, otherwise the legacy version alone; GREASE included.
    public var versions: [UInt16] = []
    /// GREASE included.
    public var cipherSuites: [UInt16] = []
    /// The first host_name of server_name, as it came; nil where there is none.
    public var serverName: [UInt8]?
    /// Of application_layer_protocol_negotiation.
    public var applicationProtocols: [[UInt8]] = []
    /// Their types.
    public var extensions: [UInt16] = []
    /// Of supported_groups.
    public var groups: [UInt16] = []
    /// Of signature_algorithms.
    public var signatureSchemes: [UInt16] = []
    /// Whether it wants an earlier session to go on: a ticket, a session identifier of TLS 1.2, or a pre_shared_key.
    public var wantsResumption = false
    /// Of the message with its head of four, without record heads.
    public var byteCount = 0

    /// Nothing offered.
    public init() {}
}
