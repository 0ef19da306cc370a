internal import COpenSSL

/// What OpenSSL thinks of a server's certificate, with the name that was asked for and the anchors that hold.
public struct TLSTrust: Sendable, Equatable {
    /// As X509_verify_cert says it, by the first thing it found wrong.
    public enum Verdict: Sendable, Equatable {
        case trusted
        case expired
        case notYetValid
        /// The chain ends at a certificate that is no anchor, or before one.
        case unknownRoot
        case selfSigned
        case wrongHost
        case revoked
        case other
    }

    /// The kind of thing that is wrong.
    public let verdict: Verdict
    /// X509_V_ERR_…; 0 where nothing is wrong.
    public let code: Int32
    /// OpenSSL's words for the code.
    public let reason: String
    /// DER, as the server sent it, its own certificate first.
    public let chain: [[UInt8]]
    /// What the certificate had to be for.
    public let host: String?

    /// Whether the chain leads to an anchor and the name is right.
    public var isTrusted: Bool { verdict == .trusted }
}

extension TLSTrust {
    /// As X509_verify_cert left it.
    init(code: Int32, chain: [[UInt8]], host: String?) {
        let reason = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
        self.init(verdict: Self.verdict(of: code), code: code, reason: reason, chain: chain, host: host)
    }

    private static func verdict(of code: Int32) -> Verdict {
        switch code {
        case X509_V_OK: .trusted
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
            .unknownRoot
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: .selfSigned
        case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: .wrongHost
        case X509_V_ERR_CERT_REVOKED: .revoked
        default: .other
        }
    }
}
