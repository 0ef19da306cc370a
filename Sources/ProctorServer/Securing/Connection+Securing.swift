internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS
internal import ProctorTrace

extension Connection {
    /// Reads the client's first message, finds the certificate, and plays the handshake; then the socket speaks plaintext.
    ///
    /// All of it within ``ServerLimits/handshakeDuration``, but for the making of a certificate.
    func secure(by securing: Securing) async throws(ConnectionEnd) {
        let start = MonotonicClock.nanoseconds
        var reader = ClientHelloReader()
        let hello = try await receiveClientHello(&reader, until: start &+ bounds.handshake)
        note(.clientHello(ClientHelloNote(hello)))
        let readingTime = MonotonicClock.nanoseconds &- start
        let context = try await context(for: hello, securing)
        let session = TLSSession(server: context, on: socket, received: reader.received)
        session.onAlert = { [weak self] alert in self?.take(alert) }
        let play = script?.hasHandshakeEffects == true ? HandshakePlay(self) : nil
        do throws(HandshakeFailure) {
            try await session.handshake(
                within: bounds.handshake > readingTime ? bounds.handshake - readingTime : 1, script: play)
        } catch {
            throw failed(error, session, play, context.setup)
        }
        socket.layer = session
        if play == nil { noteSecured(by: session) }
        asksForCertificate =
            context.setup.clientCertificate == .afterHandshake && session.report.version == .tls13
    }

    /// Asks for the certificate that is wanted behind the handshake (RFC 8446 §4.6.2), once, and waits for the answer.
    func askForCertificate() async throws(ConnectionEnd) {
        asksForCertificate = false
        guard let session = socket.layer as? TLSSession, let setup = session.serverSetup else { return }
        do throws(HandshakeFailure) {
            try await session.requestClientCertificate(within: bounds.handshake)
        } catch {
            throw failed(error, session, nil, setup, moment: "after-handshake")
        }
        noteSecured(by: session)
    }

    /// What the handshake has come to, in every journal that knows the connection.
    func noteSecured(by session: TLSSession) {
        let authority = securing?.desk.room?.authority
        note(.secured(HandshakeNote(session.report, profile: certificateProfile, authority: authority)))
    }

    private func take(_ alert: TLSAlert) {
        if alert.isFatal, !alert.isOurs { wasRefusedByPeer = true }
        note(.alert(AlertNote(alert)))
    }

    // MARK: Before the handshake

    private func receiveClientHello(
        _ reader: inout ClientHelloReader, until end: UInt64
    ) async throws(ConnectionEnd) -> ClientHello {
        while true {
            let outcome: ClientHelloReader.Outcome?
            do throws(SocketError) {
                let now = MonotonicClock.nanoseconds
                guard now < end else { throw .timedOut }
                if pendingStart < pending.count {
                    // Came right behind the CONNECT of a tunnel.
                    let early = pending
                    outcome = reader.take(early.span.extracting(pendingStart..<early.count))
                    pending = []
                    pendingStart = 0
                } else {
                    // The socket has no layer yet, so these are the bytes as they came.
                    outcome = try await socket.read(within: end - now) { reader.take($0) }
                }
            } catch {
                let end = ConnectionEnd(error)
                // Who says nothing at all is no client of TLS, but a crowd that was too early, or a port scan.
                if !reader.received.isEmpty || error == .timedOut { noteFailure("client-hello", end.handshakeReason) }
                throw end
            }
            switch outcome {
            case nil:
                if !reader.received.isEmpty { noteFailure("client-hello", "the client left in the middle of it") }
                throw .peerClosed
            case .needsMore: continue
            case .complete(let hello): return hello
            case .refused(let sentence): try await refuseHandshake(by: .decodeError, "client-hello", sentence)
            case .notTLS: try await refusePlain(reader.received)
            }
        }
    }

    private func context(
        for hello: ClientHello, _ securing: Securing
    ) async throws(ConnectionEnd) -> TLSServerContext {
        if let context = securing.shownLast(for: hello.serverName, at: socket.local) {
            certificateProfile = context.identity.profile
            return context
        }
        let context = try await lookedUp(for: hello, securing)
        securing.show(context, for: hello.serverName, at: socket.local)
        return context
    }

    private func lookedUp(
        for hello: ClientHello, _ securing: Securing
    ) async throws(ConnectionEnd) -> TLSServerContext {
        let wish: TLSDesk.Wish
        do throws(LabelRefusal) {
            wish = try securing.wish(for: hello, at: socket.local)
        } catch {
            try await refuseHandshake(by: .unrecognizedName, "client-hello", error.description)
        }
        certificateProfile = wish.profile
        let found: TLSDesk.Found
        do throws(SecurityRefusal) {
            found = try securing.desk.find(wish)
        } catch {
            try await refuseHandshake(by: .internalError, "certificate", error.description)
        }
        switch found {
        case .ready(let context): return context
        case .making(let minting):
            switch try await outcome(of: minting) {
            case .success(let context): return context
            case .failure(let refusal):
                try await refuseHandshake(by: .internalError, "certificate", refusal.description)
            }
        }
    }

    private func outcome(of minting: Minting) async throws(ConnectionEnd) -> Minting.Outcome {
        do throws(ConnectionEnd) {
            return try await minting.outcome(for: socket, within: bounds.progress)
        } catch {
            noteFailure("certificate", error.handshakeReason)
            throw error
        }
    }

    // MARK: Refusals

    private enum PlainAlert: UInt8 {
        case decodeError = 50
        case internalError = 80
        case unrecognizedName = 112
    }

    /// A fatal alert in the clear, which nobody has keys for yet (RFC 8446 §6.2).
    private func refuseHandshake(
        by alert: PlainAlert, _ moment: String, _ sentence: String
    ) async throws(ConnectionEnd) -> Never {
        noteFailure(moment, sentence)
        try await write([21, 3, 3, 0, 2, 2, alert.rawValue])
        note(.alert(AlertNote(TLSAlert(isOurs: true, isFatal: true, number: alert.rawValue))))
        throw .refused
    }

    /// Answers plain HTTP as it came, with the address that it should have gone to.
    private func refusePlain(_ received: [UInt8]) async throws(ConnectionEnd) -> Never {
        guard let first = received.first, first.isASCIILetter || first == 0x0D || first == 0x0A else {
            unfinished.take(received.span)
            if let event = unfinished.event(.refused) { note(event) }
            try await refuseHandshake(
                by: .decodeError, "client-hello",
                "the first bytes \"\(EscapedText.of(received.prefix(16)))\" are no record of a handshake")
        }
        let line = received.prefix { $0 != 0x0D && $0 != 0x0A }
        note(.violation(Violation(.plainHTTP, at: 0, detail: Array(line.prefix(32)))))
        if securing?.closesPlainHTTP == true { throw .refused }
        // Read like any other head, but by no script: its effects belong to what comes through TLS.
        script = nil
        pending = received
        pendingStart = 0
        try await receive(.head)
        if let head = request.head { unfinished.take(head.bytes.span) }
        takeRest()
        if let event = unfinished.event(.refused) { note(event) }
        let reply = BuiltInReply.plainHTTP(secured: secureAddress(of: request.head))
        try await write(reply.bytes(for: request.head, closes: true))
        throw .refused
    }

    /// The URL that a request was meant for, as far as it can be told.
    private func secureAddress(of head: RequestHead?) -> String {
        let host = head?.fields.first(named: "Host").map { Array($0) } ?? []
        let authority = AddressBook.isAuthority(host) ? EscapedText.of(host) : socket.local.description
        let target = head.map { $0.form == .absolute ? AbsoluteTarget.originForm(of: $0.target) : $0.target } ?? []
        return "https://\(authority)" + (target.first == UInt8(ascii: "/") ? EscapedText.of(target) : "/")
    }

    private func noteFailure(_ moment: String, _ reason: String) {
        note(.handshakeFailed(moment: moment, reason: reason))
    }

    /// Notes why the handshake failed; returns how the connection ends by it.
    private func failed(
        _ failure: HandshakeFailure, _ session: TLSSession, _ play: HandshakePlay?, _ setup: TLSServerSetup,
        moment: String? = nil
    ) -> ConnectionEnd {
        let moment =
            moment ?? play?.moment?.rawValue ?? (session.report.version == nil ? "server-hello" : "finished")
        var reason = HandshakeReason.sentence(of: failure, session, setup)
        let end: ConnectionEnd
        switch failure {
        case .failed(let sentence): end = wasRefusedByPeer ? .peerClosed : .insecure(sentence)
        case .untrusted: end = .peerClosed
        case .peerLeft: end = socket.wasReset ? .peerReset : .peerClosed
        case .timedOut: end = .timedOut
        case .cancelled: end = .stopped
        case .ended:
            end = play?.end ?? .oursInOrder
            reason = end.handshakeReason
            // What came to an end then was a connection whose handshake had succeeded.
            if play?.moment == .end {
                // By the rules of TLS, then: with close_notify, unless an effect has left it out.
                socket.layer = session
                return end
            }
        }
        noteFailure(moment, reason)
        return end
    }
}

extension ConnectionEnd {
    /// Why a handshake did not come to its end; half a sentence.
    fileprivate var handshakeReason: String {
        switch self {
        case .peerClosed: "the client left"
        case .peerReset: "the client reset the connection"
        case .timedOut: "it was not complete in time"
        case .stopped: "the server is being stopped"
        case .insecure(let reason), .sourceFailed(let reason): reason
        case .refused, .oursInOrder, .oursDone, .tunnelEnded: "the fixture ends it there"
        }
    }
}
