internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

/// What went wrong with TLS, as an error of the load.
extension LoadError {
    /// The handshake came to no end; `isShown` says that the server was shown a certificate.
    init(_ failure: HandshakeFailure, of session: TLSSession, to origin: Origin, isShown: Bool) {
        let place = "\(origin) (\(session.socket.peer))"
        switch failure {
        case .untrusted(let trust):
            self.init(
                ServerTrust.kind(of: trust.verdict) ?? .serverCertificateUntrusted,
                "the certificate of \(place) is not trusted: \(trust.reason); "
                    + "trust its issuer as an anchor, or the server in the answer to its challenge")
        case .failed(let sentence) where session.hasUnusableIdentity:
            self.init(
                .clientCertificateRejected,
                "the identity for \(place) can't be used: \(sentence); expected DER of a certificate, with those that "
                    + "lead to its root, and of the private key that belongs to it")
        case .failed(let sentence):
            self.init(Self.kind(of: session, isShown: isShown), "no TLS with \(place): \(sentence)")
        case .peerLeft:
            self.init(
                .secureConnectionFailed, "\(place) left before the TLS handshake was complete; does it speak TLS?")
        case .timedOut:
            self.init(.timedOut, "the TLS handshake with \(place) was not complete in time")
        case .cancelled, .ended:
            self.init(.cancelled, "cancelled during the TLS handshake with \(place)")
        }
    }

    /// By what could not be shown, or by the peer's alert where that is what ended it (RFC 8446 §6.2).
    static func kind(of session: TLSSession, isShown: Bool) -> Kind {
        guard !session.hasUnusableIdentity else { return .clientCertificateRejected }
        let report = session.report
        guard let alert = report.alerts.last(where: { $0.isFatal && !$0.isOurs })?.number else {
            return .secureConnectionFailed
        }
        switch alert {
        case Alert.certificateRequired: return .clientCertificateRequired
        // Before TLS 1.3 there is no alert for it.
        case Alert.handshakeFailure where report.wasAskedForCertificate && !isShown: return .clientCertificateRequired
        case Alert.badCertificate...Alert.certificateUnknown, Alert.unknownCA, Alert.accessDenied, Alert.decryptError:
            return isShown ? .clientCertificateRejected : .secureConnectionFailed
        default: return .secureConnectionFailed
        }
    }

    /// Numbers of IANA's registry (RFC 8446 §6).
    private enum Alert {
        static let handshakeFailure: UInt8 = 40
        static let badCertificate: UInt8 = 42
        static let certificateUnknown: UInt8 = 46
        static let unknownCA: UInt8 = 48
        static let accessDenied: UInt8 = 49
        static let decryptError: UInt8 = 51
        static let certificateRequired: UInt8 = 116
    }
}
