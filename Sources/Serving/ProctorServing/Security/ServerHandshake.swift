internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

/// The TLS of one connection: its handshake and post-handshake authentication; on the loop's thread only.
final class ServerHandshake {
    private let security: ListenerSecurity
    private unowned let connection: Connection
    private var certificateProfile = ""
    /// Whether a client certificate is requested before the first reply.
    private(set) var asksForCertificate = false
    /// What was agreed on; nil before.
    private(set) var secured: HandshakeNote?
    private(set) var wasRefusedByPeer = false

    init(_ security: ListenerSecurity, of connection: Connection) {
        (self.security, self.connection) = (security, connection)
    }

    private var output: ConnectionOutput { connection.output }
    private var input: RequestInput { connection.input }
    private var journals: ConnectionJournals { connection.journals }
    private var socket: Socket { output.socket }
    private var bounds: ConnectionBounds { output.bounds }

    /// Reads the ClientHello, finds the certificate, and does the handshake; then the socket has its TLS layer.
    ///
    /// Where the port serves plain HTTP too and the client speaks that, there is no handshake, and its bytes are kept.
    ///
    /// Takes at most ``ServerLimits/handshakeDuration``, without the time to make a certificate.
    func run() async throws(ConnectionEnd) {
        let start = MonotonicClock.nanoseconds
        var reader = ClientHelloReader()
        guard let hello = try await receiveClientHello(&reader, until: start &+ bounds.handshake) else { return }
        journals.append(.clientHello(ClientHelloNote(hello)))
        let readingTime = MonotonicClock.nanoseconds &- start
        let context = try await context(for: hello)
        let session = TLSSession(server: context, on: socket, received: reader.received)
        session.onAlert = { [weak self] alert in self?.recordAlert(alert) }
        let script = connection.effects?.hasHandshakeEffects == true ? EffectScript(self) : nil
        // Its keys take as long as a hundred requests.
        await socket.loop.yieldToOthers()
        do throws(HandshakeFailure) {
            try await session.handshake(
                within: bounds.handshake > readingTime ? bounds.handshake - readingTime : 1, script: script)
        } catch {
            throw recordFailure(error, of: session, script: script, setup: context.setup)
        }
        socket.layer = session
        if script == nil { noteSecured(by: session) }
        asksForCertificate =
            context.setup.clientCertificate == .afterHandshake && session.report.version == .tls13
    }

    /// Requests the client certificate after the handshake (RFC 8446 §4.6.2), once, and waits for the answer.
    func askForCertificate() async throws(ConnectionEnd) {
        asksForCertificate = false
        guard let session = socket.layer as? TLSSession, let setup = session.serverSetup else { return }
        do throws(HandshakeFailure) {
            try await session.requestClientCertificate(within: bounds.handshake)
        } catch {
            throw recordFailure(error, of: session, script: nil, setup: setup, moment: "after-handshake")
        }
        noteSecured(by: session)
    }

    private final class EffectScript: HandshakeScript {
        private let handshake: ServerHandshake
        private(set) var moment: HandshakePosition?
        private(set) var end: ConnectionEnd?

        init(_ handshake: ServerHandshake) {
            self.handshake = handshake
        }

        func reach(_ moment: HandshakePosition, of session: TLSSession) async throws(HandshakeFailure) {
            self.moment = moment
            if moment == .end { handshake.noteSecured(by: session) }
            guard let position = ConnectionEffect.HandshakePosition(rawValue: moment.rawValue) else { return }
            do throws(ConnectionEnd) {
                try await handshake.connection.effects?.playEffects(at: .handshake(position), in: session)
            } catch {
                end = error
                throw .ended
            }
        }
    }

    private func noteSecured(by session: TLSSession) {
        let authority = security.contexts.opened?.authority
        let note = HandshakeNote(session.report, profile: certificateProfile, authority: authority)
        secured = note
        journals.append(.secured(note))
    }

    /// What the handshake has settled; nil before its end.
    var facts: SecurityFacts? {
        guard let session = socket.layer as? TLSSession else { return nil }
        let report = session.report
        let note = HandshakeNote(
            report, profile: certificateProfile, authority: security.contexts.opened?.authority)
        return SecurityFacts(
            serverName: report.serverName.map { Array($0.utf8) }, applicationProtocol: report.applicationProtocol,
            identity: note.clientCertificate.map { Array($0.utf8) })
    }

    private func recordAlert(_ alert: TLSAlert) {
        if alert.isFatal, !alert.isOurs { wasRefusedByPeer = true }
        journals.append(.alert(AlertNote(alert)))
    }

    // MARK: Before the handshake

    private func receiveClientHello(
        _ reader: inout ClientHelloReader, until end: UInt64
    ) async throws(ConnectionEnd) -> ClientHello? {
        while true {
            var outcome: ClientHelloReader.Outcome?
            do throws(SocketError) {
                let now = MonotonicClock.nanoseconds
                guard now < end else { throw .timedOut }
                if !input.buffer.isEmpty {
                    // The bytes came directly after the CONNECT of a tunnel.
                    input.drainKept { outcome = reader.read($0) }
                } else {
                    // The socket has no layer yet, so these are the received bytes.
                    outcome = try await socket.read(within: end - now) { reader.read($0) }
                }
            } catch {
                let end = ConnectionEnd(error)
                // A peer that sends nothing is no TLS client: it connected too early, or scans ports.
                if !reader.received.isEmpty || error == .timedOut { noteFailure("client-hello", end.handshakeReason) }
                throw end
            }
            switch outcome {
            case nil:
                if !reader.received.isEmpty { noteFailure("client-hello", "the client left in the middle of it") }
                throw .peerClosed
            case .needsMore: continue
            case .complete(let hello): return hello
            case .refused(let sentence): try await refuse(by: .decodeError, at: "client-hello", sentence)
            case .notTLS:
                guard security.plainHTTP == .serve, reader.received.first?.isASCIILetter == true else {
                    try await refusePlain(reader.received)
                }
                input.replaceKept(with: reader.received)
                return nil
            }
        }
    }

    private func context(for hello: ClientHello) async throws(ConnectionEnd) -> TLSServerContext {
        if let context = security.shownLast(for: hello.serverName, at: socket.local) {
            certificateProfile = context.identity.profile
            return context
        }
        let context = try await lookedUpContext(for: hello)
        security.show(context, for: hello.serverName, at: socket.local)
        return context
    }

    private func lookedUpContext(for hello: ClientHello) async throws(ConnectionEnd) -> TLSServerContext {
        let key: TLSContexts.Key
        do throws(LabelRefusal) {
            key = try security.key(for: hello, at: socket.local)
        } catch {
            try await refuse(by: .unrecognizedName, at: "client-hello", error.description)
        }
        certificateProfile = key.profile
        let slot: TLSContexts.Slot
        do throws(SecurityRefusal) {
            slot = try security.contexts.find(key)
        } catch {
            try await refuse(by: .internalError, at: "certificate", error.description)
        }
        switch slot {
        case .ready(let context): return context
        case .making(let minting):
            switch try await outcome(of: minting) {
            case .success(let context): return context
            case .failure(let refusal):
                try await refuse(by: .internalError, at: "certificate", refusal.description)
            }
        }
    }

    private func outcome(of minting: Minting) async throws(ConnectionEnd) -> Minting.Outcome {
        do throws(ConnectionEnd) {
            return try await minting.outcome(for: connection, within: bounds.progress)
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

    /// Sends a fatal alert without encryption, since no keys exist yet (RFC 8446 §6.2).
    private func refuse(
        by alert: PlainAlert, at moment: String, _ sentence: String
    ) async throws(ConnectionEnd) -> Never {
        noteFailure(moment, sentence)
        try await output.write([21, 3, 3, 0, 2, 2, alert.rawValue])
        journals.append(.alert(AlertNote(TLSAlert(isOurs: true, isFatal: true, number: alert.rawValue))))
        throw .refused
    }

    /// Answers plain HTTP without encryption, with the https URL of the request.
    private func refusePlain(_ received: [UInt8]) async throws(ConnectionEnd) -> Never {
        guard let first = received.first, first.isASCIILetter || first == 0x0D || first == 0x0A else {
            input.unfinished.append(received.span)
            journals.append(input.unfinished.event(.refused))
            try await refuse(
                by: .decodeError, at: "client-hello",
                "the first bytes \"\(EscapedText.escape(received.prefix(16)))\" are no record of a handshake")
        }
        let line = received.prefix { $0 != 0x0D && $0 != 0x0A }
        journals.append(.violation(Violation(.plainHTTP, at: 0, detail: Array(line.prefix(32)))))
        if security.plainHTTP == .close { throw .refused }
        // The head is read without the script, whose effects belong to requests over TLS.
        connection.effects?.dropScript()
        input.replaceKept(with: received)
        try await connection.read(until: .head)
        let head = input.request.head
        if let head { input.unfinished.append(head.bytes.span) }
        input.takeRest()
        journals.append(input.unfinished.event(.refused))
        let reply = BuiltInReply.plainHTTP(secured: secureAddress(of: head))
        try await output.write(reply.bytes(for: head, closes: true))
        throw .refused
    }

    /// The https URL of a request, as far as its head shows it.
    private func secureAddress(of head: RequestHead?) -> String {
        let authority = head?.statedAuthority.map { EscapedText.escape($0) } ?? socket.local.description
        let target = head.map { $0.form == .absolute ? AbsoluteTarget.originForm(of: $0.target) : $0.target } ?? []
        return "https://\(authority)" + (target.first == UInt8(ascii: "/") ? EscapedText.escape(target) : "/")
    }

    private func noteFailure(_ moment: String, _ reason: String) {
        journals.append(.handshakeFailed(moment: moment, reason: reason))
    }

    /// Notes why the handshake failed; returns the connection's end.
    private func recordFailure(
        _ failure: HandshakeFailure, of session: TLSSession, script: EffectScript?, setup: TLSProgram,
        moment: String? = nil
    ) -> ConnectionEnd {
        let moment =
            moment ?? script?.moment?.rawValue ?? (session.report.version == nil ? "server-hello" : "finished")
        var reason = Self.sentence(of: failure, session, setup: setup)
        let end: ConnectionEnd
        switch failure {
        case .failed(let sentence): end = wasRefusedByPeer ? .peerClosed : .insecure(sentence)
        case .untrusted: end = .peerClosed
        case .peerLeft: end = socket.wasReset ? .peerReset : .peerClosed
        case .timedOut: end = .timedOut
        case .cancelled: end = .stopped
        case .ended:
            end = script?.end ?? .serverCloses
            reason = end.handshakeReason
            // The handshake had succeeded before the connection ended.
            if script?.moment == .end {
                // The connection then ends as TLS ends: with close_notify, unless an effect has omitted it.
                socket.layer = session
                return end
            }
        }
        noteFailure(moment, reason)
        return end
    }

    /// Why a handshake failed, for the journal: the client's alert, else the fixture's effect, else OpenSSL's error.
    private static func sentence(
        of failure: HandshakeFailure, _ session: TLSSession, setup: TLSProgram
    ) -> String {
        let report = session.report
        if let alert = report.alerts.last(where: { $0.isFatal && !$0.isOurs }) {
            return "the client sent alert \(alert.number) (\(alert.name))"
        }
        guard case .failed(let words) = failure else { return failure.description }
        let unrecognizedName = PlainAlert.unrecognizedName.rawValue
        if setup.serverName == .refuse, report.alerts.contains(where: { $0.isOurs && $0.number == unrecognizedName }) {
            let name = report.serverName.map { " \"\(EscapedText.escape($0.utf8, limit: 100))\"" } ?? ""
            return "the fixture refuses the server name\(name)"
        }
        if let reason = report.clientRefusal, !report.peerChain.isEmpty {
            return "the client's certificate is refused: \(reason)"
        }
        return words
    }
}

extension ConnectionEnd {
    /// Why a handshake failed, as half a sentence.
    fileprivate var handshakeReason: String {
        switch self {
        case .peerClosed: "the client left"
        case .peerReset: "the client reset the connection"
        case .timedOut: "it was not complete in time"
        case .stopped: "the server is being stopped"
        case .insecure(let reason), .sourceFailed(let reason), .unanswerable(let reason): reason
        case .refused, .serverCloses, .serverEnded, .tunnelEnded, .streamReset, .streamEnded:
            "the fixture ends it there"
        }
    }
}
