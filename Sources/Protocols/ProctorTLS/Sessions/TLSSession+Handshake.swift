internal import COpenSSL
internal import ProctorBase
internal import ProctorLoop
package import ProctorTLSWire

extension TLSSession {
    /// Completes the handshake within `limit` nanoseconds, without the time of questions and scripts.
    ///
    /// Without `questions` the context decides on trust and identity.
    package func handshake(
        within limit: UInt64 = .max, script: (any HandshakeScript)? = nil, questions: (any TLSClientQuestions)? = nil
    ) async throws(HandshakeFailure) {
        var time = HandshakeTime(limit: limit)
        asksQuestions = questions != nil
        if let script {
            if labels == nil { labels = FlightLabels() }
            try await reach(.serverHello, in: script, within: &time)
        }
        if labels != nil {
            unsafe proctor_SSL_set_msg_callback_arg(ssl, Unmanaged.passUnretained(self).toOpaque())
            unsafe SSL_set_msg_callback(ssl, noteMessage)
        }
        try await negotiate(script, asking: questions, within: &time)
        asksQuestions = false
        hasCompleted = true
        labels?.keepsRecords = false
        if let script { try await reach(.end, in: script, within: &time) }
        if server?.setup.canAlert != true {
            labels = nil
            unsafe SSL_set_msg_callback(ssl, nil)
        }
    }

    private func negotiate(
        _ script: (any HandshakeScript)?, asking questions: (any TLSClientQuestions)?, within time: inout HandshakeTime
    ) async throws(HandshakeFailure) {
        while true {
            beginCall()
            let result = unsafe SSL_do_handshake(ssl)
            let code = result == 1 ? SSL_ERROR_NONE : unsafe SSL_get_error(ssl, result)
            if code == SSL_ERROR_SSL { failure = OpenSSLErrors.takeSentence() }
            try await sendFlight(script, &time)
            switch code {
            case SSL_ERROR_NONE: return
            case SSL_ERROR_WANT_READ: try await waitToReceive(&time)
            case SSL_ERROR_WANT_RETRY_VERIFY: await ask(questions, about: trust, within: &time)
            case SSL_ERROR_WANT_X509_LOOKUP: await askForIdentity(questions, &time)
            case SSL_ERROR_SSL:
                if let trust, isTrustAnswered, !isTrustGiven { throw .untrusted(trust) }
                throw .failed(failure ?? "")
            default: throw hasPeerEnded || socket.wasReset ? .peerLeft : .failed("OpenSSL gave up the connection")
            }
        }
    }

    private func ask(_ questions: (any TLSClientQuestions)?, about verdict: TLSTrust?, within time: inout HandshakeTime)
        async
    {
        isTrustGiven = false
        if let questions, let verdict {
            time.stop()
            isTrustGiven = await questions.trust(verdict)
            time.start()
        }
        isTrustAnswered = true
    }

    private func askForIdentity(_ questions: (any TLSClientQuestions)?, _ time: inout HandshakeTime) async {
        time.stop()
        let identity = await questions?.identity(authorities: authorities)
        time.start()
        identityAnswer = .given(identity)
    }

    // MARK: A flight

    /// Sends the queue, and runs the script between its records.
    private func sendFlight(_ script: (any HandshakeScript)?, _ time: inout HandshakeTime)
        async throws(HandshakeFailure)
    {
        if let script {
            // The fault was set before there was a flight: it damages the first record, ServerHello.
            if fault != nil, queue.count > 0, queue.sentByteCount == 0 {
                spoilRecord(at: 0)
                if isMute {
                    try await send(upTo: .max, &time)
                    throw .ended
                }
            }
            while let (offset, position) = labels?.takePosition(upTo: queue.queuedByteCount) {
                try await send(upTo: offset, &time)
                try await reach(position, in: script, within: &time)
            }
        }
        try await send(upTo: .max, &time)
        labels?.forgetRecords()
    }

    private func reach(
        _ position: HandshakePosition, in script: any HandshakeScript, within time: inout HandshakeTime
    ) async throws(HandshakeFailure) {
        time.stop()
        try await script.reach(position, of: self)
        time.start()
        guard fault != nil, queue.count > 0 else {
            if isMute { throw .ended }
            return
        }
        spoilRecord(at: 0)
        guard isMute else { return }
        try await send(upTo: .max, &time)
        throw .ended
    }

    /// Sends the queue up to `offset`; if that fails, an alert of the peer may still be readable.
    func send(upTo offset: Int, _ time: inout HandshakeTime) async throws(HandshakeFailure) {
        while queue.count > 0, queue.sentByteCount < offset {
            let code = Self.sendSome(of: &queue, upTo: offset, over: socket)
            if code == 0 { continue }
            guard wouldBlock(Int(-code)) else {
                if failure == nil, server != nil { throw .peerLeft }
                queue.cut(to: 0)
                return
            }
            do throws(SocketError) {
                try await socket.waitToSend(within: time.left)
            } catch {
                throw Self.failure(of: error)
            }
        }
    }

    func waitToReceive(_ time: inout HandshakeTime) async throws(HandshakeFailure) {
        if hasPeerEnded { throw .peerLeft }
        do throws(SocketError) {
            try await socket.waitToReceive(within: time.left)
        } catch {
            throw Self.failure(of: error)
        }
    }

    static func failure(of error: SocketError) -> HandshakeFailure {
        switch error {
        case .failed: .peerLeft
        case .layerFailed(let sentence): .failed(sentence)
        case .timedOut: .timedOut
        case .cancelled: .cancelled
        }
    }
}

/// The remaining time of a handshake, which is not counted while this side decides.
struct HandshakeTime {
    private var end: UInt64
    private var stoppedAt: UInt64 = 0

    /// `limit` is in nanoseconds from now on.
    init(limit: UInt64) {
        let (end, isTooLong) = MonotonicClock.nanoseconds.addingReportingOverflow(limit)
        self.end = isTooLong ? .max : end
    }

    var left: UInt64 {
        guard end != .max else { return .max }
        let now = MonotonicClock.nanoseconds
        return now < end ? end - now : 0
    }

    mutating func stop() {
        stoppedAt = MonotonicClock.nanoseconds
    }

    mutating func start() {
        guard end != .max else { return }
        let (later, isTooLong) = end.addingReportingOverflow(MonotonicClock.nanoseconds &- stoppedAt)
        end = isTooLong ? .max : later
    }
}

extension TLSSession {
    /// Requests the client's certificate after the handshake (TLS 1.3, RFC 8446 §4.6.2), and waits at most `limit`
    /// nanoseconds.
    ///
    /// Server only, between two requests, while no other read waits. The client may answer without a certificate.
    /// Throws if the client does not support it, or sends data instead.
    package func requestClientCertificate(within limit: UInt64 = .max) async throws(HandshakeFailure) {
        var time = HandshakeTime(limit: limit)
        beginCall()
        guard unsafe SSL_verify_client_post_handshake(ssl) == 1 else {
            throw .failed("the client can't be asked for a certificate: \(OpenSSLErrors.takeSentence())")
        }
        hasReadFinished = false
        unsafe proctor_SSL_set_msg_callback_arg(ssl, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_set_msg_callback(ssl, noteMessage)
        defer { if labels == nil { unsafe SSL_set_msg_callback(ssl, nil) } }
        guard unsafe SSL_do_handshake(ssl) == 1 else { throw .failed(OpenSSLErrors.takeSentence()) }
        while true {
            try await send(upTo: .max, &time)
            let hasInput = hasInput(from: socket)
            try await send(upTo: .max, &time)
            if let failure { throw .failed(failure) }
            if hasReadFinished { return }
            if hasInput {
                throw hasPeerEnded
                    ? .peerLeft : .failed("the client sent data before it answered the request for its certificate")
            }
            try await waitToReceive(&time)
        }
    }
}

/// Why a handshake did not complete.
package enum HandshakeFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// An error of OpenSSL or an alert of the peer; one sentence.
    case failed(String)
    /// The client did not trust the server and sent an alert.
    case untrusted(TLSTrust)
    /// The connection ended before the handshake was complete.
    case peerLeft
    case timedOut
    /// ``Socket/cancel()`` was called, or the socket was closed.
    case cancelled
    /// A ``HandshakeScript`` or a requested fault ended the handshake.
    case ended

    package var description: String {
        switch self {
        case .failed(let sentence): sentence
        case .untrusted(let trust): "the server is not trusted: \(trust.reason)"
        case .peerLeft: "the peer left before the handshake was complete"
        case .timedOut: "the handshake was not complete in time"
        case .cancelled: "the handshake was cancelled"
        case .ended: "the handshake was ended on purpose"
        }
    }
}

/// Actions of a server during its handshake.
///
/// The socket has no layer yet; ``TLSSession/send(alert:)`` and ``TLSSession/spoil(_:)`` act on the next record of the
/// flight.
package protocol HandshakeScript: AnyObject {
    /// Called once at each position, after the system has accepted everything before it.
    ///
    /// Throws to end the handshake, usually ``HandshakeFailure/ended``; the caller then closes the socket.
    func reach(_ position: HandshakePosition, of session: TLSSession) async throws(HandshakeFailure)
}

/// Decisions of a client for which the handshake waits.
///
/// Called on the loop's thread.
package protocol TLSClientQuestions: AnyObject {
    /// Whether to accept the server, whatever the verdict.
    func trust(_ verdict: TLSTrust) async -> Bool
    /// The identity for a server that accepts these authorities (DER); nil for none.
    func identity(authorities: [[UInt8]]) async -> ClientIdentity?
}
