internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal

/// A request as a client sent it by bytes.
struct SentRequest {
    /// As the bytes have it, also where no reader can read them.
    let method: [UInt8]
    /// nil: it can't be read.
    var head: RequestHead?
    var content: [UInt8] = []
    var isComplete = false

    /// What a request has in common with that which the origin got of it: the field Mark, or else the target.
    var mark: [UInt8]? { head.map(Mark.init)?.bytes }
}

/// A reply as it came to a client, with its interim replies.
struct GotReply {
    let connection: Int
    /// Nil where the bytes are no reply that can be read.
    var head: ReplyHead?
    var interim: [ReplyHead]
    /// The request that it answers.
    var request: SentRequest?
    /// The journal entry with the last bytes of its head.
    let sequence: UInt64
    var content: [UInt8] = []
    var extensions: [[UInt8]] = []
    var trailers: FieldSection?
    var isComplete = false
    var violations: [Violation] = []
    /// The error code of RST_STREAM, where the reply came on a stream.
    var reset: String?
    /// The kinds of violations of RFC 9113 on the stream.
    var streamViolations: [String] = []
    /// How the connection ended behind it; nil: it stayed open, or the client ended it.
    var end: JournalEvent.Ending?
}

/// One connection of a client that sends bytes: its requests, and the replies that came.
struct DownstreamConnection {
    private let number: Int
    private var requestReader = RequestReader(acceptsAnything: true)
    private var replyReader = ReplyReader()
    private var requests: [SentRequest] = []
    /// How many of the requests have a head that was read.
    private var readCount = 0
    private var isUnreadable = false
    private var interim: [ReplyHead] = []
    private var violations: [Violation] = []
    private var replies: [GotReply] = []
    /// The streams of a connection that has streams.
    private var streams: DownstreamStreams
    /// Interim replies that no final one followed.
    var leftInterim: [ReplyHead] { interim + streams.leftInterim }
    /// The error code of the last GOAWAY of the peer.
    var goAway: String? { streams.goAway }

    init(_ number: Int) {
        self.number = number
        streams = DownstreamStreams(number)
    }

    mutating func read(_ note: DownstreamNote, at sequence: UInt64) {
        switch note.event {
        case .opened, .missed, .stoodBetween: return
        case .sent(let bytes, _, let method): readSent(bytes, method)
        case .received(let bytes, _): readReceived(bytes, at: sequence)
        case .said(let part): streams.read(part, at: sequence)
        case .ended(let party, let how):
            guard party == .server else { return }
            // A reset ends no content (RFC 9112 §8).
            if how == .closed {
                while let event = replyReader.finish() { noteEvent(event, [], at: sequence) }
            }
            if !replies.isEmpty { replies[replies.count - 1].end = how }
            streams.noteEnd(by: how)
        }
    }

    private mutating func readSent(_ bytes: [UInt8], _ method: String?) {
        if let method {
            requests.append(SentRequest(method: Array(method.utf8)))
            replyReader.expectReply(to: Array(method.utf8))
        }
        guard !isUnreadable else { return }
        var offset = 0
        while let event = requestReader.next(bytes.span, at: &offset) {
            switch event {
            case .head(let head):
                if readCount == requests.count {
                    // The bytes hold another request than those that begin with a head of their own.
                    requests.append(SentRequest(method: Array(head.methodBytes)))
                    replyReader.expectReply(to: Array(head.methodBytes))
                }
                requests[readCount].head = head
                readCount += 1
            case .content(let range): if readCount > 0 { requests[readCount - 1].content += bytes[range] }
            case .end: if readCount > 0 { requests[readCount - 1].isComplete = true }
            case .refused: isUnreadable = true
            case .chunk, .trailers, .violation: break
            }
        }
    }

    private mutating func readReceived(_ bytes: [UInt8], at sequence: UInt64) {
        var offset = 0
        while let event = replyReader.next(bytes.span, at: &offset) { noteEvent(event, bytes, at: sequence) }
    }

    private mutating func noteEvent(_ event: ReplyEvent, _ bytes: [UInt8], at sequence: UInt64) {
        switch event {
        case .head(let head) where head.isInterim:
            interim.append(head)
            violations += head.violations
        case .head(let head): beginReply(head, at: sequence)
        case .content(let range): change { $0.content += bytes[range] }
        case .chunk(_, let extensions): if !extensions.isEmpty { change { $0.extensions.append(extensions) } }
        case .trailers(let section): change { $0.trailers = section }
        case .end: change { $0.isComplete = true }
        case .violation(let violation): noteViolation(violation)
        case .refused(let violation):
            if replies.last.map(\.isComplete) ?? true { beginReply(nil, at: sequence) }
            noteViolation(violation)
        }
    }

    private mutating func beginReply(_ head: ReplyHead?, at sequence: UInt64) {
        let request = requests.indices.contains(replies.count) ? requests[replies.count] : nil
        replies.append(
            GotReply(connection: number, head: head, interim: interim, request: request, sequence: sequence))
        replies[replies.count - 1].violations = violations + (head?.violations ?? [])
        (interim, violations) = ([], [])
    }

    private mutating func noteViolation(_ violation: Violation) {
        if replies.last.map(\.isComplete) ?? true {
            violations.append(violation)
        } else {
            change { $0.violations.append(violation) }
        }
    }

    private mutating func change(_ body: (inout GotReply) -> Void) {
        guard !replies.isEmpty else { return }
        body(&replies[replies.count - 1])
    }

    /// The replies with the requests as they were sent in the end, since a reply may come before its request is whole.
    var wholeReplies: [GotReply] {
        zip(replies, replies.indices).map { reply, index in
            var reply = reply
            if requests.indices.contains(index) { reply.request = requests[index] }
            return reply
        } + streams.replies
    }
}

/// What a message is known by at both ends: the field Mark, which every intermediary hands on, or else the target without its origin.
struct Mark: Equatable {
    let bytes: [UInt8]

    init(_ head: RequestHead) {
        bytes = head.fields.first(named: "Mark").map { Array($0) } ?? Self.originForm(head.target)
    }

    /// A target in absolute-form as the origin gets it (RFC 9112 §3.2.2); others as they are.
    static func originForm(_ target: [UInt8]) -> [UInt8] {
        let scheme = Array("://".utf8)
        guard target.first != UInt8(ascii: "/"),
            let colon = target.firstIndex(of: UInt8(ascii: ":")), target[colon...].starts(with: scheme)
        else { return target }
        let rest = target[(colon + 3)...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        return rest.first == UInt8(ascii: "/") ? Array(rest) : [UInt8(ascii: "/")] + rest
    }
}
