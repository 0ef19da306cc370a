internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// A connection of HTTP/1.1: all of a reply is bytes.
extension Connection: Wire {
    package static var layout: WireLayout { .bytes }

    package var connection: any RequestConnection { self }
    package var overSocket: Connection? { self }

    package func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        try await output.waitWhilePeerStays(until: deadline)
    }

    package func endWaits() {
        socket.endWaitForPeer()
        socket.endWaitForInput()
    }

    // MARK: Receiving

    package var hasUntakenContent: Bool { !input.buffer.isEmpty }

    package func readAtOnce(_ take: (Span<UInt8>) -> Void) throws(ConnectionEnd) -> ReadAtOnce {
        do throws(SocketError) {
            return try socket.readAtOnce(take)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    package func awaitInput(until deadline: UInt64, answer: @escaping () -> InputWait) async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.waitForInput(until: deadline, answer: answer)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    // MARK: Sending

    package var peerEnd: ConnectionEnd? { output.peerEnd }
    package var isHalfClosed: Bool { output.isHalfClosed }
    package var sendsAtOnce: Bool {
        !input.request.hasUnreadContent && input.request.refusal == nil && !leavesHTTP && !output.isTruncating
            && output.peerEnd == nil
    }

    /// Notes a next request that has come before the reply is out; called before each part of a reply.
    private func lookForNextRequest() {
        if input.looksForNext { noteWaitingRequest(at: MonotonicClock.nanoseconds) }
    }

    package func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int {
        output.isTruncating ? 0 : socket.writeBothAtOnce(bytes, tail)
    }

    package func prepare(for reply: LaidOutReply, _ log: RequestLog) {
        if reply.traits.leavesHTTP { leavesHTTP = true }
        if leavesHTTP { late.opaqueLog = log }
        if reply.continuesRequest { input.request.wasContinued = true }
    }

    package func send(_ section: StreamSection, frame: Int?) -> (byteCount: Int, isLast: Bool) {
        preconditionFailure("a reply laid out as bytes has no field sections")
    }

    package func send(
        _ content: inout ContentCursor, upTo most: Int, _ part: ContentPart, _ buffer: inout [UInt8]
    ) throws(ConnectionEnd) -> Int? {
        guard most > 0 else { return 0 }
        lookForNextRequest()
        let start = content.position
        let count: Int?
        switch content.source {
        case .bytes(let bytes):
            count = try output.writeAtOnce(bytes, start..<start + most, isFollowed: part.isFollowed)
        case .generated(let generator):
            // Nothing is held while the peer does not read: it is made again.
            guard socket.hasTurn, socket.hasRoom else { return nil }
            let piece = generator.piece(from: start, upTo: start + most, in: &buffer)
            count = try output.writeAtOnce(buffer, piece)
        case .file(let sidecar):
            let opened = try ConnectionEnd.rethrow { () throws(ReplyFailure) in try content.opened(sidecar.open) }
            count = try output.writeAtOnce(of: opened.file, from: start, upTo: most)
            if count == 0 { throw ConnectionEnd(sidecar.isShort(now: start)) }
        case .scratch(let scratch, _):
            count = try output.writeAtOnce(of: scratch.file, from: start, upTo: most)
            if count == 0 { throw .sourceFailed("the file of the coded content ends after \(start) bytes") }
        }
        if let count { content.skip(count) }
        return count
    }

    package func awaitRoom() async throws(ConnectionEnd) { try await output.awaitRoom() }

    package func keepReply(_ reply: PlayedReply<Connection>) -> Bool { false }

    package func flush(_ note: (() -> Void)?) { note?() }

    // MARK: Effects

    package func perform(_ action: Effect.Action) async throws(ConnectionEnd) -> Int {
        try await output.perform(action)
        return 0
    }

    // MARK: Ends

    package func endReply(_ content: RequestContent<Connection>) async throws(ConnectionEnd) {
        if output.isTruncating {
            // No byte follows the cut record.
            content.noteUnfinished()
            throw .serverCloses
        }
        if output.isHalfClosed {
            content.noteUnfinished()
            try await late.awaitPeer()
            throw .serverEnded(.closed)
        }
    }

    package func settle(_ content: RequestContent<Connection>, _ way: Settling) async throws(ConnectionEnd) {
        var goesOn = true
        if case .closes = way { goesOn = false }
        guard goesOn, !isStopping, input.request.refusal == nil else {
            content.noteUnfinished()
            throw .serverCloses
        }
        guard input.request.hasUnreadContent else { return }
        if input.mayBeWithheld {
            let isWithheld = try await isContentWithheld {
                input.request.isWithheld = true
                content.log.append(.requestBody(input.request.body))
            }
            if isWithheld { return }
        }
        try await content.receive(.end, isAnswered: true)
    }

    package func endRequest(_ refusal: StreamRefusal) throws(ConnectionEnd) { throw .serverCloses }

    // MARK: What is no longer HTTP

    package func leaveHTTP(_ log: RequestLog) {
        leavesHTTP = true
        late.opaqueLog = log
    }

    package func holdConversation(_ conversation: HeldConversation<Connection>) throws(ConnectionEnd) {
        if case .ended(let end) = conversation { throw end }
        held = conversation
    }

    package var clientSocket: Socket? { carrier.map { $0.clientSocket } ?? socket }
    package var depth: Int { carrier.map { $0.depth + 1 } ?? 0 }

    /// Turns the connection into a tunnel, and always throws the end of that.
    package func carry(
        isSecured: Bool, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd) {
        guard isSecured, socket.layer != nil else {
            await serveTunnel(make(socket, waiting))
            throw .tunnelEnded
        }
        // A socket has one layer, so what is secured within TLS has a socket of its own.
        let (near, far) = try await Self.socketPair(
            on: socket.loop, receiveBufferByteCount: receiveBufferByteCount)
        let relay = SocketRelay(far, socket, SocketRelay.Limits(progress: bounds.progress, closing: bounds.linger))
        async let carried: Void = relay.run()
        await serveTunnel(make(near, waiting))
        await carried
        throw .tunnelEnded
    }

    /// Two ends, of which the origin's has the receive buffer of its `receive-buffer`.
    package static func socketPair(
        on loop: EventLoop, receiveBufferByteCount: Int?
    ) async throws(ConnectionEnd) -> (near: Socket, far: Socket) {
        do throws(SocketError) {
            return try await Socket.pair(on: loop, bufferByteCount: receiveBufferByteCount ?? 64 << 10)
        } catch {
            throw .unanswerable("no connection to the origin can be made: \(error)")
        }
    }

    private func serveTunnel(_ inner: Connection) async {
        // Bytes that came after the head belong to the tunnel.
        inner.input.replaceKept(with: Array(input.buffer.unread))
        inner.input.arrival.didKeep(at: MonotonicClock.nanoseconds)
        input.replaceKept(with: [])
        tunnel = inner
        await inner.serve()
        tunnel = nil
    }

    /// Whether the connection has become a tunnel; requests in the tunnel belong to another `Connection`.
    var isTunnel: Bool { tunnel != nil }
}
