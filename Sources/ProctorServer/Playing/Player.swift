internal import ProctorBase
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

/// Plays a plan on a socket: bytes as they are, effects at their places.
///
/// Loop thread only.
struct Player {
    let socket: Socket
    let bounds: ConnectionBounds
    private(set) var sentByteCount = 0
    /// Bytes of the first step that were sent before it began.
    private var wentAtOnce = 0
    /// FIN was sent; nothing more can be.
    private(set) var isHalfClosed = false

    init(socket: Socket, bounds: ConnectionBounds) {
        self.socket = socket
        self.bounds = bounds
    }

    /// Plays a plan that is one piece of bytes, if the system takes all of them at once; false when ``play(_:_:)`` must.
    mutating func playAtOnce(_ plan: ReplyPlan) -> Bool {
        guard plan.steps.count == 1, case .send(let bytes) = plan.steps[0] else { return false }
        wentAtOnce = socket.writeAtOnce(bytes)
        sentByteCount = wentAtOnce
        return wentAtOnce == bytes.count
    }

    /// Plays to the end, behind what went at once, or throws how the connection ended.
    mutating func play(_ plan: ReplyPlan, _ log: RequestLog) async throws(ConnectionEnd) {
        for step in plan.steps {
            switch step {
            case .send(let bytes): try await send(bytes)
            case .stream(let source, let range): try await stream(source, range)
            case .effect(let action, let position):
                log.append(.effectPlayed(action: action.text, position: position))
                try await perform(action)
            }
        }
    }

    /// Plays one effect of a connection, before any reply.
    mutating func perform(_ action: Effect.Action) async throws(ConnectionEnd) {
        switch action {
        case .wait(let duration):
            guard await socket.loop.sleep(for: duration) else { throw .stopped }
        case .send(let source):
            if let bytes = source.literalBytes {
                try await send(bytes)
            } else {
                try await stream(source, 0..<source.boundByteCount)
            }
        case .close(let abrupt):
            if abrupt {
                socket.close()
                throw .oursDone(.closed)
            }
            await settle()
            throw .oursInOrder
        case .reset(let abrupt):
            if !abrupt { await settle() }
            socket.reset()
            throw .oursDone(.reset)
        case .halfClose:
            socket.halfClose()
            isHalfClosed = true
        case .stall:
            try await stall()
        }
    }

    /// After a half-close: reads on until the peer leaves too, then closes.
    func awaitPeer() async throws(ConnectionEnd) {
        do throws(SocketError) {
            while try await socket.read(within: bounds.stall, { $0.count }) != nil {}
        } catch {
            if error == .cancelled { throw ConnectionEnd(error) }
        }
        socket.close()
    }

    private func stall() async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.waitUntilPeerLeaves(within: bounds.stall)
        } catch {
            throw ConnectionEnd(error)
        }
        throw socket.wasReset ? .peerReset : .peerClosed
    }

    /// Waits, bounded, until the peer's side has acknowledged everything that was written.
    private func settle() async {
        let start = MonotonicClock.nanoseconds
        while let left = socket.unacknowledgedByteCount, left > 0,
            MonotonicClock.nanoseconds &- start < bounds.settle
        {
            guard await socket.loop.sleep(for: .milliseconds(1)) else { return }
        }
    }

    // MARK: Bytes

    private mutating func send(_ bytes: [UInt8]) async throws(ConnectionEnd) {
        guard !isHalfClosed else { return }
        var sent = wentAtOnce
        wentAtOnce = 0
        while sent < bytes.count {
            do throws(SocketError) {
                let count = try await socket.writeSome(bytes, from: sent, within: bounds.progress)
                sent += count
                sentByteCount += count
            } catch {
                throw ConnectionEnd(error)
            }
        }
    }

    private mutating func stream(_ source: ByteSource, _ range: Range<Int>) async throws(ConnectionEnd) {
        guard !isHalfClosed else { return }
        switch source {
        case .file(let file): try await stream(file, range)
        case .repeated, .pattern:
            let generator = ByteGenerator(source)
            var position = range.lowerBound
            while position < range.upperBound {
                let piece = generator.bytes(from: position, upTo: range.upperBound)
                try await send(piece)
                position += piece.count
            }
        case .literal(let bytes): try await send(Array(bytes[range]))
        case .template: break
        }
    }

    private mutating func stream(_ file: SidecarFile, _ range: Range<Int>) async throws(ConnectionEnd) {
        do {
            let open = try OpenFile(path: file.path)
            var position = range.lowerBound
            while position < range.upperBound {
                let count = try await socket.sendSome(
                    of: open, from: position, byteCount: min(range.upperBound - position, 1 << 20),
                    within: bounds.progress)
                guard count > 0 else {
                    throw ConnectionEnd.sourceFailed(
                        "\(file.path) has \(position) bytes now, and had \(file.byteCount) when it was loaded")
                }
                position += count
                sentByteCount += count
            }
        } catch let error as SocketError {
            throw ConnectionEnd(error)
        } catch let failure as CallFailure {
            throw .sourceFailed("\(failure)")
        } catch let end as ConnectionEnd {
            throw end
        } catch {
            throw .sourceFailed("\(error)")
        }
    }
}

extension Effect.Action {
    /// As a fixture writes it.
    var text: String {
        switch self {
        case .wait(let duration): "wait \(duration)"
        case .close(let abrupt): abrupt ? "close abrupt" : "close"
        case .reset(let abrupt): abrupt ? "reset abrupt" : "reset"
        case .halfClose: "half-close"
        case .stall: "stall"
        case .send(let source): "send \(source.boundByteCount) bytes"
        }
    }
}
