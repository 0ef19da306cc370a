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
    private var input: [UInt8] = []
    private var hasEnded = false

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
            var offset = 0
            let bytes = input
            let event = reader.next(bytes.span, at: &offset)
            var content: [UInt8] = []
            if case .content(let range)? = event { content = Array(bytes[range]) }
            input.removeFirst(min(offset, input.count))
            if let event, let told = try told(event, content) { return told }
            if event == nil { try await receive() }
        }
        return nil
    }

    private func told(_ event: ReplyEvent, _ content: [UInt8]) throws(UpstreamFailure) -> Event? {
        switch event {
        case .head(let head): return head.isInterim ? nil : .head(head)
        case .content: return .content(content)
        case .end: hasEnded = true
        case .refused(let violation): throw UpstreamFailure(reason: "it can't be read: \(violation.sentence)")
        case .chunk, .trailers, .violation: break
        }
        return nil
    }

    private func receive() async throws(UpstreamFailure) {
        guard let socket else { throw UpstreamFailure(reason: "there is no connection") }
        let bytes: [UInt8]?
        do throws(SocketError) {
            bytes = try await socket.read(within: patience) { span -> [UInt8] in
                var bytes: [UInt8] = []
                bytes.append(span)
                return bytes
            }
        } catch {
            throw UpstreamFailure(reason: error.description)
        }
        if let bytes {
            input += bytes
            return
        }
        // The end of the connection ends content that has no length.
        while let event = reader.finish() {
            guard try told(event, []) == nil, !hasEnded else { break }
        }
        if !hasEnded { throw UpstreamFailure(reason: "its connection ended before the reply did") }
    }

    func close() {
        guard let socket else { return }
        gateway.release(socket)
        socket.close()
        self.socket = nil
    }
}
