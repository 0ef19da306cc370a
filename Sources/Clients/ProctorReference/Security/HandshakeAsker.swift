internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS
import ProctorTLSWire

/// Passes the questions of a handshake, as challenges, to the transfer that needs the connection (R18).
final class HandshakeAsker: TLSClientQuestions, Sendable {
    private let request: PoolRequest
    private let security: ConnectionSecurity
    /// The server, or the proxy to which TLS is spoken.
    private let origin: Origin
    /// Ends the handshake, whose connection is no longer needed.
    private let cancel: @Sendable () -> Void
    private let state = Locked(State())

    private struct State {
        var isAsking = false
        var identity: LoadIdentity?
        var verdict: TLSTrust?
        var wasAsked = false
    }

    /// Whether a question has no answer yet; meanwhile the handshake's time limit does not run.
    var isAsking: Bool { state.withLock { $0.isAsking } }
    var identity: LoadIdentity? { state.withLock { $0.identity } }
    /// The verdict of the anchors about the server; nil when it showed no certificate.
    var verdict: TLSTrust? { state.withLock { $0.verdict } }
    /// Whether the server has asked for a certificate.
    var wasAsked: Bool { state.withLock { $0.wasAsked } }

    init(
        _ request: PoolRequest, _ security: ConnectionSecurity, of origin: Origin,
        orCancel cancel: @escaping @Sendable () -> Void
    ) {
        (self.request, self.security, self.origin, self.cancel) = (request, security, origin, cancel)
    }

    func trust(_ verdict: TLSTrust) async -> Bool {
        state.withLock { $0.verdict = verdict }
        guard security.settings.fault != .trustsEverybody else { return true }
        guard security.settings.asksTrust else { return verdict.isTrusted }
        let trust = ServerTrust(verdict, host: origin.undottedHost)
        return await ask(LoadChallenge(trust, at: origin)) == .trust
    }

    func identity(authorities: [[UInt8]]) async -> ClientIdentity? {
        state.withLock { $0.wasAsked = true }
        guard security.settings.fault != .showsNoCertificate else { return nil }
        let identity: LoadIdentity? =
            switch await ask(LoadChallenge(acceptableIssuers: authorities, at: origin)) {
            case .identify(let identity): identity
            case .identifyByDefault: security.identity(for: origin)
            case .trust, .distrust, .stayAnonymous, nil: nil
            }
        state.withLock { $0.identity = identity }
        return identity?.clientIdentity
    }

    /// nil when the connection is no longer needed; then the handshake ends.
    private func ask(_ challenge: LoadChallenge) async -> HandshakeAnswer? {
        state.withLock { $0.isAsking = true }
        defer { state.withLock { $0.isAsking = false } }
        let answer = await request.asker?.handshakeAnswer(to: challenge)
        if answer == nil { cancel() }
        return answer
    }
}

/// A transfer that needs a connection, and answers the questions of its handshake; loop thread only.
protocol HandshakeHost: AnyObject, Sendable {
    /// Waits for the answer; nil when the connection is no longer needed.
    func handshakeAnswer(to challenge: LoadChallenge) async -> HandshakeAnswer?
}

package enum HandshakeAnswer: Sendable, Equatable {
    /// Trusts this server, whatever the verdict is.
    case trust
    /// Ends the handshake: the server gets an alert, and the verdict is the load's error.
    case distrust
    case identify(LoadIdentity)
    case stayAnonymous
    /// Shows the identity that this server accepted before, else the configuration's, else no certificate.
    case identifyByDefault
}

extension LoadError {
    /// The handshake failed; `isShown` says whether the client showed a certificate.
    init(_ failure: HandshakeFailure, of session: TLSSession, to origin: Origin, isShown: Bool) {
        let place = "\(origin) (\(session.socket.peer))"
        switch failure {
        case .untrusted(let trust):
            self = .untrusted(trust, at: place)
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

    /// The server's certificate was not accepted.
    static func untrusted(_ trust: TLSTrust, at place: String) -> LoadError {
        LoadError(
            ServerTrust.kind(of: trust.verdict) ?? .serverCertificateUntrusted,
            "the certificate of \(place) is not trusted: \(trust.reason); "
                + "trust its issuer as an anchor, or the server in the answer to its challenge")
    }

    /// The kind of error by the verdict, or by the peer's alert when that ended the handshake (RFC 8446 §6.2).
    static func kind(of session: TLSSession, isShown: Bool) -> Kind {
        guard !session.hasUnusableIdentity else { return .clientCertificateRejected }
        let report = session.report
        return kind(
            ofAlert: report.alerts.last(where: { $0.isFatal && !$0.isOurs })?.number,
            wasAsked: report.wasAskedForCertificate, isShown: isShown)
    }

    /// The kind of error by the peer's fatal alert; `wasAsked` says whether it has asked for a certificate.
    static func kind(ofAlert alert: UInt8?, wasAsked: Bool, isShown: Bool) -> Kind {
        guard let alert else { return .secureConnectionFailed }
        switch alert {
        case Alert.certificateRequired: return .clientCertificateRequired
        // TLS 1.2 and older have no alert for a missing certificate.
        case Alert.handshakeFailure where wasAsked && !isShown: return .clientCertificateRequired
        case Alert.badCertificate...Alert.certificateUnknown, Alert.unknownCA, Alert.accessDenied, Alert.decryptError:
            return isShown ? .clientCertificateRejected : .secureConnectionFailed
        default: return .secureConnectionFailed
        }
    }

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
