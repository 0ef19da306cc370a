import ProctorTrace

/// What the journal knows of TLS on one connection; all of it empty where none was spoken.
struct SeenHandshake {
    /// The first that came; nil: it did not come, or not whole.
    private(set) var hello: ClientHelloNote?
    /// When that came, in the journal's nanoseconds.
    private(set) var begin: UInt64?
    /// nil: the handshake was not completed.
    private(set) var handshake: HandshakeNote?
    /// Why it was not; nil where it was, or where nobody said.
    private(set) var failure: Failure?
    /// In the order of the journal.
    private(set) var alerts: [AlertNote] = []
    /// Of the entry that says how it ended, or else of the ClientHello.
    private(set) var sequence: UInt64?

    /// Where a handshake broke off, and why.
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
        // What fails behind the end of a handshake is no failure of it.
        case .handshakeFailed(let moment, let reason):
            guard handshake == nil else { return }
            failure = Failure(moment: moment, reason: reason)
            self.sequence = sequence
        case .alert(let note): alerts.append(note)
        default: return
        }
    }

    /// Whether it was begun and not completed.
    var hasFailed: Bool { failure != nil && hello != nil }

    /// Of the client, the last.
    var fatalAlert: AlertNote? { alerts.last { $0.party == .client && $0.isFatal } }
}
