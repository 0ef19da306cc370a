internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

/// Why a server gave no whole reply, half a sentence.
struct UpstreamFailure: Error {
    let reason: String
}

/// One request to the server behind a gateway, on a connection of its own; on the loop's thread.
///
/// The owner calls ``close()`` in the end.
final class UpstreamExchange {
    private let gateway: Gateway
    private let loop: EventLoop
    private let patience: UInt64
    private var socket: Socket?
    private var reader = ReplyReader()
    private var input = UnreadBytes()
    /// What was read and not told yet.
    private var head: ReplyHead?
    private var failure: UpstreamFailure?
    private var hasEnded = false

    /// The most bytes of content in one event.
    private static let pieceByteLimit = 64 << 10

    /// What comes of a reply; interim replies are left out.
    enum Event {
        case head(ReplyHead)
        case content([UInt8])
    }

    init(of gateway: Gateway, on loop: EventLoop, within patience: UInt64, method: [UInt8]) {
        self.gateway = gateway
        self.loop = loop
        self.patience = patience
        reader.expectReply(to: method)
    }

    /// Connects, and sends the whole request.
    func sendRequest(_ request: [UInt8]) async throws(UpstreamFailure) {
        do throws(SocketError) {
            let socket = try await Socket.connect(to: gateway.plan.upstream.address, on: loop, within: patience)
            self.socket = socket
            gateway.cancelAtEnd(socket)
            try await socket.write(request, within: patience)
        } catch {
            throw UpstreamFailure(reason: error.description)
        }
    }

    /// nil behind the last event of the reply.
    func next() async throws(UpstreamFailure) -> Event? {
        while !hasEnded {
            if let failure { throw failure }
            let (content, needsMore) = readContent()
            if let head = self.head {
                self.head = nil
                return .head(head)
            }
            if !content.isEmpty { return .content(content) }
            if needsMore { try await receive() }
        }
        return nil
    }

    /// Content as far as it came, that of many chunks together, up to another event; and whether all input was read.
    private func readContent() -> (content: [UInt8], needsMore: Bool) {
        var content: [UInt8] = []
        while content.count < Self.pieceByteLimit, let event = input.read({ reader.next($0, at: &$1) }) {
            if case .content(let range) = event { content += input.copy(range) }
            noteEvent(event)
            if hasEnded || head != nil || failure != nil { return (content, false) }
        }
        return (content, content.count < Self.pieceByteLimit)
    }

    private func noteEvent(_ event: ReplyEvent) {
        switch event {
        case .head(let head): if !head.isInterim { self.head = head }
        case .end: hasEnded = true
        case .refused(let violation): failure = UpstreamFailure(reason: "it can't be read: \(violation.sentence)")
        case .content, .chunk, .trailers, .violation: break
        }
    }

    private func receive() async throws(UpstreamFailure) {
        guard let socket else { throw UpstreamFailure(reason: "there is no connection") }
        do throws(SocketError) {
            let isOpen: Void? = try await socket.read(within: patience) { input.append($0) }
            if isOpen != nil { return }
        } catch {
            throw UpstreamFailure(reason: error.description)
        }
        // The end of the connection ends content that has no length.
        while !hasEnded, failure == nil, let event = reader.finish() { noteEvent(event) }
        if !hasEnded, failure == nil { throw UpstreamFailure(reason: "its connection ended before the reply did") }
    }

    func close() {
        guard let socket else { return }
        gateway.release(socket)
        socket.close()
        self.socket = nil
    }
}
