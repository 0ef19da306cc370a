internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

/// The streams of one connection of a client that sends frames: its requests, and the replies that came (RFC 9113 §8.1).
struct DownstreamStreams {
    private let number: Int
    private var sent: [UInt32: SentRequest] = [:]
    private var interim: [UInt32: [ReplyHead]] = [:]
    /// The numbers of the streams of `got`, in the order in which their replies began.
    private var order: [UInt32] = []
    private var got: [UInt32: GotReply] = [:]
    /// Kinds of violations of the connection, which are told with the next reply.
    private var violations: [String] = []
    /// The error code of the last GOAWAY of the peer.
    private(set) var goAway: String?

    init(_ number: Int) { self.number = number }

    /// With the requests as they were sent in the end.
    var replies: [GotReply] {
        order.compactMap { stream in
            got[stream].map { reply in
                var reply = reply
                reply.request = sent[stream]
                return reply
            }
        }
    }

    /// Interim replies that no final one followed.
    var leftInterim: [ReplyHead] { interim.sorted { $0.key < $1.key }.flatMap(\.value) }

    mutating func read(_ part: DownstreamNote.Part, at sequence: UInt64) {
        switch part.party {
        case .client: readSent(part)
        case .server: readReceived(part, at: sequence)
        }
    }

    private mutating func readSent(_ part: DownstreamNote.Part) {
        switch part.what {
        case .head:
            let fields = Pseudo(part.fields)
            let method = fields[":method"] ?? []
            var request = SentRequest(method: method)
            request.head = RequestHead(
                RequestHead.ControlData(
                    method: method, path: fields[":path"], authority: fields[":authority"],
                    protocolName: fields[":protocol"], endsStream: part.endsStream, contentLength: nil,
                    stream: part.stream),
                fields: fields.others)
            request.isComplete = part.endsStream
            sent[part.stream] = request
        case .content:
            sent[part.stream]?.content += part.bytes
            if part.endsStream { sent[part.stream]?.isComplete = true }
        case .trailers: if part.endsStream { sent[part.stream]?.isComplete = true }
        case .reset, .goaway, .settings, .frame, .violation: break
        }
    }

    private mutating func readReceived(_ part: DownstreamNote.Part, at sequence: UInt64) {
        switch part.what {
        case .head: readHead(part, at: sequence)
        case .content:
            got[part.stream]?.content += part.bytes
            if part.endsStream { got[part.stream]?.isComplete = true }
        case .trailers:
            got[part.stream]?.trailers = FieldSection(part.fields.map { (name: $0.name, value: $0.value) })
            if part.endsStream { got[part.stream]?.isComplete = true }
        case .reset:
            beginReply(nil, on: part.stream, at: sequence)
            got[part.stream]?.reset = part.code
        case .goaway: goAway = part.code
        case .violation:
            guard let code = part.code else { return }
            guard got[part.stream] != nil else { return violations.append(code) }
            got[part.stream]?.streamViolations.append(code)
        case .settings, .frame: break
        }
    }

    private mutating func readHead(_ part: DownstreamNote.Part, at sequence: UInt64) {
        let fields = Pseudo(part.fields)
        let status = fields[":status"].flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        let lengths = fields.others.filter { $0.name == Array("content-length".utf8) }.map(\.value)
        let length = lengths.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
        let head = ReplyHead(
            status: min(max(status ?? 0, 0), 999), fields: fields.others, contentLength: length,
            hasNoContent: part.endsStream || sent[part.stream]?.method == Array("HEAD".utf8))
        if head.isInterim {
            interim[part.stream, default: []].append(head)
            return
        }
        beginReply(head, on: part.stream, at: sequence)
        if part.endsStream { got[part.stream]?.isComplete = true }
    }

    /// Begins the reply of a stream that has none.
    private mutating func beginReply(_ head: ReplyHead?, on stream: UInt32, at sequence: UInt64) {
        guard got[stream] == nil else { return }
        order.append(stream)
        var reply = GotReply(
            connection: number, head: head, interim: interim.removeValue(forKey: stream) ?? [], sequence: sequence)
        reply.streamViolations = violations
        violations = []
        got[stream] = reply
    }

    /// The reply ended with its connection; those whose end had come are not concerned.
    mutating func noteEnd(by how: JournalEvent.Ending) {
        for stream in order where got[stream]?.isComplete == false { got[stream]?.end = how }
        if let last = order.last { got[last]?.end = how }
    }
}

/// The fields of a head, pseudo-fields apart.
private struct Pseudo {
    private let control: [[UInt8]: [UInt8]]
    let others: [(name: [UInt8], value: [UInt8])]

    init(_ fields: [HeaderField]) {
        control = Dictionary(fields.filter(\.isPseudo).map { ($0.name, $0.value) }) { first, _ in first }
        others = fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) }
    }

    subscript(_ name: String) -> [UInt8]? { control[Array(name.utf8)] }
}
