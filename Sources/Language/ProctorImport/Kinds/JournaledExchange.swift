import ProctorHTTP
import ProctorJournal

/// A request as it stands in a journal, with what was sent for it.
struct JournaledExchange {
    /// `entry 12`.
    let place: String
    /// The name of the origin that answered.
    private(set) var origin: String
    let head: RequestHead
    let target: [UInt8]
    private(set) var body: RequestBody?
    /// The last final reply that began; nil when none did.
    private(set) var reply: SentReply?
    private(set) var interim: [SentReply] = []
    /// Whether all of a reply of raw bytes was sent.
    private(set) var sentRaw = false
    /// Whether an effect cut the reply, or may have cut it.
    private(set) var isCut = false

    /// With their numbers in the journal, in the order of arrival; without the CONNECTs of clients that need a proxy for names.
    static func all(in entries: [JournalEntry]) -> [(number: Int, exchange: JournaledExchange)] {
        var exchanges: [(number: Int, exchange: JournaledExchange)] = []
        var places: [Int: Int] = [:]
        var origins: [Int: String] = [:]
        for entry in entries {
            if case .connectionOpened(let origin, _, _) = entry.event, let connection = entry.connection {
                origins[connection] = origin
            }
            guard let number = entry.request else { continue }
            if case .requestHead(let head, let target) = entry.event {
                let origin = entry.connection.flatMap { origins[$0] } ?? "main"
                guard origin != namesOrigin || !head.hasMethod("CONNECT") else { continue }
                places[number] = exchanges.count
                exchanges.append(
                    (
                        number,
                        JournaledExchange(place: "entry \(entry.sequence)", origin: origin, head: head, target: target)
                    ))
            } else if let place = places[number] {
                exchanges[place].exchange.read(entry.event)
            }
        }
        return exchanges
    }

    /// The journal's name for the proxy that reaches all names; a client need not use it.
    private static let namesOrigin = "names"

    private init(place: String, origin: String, head: RequestHead, target: [UInt8]) {
        (self.place, self.origin, self.head, self.target) = (place, origin, head, target)
    }

    private mutating func read(_ event: JournalEvent) {
        switch event {
        case .routed(let origin, _): self.origin = origin
        case .requestBody(let body): self.body = body
        case .replyBegun(let sent) where sent.isInterim: interim.append(sent)
        case .replyBegun(let sent): reply = sent
        case .replySent(nil, _): sentRaw = true
        case .effectPlayed(let effect): if effect.ends.cutsReply(on: head.stream) { isCut = true }
        default: break
        }
    }
}
