import ProctorJournal
import ProctorScenario

/// The journal's entries about TLS on one connection; empty for a connection without TLS.
struct SeenHandshake {
    /// The first ClientHello; nil means that no complete one arrived.
    private(set) var hello: ClientHelloNote?
    /// The time of the ClientHello, in the journal's nanoseconds.
    private(set) var begin: UInt64?
    /// nil means that the handshake was not completed.
    private(set) var handshake: HandshakeNote?
    /// Why the handshake failed; nil when it did not, or when the journal does not say.
    private(set) var failure: Failure?
    private(set) var alerts: [AlertNote] = []
    /// The entry of the handshake's end, or else of the ClientHello.
    private(set) var sequence: UInt64?

    struct Failure {
        let moment: String
        let reason: String
    }

    mutating func read(_ entry: JournalEntry) {
        switch entry.event {
        case .clientHello(let note):
            guard hello == nil else { return }
            hello = note
            begin = entry.nanoseconds
            sequence = sequence ?? entry.sequence
        case .secured(let note):
            handshake = note
            sequence = entry.sequence
        // A failure after the end of a handshake does not make the handshake fail.
        case .handshakeFailed(let moment, let reason):
            guard handshake == nil else { return }
            failure = Failure(moment: moment, reason: reason)
            sequence = entry.sequence
        case .alert(let note): alerts.append(note)
        default: return
        }
    }

    var hasFailed: Bool { failure != nil && hello != nil }

    var fatalAlert: AlertNote? { alerts.last { $0.party == .client && $0.isFatal } }
}

extension WireRecord {
    /// The failed handshakes, half a sentence for a person who misses requests; nil when none failed.
    ///
    /// The connection number is that of the journal and the timeline, which also count connections that only carried a
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
