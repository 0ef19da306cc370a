internal import ProctorBase
internal import ProctorHTTP
internal import ProctorImport
internal import ProctorLoop
internal import ProctorTLS

/// One request to the server behind a gateway, on a connection of its own; on the loop's thread.
///
/// The owner calls ``close()`` in the end.
final class UpstreamExchange {
    private let gateway: Gateway
    private let loop: EventLoop
    private var socket: Socket?
    private var reader: (any UpstreamReader)?
    private let request: HandedRequest

    private var patience: UInt64 { gateway.plan.patience }

    init(_ request: HandedRequest, of gateway: Gateway, on loop: EventLoop) {
        (self.request, self.gateway, self.loop) = (request, gateway, loop)
    }

    /// Connects, speaks TLS where the server does, and sends the request as far as the server reads it.
    ///
    /// `security` says which protocols are offered.
    func send(over security: TLSClientContext?) async throws(UpstreamFailure) {
        let socket: Socket
        do throws(SocketError) {
            socket = try await Socket.connect(to: gateway.plan.upstream.address, on: loop, within: patience)
        } catch {
            throw UpstreamFailure(error.description)
        }
        self.socket = socket
        gateway.cancelAtEnd(socket)
        var isMultiplexed = false
        if let context = security { isMultiplexed = try await secure(socket, context) }
        guard let reader: any UpstreamReader = isMultiplexed ? StreamReader(request) : HTTP1Reader(request) else {
            throw UpstreamFailure("there is no memory for a connection of HTTP/2")
        }
        self.reader = reader
        try await flush()
    }

    /// Whether HTTP/2 was agreed on (RFC 7301).
    private func secure(_ socket: Socket, _ context: TLSClientContext) async throws(UpstreamFailure) -> Bool {
        let session = TLSSession(client: context, on: socket, host: gateway.plan.upstream.host)
        do throws(HandshakeFailure) {
            try await session.handshake(within: patience)
        } catch {
            let hint: String =
                switch error {
                case .untrusted:
                    "; --upstream-ca FILE names the certificate that it is to be trusted by, --insecure trusts any"
                case .peerLeft: "; does it speak TLS?"
                default: ""
                }
            throw UpstreamFailure("no TLS: \(error)\(hint)")
        }
        socket.layer = session
        return session.report.applicationProtocol == Array("h2".utf8)
    }

    /// A server may answer and leave before it has read a request: what it has sent is read all the same.
    private func flush() async throws(UpstreamFailure) {
        guard let socket, let output = reader?.takeOutput(), !output.isEmpty else { return }
        do throws(SocketError) {
            try await socket.write(output, within: patience)
        } catch {
            switch error {
            case .failed: return
            case .layerFailed, .timedOut, .cancelled: throw failure(error)
            }
        }
    }

    /// nil behind the last event of the reply.
    func next() async throws(UpstreamFailure) -> UpstreamEvent? {
        guard let reader else { throw UpstreamFailure("there is no connection") }
        while true {
            let step: UpstreamStep
            do throws(UpstreamFailure) {
                step = try reader.next()
            } catch {
                guard error.needsHTTP1 else { throw error }
                close()
                try await send(over: gateway.securityOfHTTP1)
                return try await next()
            }
            switch step {
            case .event(let event): return event
            case .end: return nil
            case .more:
                try await flush()
                try await receive(within: patience)
            }
        }
    }

    private func receive(within limit: UInt64) async throws(UpstreamFailure) {
        guard let socket, let reader else { throw UpstreamFailure("there is no connection") }
        do throws(SocketError) {
            let isOpen: Void? = try await socket.read(within: limit) { reader.receive($0) }
            if isOpen == nil { reader.receiveEnd() }
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: SocketError) -> UpstreamFailure {
        switch error {
        case .timedOut: UpstreamFailure("it sent nothing for \(WaitInWords.text(patience))", .stall)
        case .failed(let failure): UpstreamFailure(failure.description, .reset)
        case .layerFailed(let sentence): UpstreamFailure(sentence, .close)
        case .cancelled: UpstreamFailure("the recording was ended before")
        }
    }

    /// Bytes that came behind the end of the reply, at most 64 KiB of them; waits for them up to 100 ms, or the server's end.
    func readSurplus() async -> [UInt8] {
        guard let reader else { return [] }
        let start = MonotonicClock.nanoseconds
        while reader.surplus.count < Self.surplusByteLimit {
            let spent = MonotonicClock.nanoseconds &- start
            guard spent < Self.surplusTime, let socket else { break }
            let isOpen = try? await socket.read(within: Self.surplusTime - spent) { (bytes: Span<UInt8>) -> Bool in
                reader.receive(bytes)
                return true
            }
            guard isOpen == true else { break }
        }
        return Array(reader.surplus.prefix(Self.surplusByteLimit))
    }

    private static let surplusByteLimit = 64 << 10
    /// Nanoseconds.
    private static let surplusTime: UInt64 = 100_000_000

    func close() {
        guard let socket else { return }
        gateway.release(socket)
        socket.close()
        self.socket = nil
    }
}

/// A time in a sentence.
enum WaitInWords {
    /// `60 s`, `250 ms`.
    static func text(_ nanoseconds: UInt64) -> String {
        let count = nanoseconds / 1_000_000
        return count % 1_000 == 0 && count > 0 ? "\(count / 1_000) s" : "\(count) ms"
    }
}
