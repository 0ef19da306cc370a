import ProctorHTTP
import ProctorJournal

/// A request as it stands in a journal, with what was sent for it.
struct JournaledExchange {
    /// The sequence of the journal entry with the request's head.
    let sequence: UInt64
    /// The server's address at which its connection came; nil where the journal does not hold its beginning.
    let local: String?
    /// The name of the origin that answered.
    private(set) var origin: String
    let head: RequestHead
    let target: [UInt8]
    private(set) var body: RequestBody?
    /// The last final reply that began; nil when none did.
    private(set) var reply: SentReply?
    /// The sequence of the journal entry with the reply.
    private(set) var replySequence: UInt64?
    private(set) var interim: [SentReply] = []
    /// Whether all of a reply of raw bytes was sent.
    private(set) var sentRaw = false
    /// Whether an effect cut the reply, or may have cut it.
    private(set) var isCut = false

    /// With their numbers in the journal, in the order of arrival; without the CONNECTs of clients that need a proxy for names.
    static func all(in entries: [JournalEntry]) -> [(number: Int, exchange: JournaledExchange)] {
        var exchanges: [(number: Int, exchange: JournaledExchange)] = []
        var places: [Int: Int] = [:]
        var connections: [Int: (origin: String, local: String)] = [:]
        for entry in entries {
            if case .connectionOpened(let origin, _, let local) = entry.event, let connection = entry.connection {
                connections[connection] = (origin, local)
            }
            guard let number = entry.request else { continue }
            if case .requestHead(let head, let target) = entry.event {
                let connection = entry.connection.flatMap { connections[$0] }
                guard connection?.origin != namesOrigin || !head.hasMethod("CONNECT") else { continue }
                places[number] = exchanges.count
                let exchange = JournaledExchange(
                    sequence: entry.sequence, local: connection?.local, origin: connection?.origin ?? "main",
                    head: head, target: target)
                exchanges.append((number, exchange))
            } else if let place = places[number] {
                exchanges[place].exchange.read(entry)
            }
        }
        return exchanges
    }

    /// `entry 12`.
    var place: String { "entry \(sequence)" }

    /// The journal's name for the proxy that reaches all names; a client need not use it.
    private static let namesOrigin = "names"

    private init(sequence: UInt64, local: String?, origin: String, head: RequestHead, target: [UInt8]) {
        (self.sequence, self.local, self.origin, self.head, self.target) = (sequence, local, origin, head, target)
    }

    private mutating func read(_ entry: JournalEntry) {
        switch entry.event {
        case .routed(let origin, _): self.origin = origin
        case .requestBody(let body): self.body = body
        case .replyBegun(let sent) where sent.isInterim: interim.append(sent)
        case .replyBegun(let sent): (reply, replySequence) = (sent, entry.sequence)
        case .replySent(nil, _): sentRaw = true
        case .effectPlayed(let effect): if effect.ends.cutsReply(on: head.stream) { isCut = true }
        default: break
        }
    }
}
