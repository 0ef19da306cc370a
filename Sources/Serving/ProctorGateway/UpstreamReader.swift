internal import ProctorBase
internal import ProctorHTTP
internal import ProctorImport

/// What comes of a reply; interim replies are left out.
enum UpstreamEvent {
    typealias Field = (name: [UInt8], value: [UInt8])

    case head(ReplyHead)
    case content([UInt8])
    /// Without those of one connection.
    case trailers([Field])
}

/// Why a server gave no whole reply.
struct UpstreamFailure: Error {
    /// Half a sentence.
    let reason: String
    /// What the server did, as a fixture can do it too; nil: nothing that a recording can have.
    let ending: RecordedReply.Ending?
    /// The server answers the request over HTTP/1.1 alone, and has not done so yet (RFC 9113 §7, HTTP_1_1_REQUIRED).
    var needsHTTP1 = false

    init(_ reason: String, _ ending: RecordedReply.Ending? = nil) {
        (self.reason, self.ending) = (reason, ending)
    }
}

/// One request and its reply in the bytes of one protocol, without I/O; on the loop's thread.
protocol UpstreamReader: AnyObject {
    /// Bytes for the server, which are the caller's from then on.
    func takeOutput() -> [UInt8]
    /// Takes what came of the server, at most what one read gives.
    func receive(_ bytes: borrowing Span<UInt8>)
    /// The server has sent its last byte.
    func receiveEnd()
    func next() throws(UpstreamFailure) -> UpstreamStep
    /// Bytes behind the end of the reply that belong to no reply.
    var surplus: [UInt8] { get }
}

enum UpstreamStep {
    case event(UpstreamEvent)
    /// More bytes are needed.
    case more
    case end
}

/// A reply of HTTP/1.1 on a connection of its own.
final class HTTP1Reader: UpstreamReader {
    private var output: [UInt8]
    private var reader = ReplyReader()
    private var input = BufferedBytes()
    private var head: ReplyHead?
    private var trailers: [UpstreamEvent.Field]?
    private var failure: UpstreamFailure?
    private var hasEnded = false

    /// The most bytes of content in one event.
    private static let pieceByteLimit = 64 << 10

    init(_ request: HandedRequest) {
        output = request.http1Bytes
        reader.expectReply(to: request.method)
    }

    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    func receive(_ bytes: borrowing Span<UInt8>) { input.append(bytes) }

    /// The end of the connection ends content that has no length.
    func receiveEnd() {
        while !hasEnded, failure == nil, let event = reader.finish() {
            guard case .refused(let violation) = event else {
                noteEvent(event)
                continue
            }
            failure = UpstreamFailure(violation.sentence, .close)
        }
        if !hasEnded, failure == nil { failure = UpstreamFailure("its connection ended before the reply did", .close) }
    }

    func next() throws(UpstreamFailure) -> UpstreamStep {
        var content: [UInt8] = []
        while head == nil, !hasEnded, failure == nil, content.count < Self.pieceByteLimit,
            let event = input.read({ reader.next($0, at: &$1) })
        {
            if case .content(let range) = event { content += input.copy(range) }
            noteEvent(event)
        }
        if !content.isEmpty { return .event(.content(content)) }
        if let head = head.take() { return .event(.head(head)) }
        if let trailers = trailers.take() { return .event(.trailers(trailers)) }
        if hasEnded { return .end }
        if let failure { throw failure }
        return .more
    }

    private func noteEvent(_ event: ReplyEvent) {
        switch event {
        case .head(let head): if !head.isInterim { self.head = head }
        case .end: hasEnded = true
        case .refused(let violation): failure = UpstreamFailure("it can't be read: \(violation.sentence)")
        case .trailers(let section): trailers = HandedMessage.fields(of: section)
        case .content, .chunk, .violation: break
        }
    }

    var surplus: [UInt8] { hasEnded ? input.rest : [] }
}
