/// What a session has come to; before the end of the handshake as far as it is known.
public struct TLSReport: Sendable, Equatable {
    /// nil before ServerHello.
    public var version: TLSVersion?
    /// By IANA's number; nil before ServerHello.
    public var cipherSuite: UInt16?
    /// By IANA's number; nil where the key exchange used none that has a number, or a session goes on without one.
    public var group: UInt16?
    /// What ALPN agreed on.
    public var applicationProtocol: [UInt8]?
    /// As the client sent it.
    public var serverName: String?
    /// An earlier session goes on; nobody showed a certificate.
    public var isResumed: Bool
    /// DER, the peer's own certificate first; empty where it showed none.
    public var peerChain: [[UInt8]]
    /// Of the server's certificate, on the client's side; nil where none was shown.
    public var trust: TLSTrust?
    /// What OpenSSL thinks of the client's certificate, on the server's side: 0 is good, X509_V_ERR_… otherwise.
    public var clientVerdict: Int32
    /// The same in OpenSSL's words: `certificate has expired`; nil where it is good, or none came.
    public var clientRefusal: String?
    /// Whether a server has asked this client for a certificate.
    public var wasAskedForCertificate: Bool
    /// The OCSP response that the server stapled; DER.
    public var staple: [UInt8]?
    /// In the order in which they went over the wire, at most 16.
    public var alerts: [TLSAlert]
    /// The peer sent FIN without close_notify.
    public var wasTruncated: Bool

    /// `TLS_AES_128_GCM_SHA256`.
    public var cipherSuiteName: String? { cipherSuite.map(TLSNames.cipherSuite) }
    /// `x25519`.
    public var groupName: String? { group.map(TLSNames.group) }
}
