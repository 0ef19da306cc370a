import ProctorJournal
import ProctorScenario

/// What the journal knows of TLS on one connection; everything is empty on a connection without TLS.
struct SeenHandshake {
    /// The first ClientHello; nil means that none came whole.
    private(set) var hello: ClientHelloNote?
    /// The time of the ClientHello, in the journal's nanoseconds.
    private(set) var begin: UInt64?
    /// nil means that the handshake was not completed.
    private(set) var handshake: HandshakeNote?
    /// Why the handshake was not completed; nil where it was, or where the journal does not say.
    private(set) var failure: Failure?
    private(set) var alerts: [AlertNote] = []
    /// The entry of the handshake's end, or else of the ClientHello.
    private(set) var sequence: UInt64?

    struct Failure {
        let moment: String
        let reason: String
    }

    mutating func take(_ event: JournalEvent, at sequence: UInt64, _ nanoseconds: UInt64) {
        switch event {
        case .clientHello(let note):
            guard hello == nil else { return }
            hello = note
            begin = nanoseconds
            self.sequence = self.sequence ?? sequence
        case .secured(let note):
            handshake = note
            self.sequence = sequence
        // A failure after the end of a handshake does not make the handshake fail.
        case .handshakeFailed(let moment, let reason):
            guard handshake == nil else { return }
            failure = Failure(moment: moment, reason: reason)
            self.sequence = sequence
        case .alert(let note): alerts.append(note)
        default: return
        }
    }

    var hasFailed: Bool { failure != nil && hello != nil }

    var fatalAlert: AlertNote? { alerts.last { $0.party == .client && $0.isFatal } }
}

extension SeenHandshake {
    func measure(_ fact: FactName.TLSFact) -> Measurement {
        switch fact {
        case .version: Self.text(handshake?.version)
        case .cipher: Self.text(handshake?.cipherSuite)
        case .group: Self.text(handshake?.group)
        case .alpn: Self.text(handshake?.applicationProtocol)
        case .serverName: Self.text(hello?.serverName)
        case .resumed: Self.text(handshake.map { $0.isResumed ? "true" : "false" })
        case .certificate: Self.text(handshake?.certificate)
        case .client: Self.text(handshake?.clientCertificate)
        case .alert: Self.text(fatalAlert?.name)
        case .end: handshake != nil ? Measurement("secured") : failure != nil ? Measurement("failed") : .absent
        case .offeredVersions: Self.list(hello?.versions)
        case .offeredCiphers: Self.list(hello?.cipherSuites)
        case .offeredGroups: Self.list(hello?.groups)
        case .offeredALPN: Self.list(hello?.applicationProtocols)
        case .offeredExtensions: Self.list(hello?.extensions)
        }
    }

    /// Why the fact has no value, half a sentence; nil where the value itself says so.
    func reasonForAbsence(of fact: FactName.TLSFact) -> String? {
        switch fact {
        case .alert: return "the client sent no fatal alert"
        case .serverName: return "the client sent no server_name"
        case .offeredVersions, .offeredCiphers, .offeredGroups, .offeredALPN, .offeredExtensions: return nil
        case .end: return "the handshake came to no end"
        case .version, .cipher, .group, .alpn, .resumed, .certificate, .client:
            if let failure { return "the handshake failed: \(EventText.printable(failure.reason, limit: 200))" }
            if handshake == nil { return "the handshake was not completed" }
            return fact == .client ? "the client showed no certificate" : nil
        }
    }

    private static func text(_ text: String?) -> Measurement { text.map { Measurement($0) } ?? .absent }

    private static func list(_ texts: [String]?) -> Measurement {
        texts.map { .list($0.map { Array($0.utf8) }) } ?? .absent
    }
}

extension WireRecord {
    var completedHandshakeCount: Int { handshakes.count { connections[$0].tls.handshake != nil } }

    var failedHandshakeCount: Int { handshakes.count { connections[$0].tls.hasFailed } }

    /// The handshake of that number, counted over connections that began one; nil means that there were fewer.
    func handshake(_ index: Int) -> SeenHandshake? {
        handshakes.indices.contains(index) ? connections[handshakes[index]].tls : nil
    }

    /// The failed handshakes, for a person who misses requests, half a sentence; nil means that none failed.
    ///
    /// The connection number is that of the journal and the timeline, which count connections that only carried a
    /// tunnel.
    var failedHandshakes: String? {
        let failed = handshakes.filter { connections[$0].tls.hasFailed }
        guard let first = failed.first, let failure = connections[first].tls.failure else { return nil }
        let number = connections[first].number
        let reason = "\(EventText.printable(failure.reason, limit: 200)) (\(EventText.printable(failure.moment)))"
        return failed.count == 1
            ? "the TLS handshake of connection \(number) failed: \(reason)"
            : "\(failed.count) TLS handshakes failed, the first, of connection \(number): \(reason)"
    }
}
