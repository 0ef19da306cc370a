internal import ProctorHTTP
internal import ProctorJournal

/// A reply on its way to a client: what is sent, and what a journal will have of it; a value without I/O.
struct HandedReply {
    private let head: RequestHead
    private let faults: GatewayFaults
    private var framing = HandedMessage.Framing.none
    private(set) var reply: ReplyHead?
    private var kept: [UInt8] = []
    /// Content bytes that came of the server.
    private(set) var contentByteCount = 0
    private var handedByteCount = 0
    private var trailers: [UpstreamEvent.Field] = []

    enum Step: Equatable {
        case send([UInt8])
        case pause(Duration)
        case cut
    }

    init(to head: RequestHead, faults: GatewayFaults) {
        (self.head, self.faults) = (head, faults)
    }

    /// The steps for an event of the server's reply; nil is its end.
    mutating func steps(for event: UpstreamEvent?) -> [Step] {
        switch event {
        case .head(let reply)?:
            self.reply = reply
            switch reply.framing {
            // What ends a stream with its head needs a length over HTTP/1.1.
            case .none
            where reply.version == .http2 && !head.hasMethod("HEAD") && !ReplyHead.hasNoContent(reply.status):
                framing = .length(0)
            case .none, .tunnel: framing = .none
            case .length(let count): framing = .length(count)
            case .chunked, .untilClose, .stream: framing = head.version == .http10 ? .close : .chunked
            }
            let step = Step.send(HandedMessage.reply(reply, framing, closes: !keepsConnection))
            return faults.cutByteCount == 0 && framing != .none ? [step, .cut] : [step]
        case .content(let bytes)?:
            contentByteCount += bytes.count
            kept += bytes.prefix(max(0, SentContent.keptByteLimit - kept.count))
            return pieces(of: bytes)
        case .trailers(let fields)?:
            trailers = fields
            return []
        case nil:
            guard framing == .chunked else { return [] }
            var end: [UInt8] = []
            ReplyWriter.chunkHead(byteCount: 0, into: &end)
            for field in trailers { ReplyWriter.fieldLine(name: field.name, value: field.value, into: &end) }
            ReplyWriter.lineEnd(into: &end)
            return [.send(end)]
        }
    }

    private mutating func pieces(of bytes: [UInt8]) -> [Step] {
        var steps: [Step] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            var piece = rest.prefix(faults.pause == nil ? rest.count : GatewayFaults.pieceByteCount)
            if let cut = faults.cutByteCount { piece = piece.prefix(max(0, cut - handedByteCount)) }
            if let pause = faults.pause { steps.append(.pause(pause)) }
            if !piece.isEmpty { steps.append(.send(framed(piece))) }
            handedByteCount += piece.count
            if let cut = faults.cutByteCount, handedByteCount >= cut { return steps + [.cut] }
            rest = rest.dropFirst(piece.count)
        }
        return steps
    }

    private func framed(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        guard framing == .chunked else { return Array(piece) }
        var bytes: [UInt8] = []
        ReplyWriter.chunkHead(byteCount: piece.count, into: &bytes)
        bytes += piece
        ReplyWriter.lineEnd(into: &bytes)
        return bytes
    }

    var status: Int? { reply?.status }

    /// Whether the client may send another request on its connection.
    var keepsConnection: Bool { head.keepsConnection && framing != .close }

    /// The reply as the server gave it, for the journal; nil before its head.
    var sent: SentReply? {
        guard let reply else { return nil }
        return SentReply(
            status: reply.status, fields: reply.fields, headByteCount: reply.bytes.count,
            content: SentContent(byteCount: contentByteCount, kept: kept), isOfOneRequest: true)
    }
}
