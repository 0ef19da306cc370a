import ProctorBase
import ProctorHTTP
import ProctorJournal

/// What the server saw of the loads of a schedule.
struct StormWire {
    struct Request {
        /// The step; nil: no load of the schedule has such a target.
        let step: Int?
        let target: String
        let method: String
        let connection: Int
        let stream: UInt32?
        let time: UInt64
        /// The values of its Cookie fields.
        let cookies: [String]
        var status: Int?
        /// Whether all of a final reply was sent.
        var isWhole = false
        /// Whether an effect cut it, or may have.
        var isCut = false
        /// Whether the server said that it did not process it.
        var isUnprocessed = false
        /// When the reply was over, before what the server did behind its last byte; nil: it never was.
        var endedAt: UInt64?
    }

    struct Connection {
        var number = 0
        var origin = ""
        var openedAt: UInt64 = 0
        var end: (by: JournalEvent.Party, how: JournalEvent.Ending, time: UInt64)?
        /// Whether it only carries a tunnel.
        var isCarrier = false
        /// When the server last did something to it.
        var lastEffect: UInt64?
        /// The highest stream that a GOAWAY of the server left in; nil: there was none.
        var lastStream: UInt64?
    }

    private(set) var requests: [Request] = []
    private(set) var connections: [Int: Connection] = [:]
    /// Streams beyond what the server permitted, a sentence each.
    private(set) var excessStreams: [String] = []
    private var places: [Int: Int] = [:]
    private let steps: [String: Int]

    init(_ entries: [JournalEntry], names: [String]) {
        steps = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
        for entry in entries { read(entry) }
        for index in requests.indices where !requests[index].isUnprocessed {
            guard let last = connections[requests[index].connection]?.lastStream, let stream = requests[index].stream
            else { continue }
            if UInt64(stream) > last { requests[index].isUnprocessed = true }
        }
    }

    private mutating func read(_ entry: JournalEntry) {
        if let number = entry.connection { readConnection(entry, number) }
        guard let number = entry.request else { return }
        if case .requestHead(let head, let target) = entry.event {
            places[number] = requests.count
            requests.append(request(head, target, entry))
            return
        }
        guard let place = places[number] else { return }
        switch entry.event {
        case .replyBegun(let reply) where !reply.isInterim:
            requests[place].status = reply.status
            if reply.status == 408 || reply.status == 421 { requests[place].isUnprocessed = true }
        case .replySent:
            requests[place].isWhole = true
            requests[place].endedAt = requests[place].endedAt ?? entry.nanoseconds
        case .replyAborted:
            requests[place].isCut = true
            requests[place].endedAt = entry.nanoseconds
        case .effectPlayed(let effect) where effect.position == "end":
            requests[place].endedAt = requests[place].endedAt ?? entry.nanoseconds
        case .effectPlayed(let effect):
            if effect.ends.cutsReply(on: requests[place].stream) {
                requests[place].isCut = true
            }
        default: break
        }
    }

    private func request(_ head: RequestHead, _ target: [UInt8], _ entry: JournalEntry) -> Request {
        let text = String(decoding: target, as: UTF8.self)
        let step = text.split(separator: "/").lazy.compactMap { steps[String($0)] }.first
        return Request(
            step: step, target: text, method: head.method, connection: entry.connection ?? 0, stream: head.stream,
            time: entry.nanoseconds,
            cookies: head.fields.values(named: "Cookie").map { String(decoding: $0, as: UTF8.self) })
    }

    private mutating func readConnection(_ entry: JournalEntry, _ number: Int) {
        switch entry.event {
        case .connectionOpened(let origin, _, _):
            connections[number, default: Connection()].origin = origin
            connections[number]?.number = number
            connections[number]?.openedAt = entry.nanoseconds
        case .connectionClosed(let party, let how):
            connections[number, default: Connection()].end = (party, how, entry.nanoseconds)
        case .tunnelOpened: connections[number, default: Connection()].isCarrier = true
        case .effectPlayed(let effect):
            connections[number, default: Connection()].lastEffect = entry.nanoseconds
            // What ends a connection, whatever it carries, is noted before the ends of its replies.
            guard entry.request == nil, effect.ends.cutsReply() else { return }
            for index in requests.indices where requests[index].connection == number {
                requests[index].endedAt = requests[index].endedAt ?? entry.nanoseconds
            }
        case .frame(let frame) where frame.party == .server: readFrame(frame, number)
        // A client that has not acknowledged a bound need not know it (RFC 9113 §6.5.3).
        case .frameViolation(let violation)
        where violation.kind == "too-many-streams" && !violation.sentence.contains(text: "not acknowledged"):
            excessStreams.append(violation.sentence)
        default: break
        }
    }

    private mutating func readFrame(_ frame: FrameNote, _ number: Int) {
        switch frame.detail {
        case .goAway(let last, _, _): lower(UInt64(last), of: number)
        // Over HTTP/3 the first request that is not processed (RFC 9114 §5.2).
        case .id(let first) where frame.type == "GOAWAY": lower(first &- 1, of: number)
        case .code("REFUSED_STREAM"), .code("H3_REQUEST_REJECTED"):
            for index in requests.indices
            where requests[index].connection == number && requests[index].stream == frame.stream {
                requests[index].isUnprocessed = true
            }
        default: break
        }
    }

    private mutating func lower(_ last: UInt64, of number: Int) {
        let earlier = connections[number]?.lastStream ?? .max
        connections[number, default: Connection()].lastStream = min(earlier, last)
    }
}
