internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorWebSocket

/// The frames of one WebSocket behind its opening handshake; belongs to its loop's thread.
///
/// A completion is called once, on the caller's queue, before the last call of the task. Messages that came before the end
/// can be received behind it.
final class WebSocketConversation: Sendable {
    let handshake: OpeningHandshake
    private let loop: EventLoop
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let loopState: LoopBound<State>

    /// The connection under the frames.
    struct Line: Sendable {
        /// Sends bytes; false where the connection takes no more.
        let send: @Sendable ([UInt8]) async -> Bool
        /// Ends the connection, and with it the load.
        let end: @Sendable () -> Void
        /// The bytes of so many messages were received by the application.
        let didConsume: @Sendable (Int) -> Void
    }

    /// `closing`: this end has sent its Close frame; `closed`: both have; `failing`: nothing more is read.
    private enum Stage { case connecting, open, closing, closed, failing, over }

    private final class State {
        var line: Line?
        /// Acts of the application that wait for the opening.
        var waiting: [@Sendable () -> Void] = []
        var stage = Stage.connecting
        var reader: WebSocketReader?
        var deflater: MessageDeflater?
        var sendsContext = true
        /// The message under way.
        var kind = WebSocketEvent.MessageKind.text
        var content: [UInt8] = []
        var messages: [WebSocketMessage] = []
        /// Bytes of `messages`.
        var byteCount = 0
        /// Bytes that were read while `byteCount` was above its bound.
        var withheldByteCount = 0
        /// Whether the conversation has no act left that receives a message.
        var isDraining = false
        var receivers: [@Sendable (Result<WebSocketMessage, LoadError>) -> Void] = []
        var pings: [(payload: [UInt8], completion: Completion)] = []
        var pingCount: UInt32 = 0
        var outgoing: [(bytes: [UInt8], completion: Completion?)] = []
        var writer: Task<Void, Never>?
        var timer: Task<Void, Never>?
        var failure: LoadError?
        var close: WebSocketClose?
        var protocolName: String?
    }

    typealias Completion = @Sendable (LoadError?) -> Void

    /// How long this end waits for the server's Close frame, and behind it for the end of the connection.
    private static let closingTime = Duration.seconds(2)

    /// `submit` runs a call on the queue of completions.
    init(
        _ handshake: OpeningHandshake, on loop: EventLoop,
        submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        (self.handshake, self.loop, self.submit) = (handshake, loop, submit)
        loopState = LoopBound(State(), on: loop)
    }

    private var state: State { loopState.value }
    private var fault: WebSocketFault? { handshake.fault }

    /// The protocol that the server has chosen; nil before, and where it has chosen none.
    var protocolName: String? { state.protocolName }

    /// The server's Close frame; nil before it has come.
    var close: WebSocketClose? { state.close }

    // MARK: The load

    /// Begins where the server has switched protocols; throws where its reply opens no WebSocket.
    func open(by head: ReplyHead, over line: Line) throws(LoadError) {
        let reply = try handshake.judge(head)
        let state = state
        state.line = line
        state.stage = .open
        state.protocolName = reply.protocolName
        let compression = reply.compression
        state.reader = makeReader(compression?.direction(from: .server))
        if let direction = compression?.direction(from: .client) {
            state.sendsContext = direction.takesContextOver
            state.deflater = try? MessageDeflater(windowBits: direction.windowBits)
        }
        performWaiting()
    }

    private func performWaiting() {
        let waiting = state.waiting
        state.waiting = []
        for act in waiting { act() }
    }

    private func makeReader(_ compression: DeflateDirection? = nil) -> WebSocketReader {
        var limits = WebSocketLimits()
        limits.messageByteCount = Self.messageByteBound
        limits.frameByteCount = Self.messageByteBound
        return fault == .neverInflates
            ? WebSocketReader(role: .client, limits: limits, permittedBits: .rsv1)
            : WebSocketReader(role: .client, limits: limits, compression: compression)
    }

    /// The most bytes of a message, as in URLSessionWebSocketTask; as many bytes of messages are kept until the
    /// conversation receives them.
    private static let messageByteBound = 1 << 20

    /// Reads bytes; returns the calls for the delegate.
    func read(_ bytes: [UInt8]) -> [DelegateCall] {
        let state = state
        var position = 0
        var calls: [DelegateCall] = []
        while state.stage != .failing, let event = state.reader?.next(bytes.span, at: &position) {
            if let call = handle(event) { calls.append(call) }
        }
        if state.byteCount > Self.messageByteBound, !state.isDraining {
            state.withheldByteCount += bytes.count
        } else {
            state.line?.didConsume(bytes.count)
        }
        return calls
    }

    /// Ends the conversation; returns the error of the task.
    func finish(with loadError: LoadError?) -> LoadError? {
        let state = state
        var error = state.failure
        switch state.stage {
        case .closed: break
        case .connecting, .failing, .over: error = error ?? loadError
        case .open, .closing:
            let lost = LoadError(
                .connectionLost,
                "the connection ended \(state.stage == .open ? "without a Close frame" : "before the server's Close frame") "
                    + "(1006, RFC 6455 §7.1.5)")
            error = error ?? loadError ?? (fault == .takesAnyEnd ? nil : lost)
        }
        (state.stage, state.failure) = (.over, error)
        state.timer?.cancel()
        state.writer?.cancel()
        (state.timer, state.writer, state.line, state.deflater) = (nil, nil, nil, nil)
        state.reader = nil
        let reason = error ?? Self.closed
        let (pings, outgoing) = (state.pings, state.outgoing)
        (state.pings, state.outgoing) = ([], [])
        failReceivers(with: reason)
        performWaiting()
        for ping in pings { submit { ping.completion(reason) } }
        for case (_, let completion?) in outgoing { submit { completion(reason) } }
        return error
    }

    private func failReceivers(with error: LoadError) {
        let receivers = state.receivers
        state.receivers = []
        for receiver in receivers { submit { receiver(.failure(error)) } }
    }

    private static let closed = LoadError(.cancelled, "the WebSocket is closed")

    // MARK: The application

    func send(_ message: WebSocketMessage, fragmentSizes: [Int] = [], completion: @escaping Completion) {
        let state = state
        guard state.stage != .connecting else {
            return state.waiting.append { self.send(message, fragmentSizes: fragmentSizes, completion: completion) }
        }
        guard state.stage == .open else { return submit { [end = state.failure ?? Self.closed] in completion(end) } }
        var content = message.bytes
        if let deflater = state.deflater {
            content = deflater.deflate(content.span)
            if !state.sendsContext { deflater.reset() }
        }
        let opcode: Opcode = message.isText ? .text : .binary
        let frames = WebSocketFrame.dividing(
            content, opcode, sizes: fault == .splitsMessages ? [max(1, content.count / 2), 0] : fragmentSizes,
            isCompressed: state.deflater != nil, key: makeKey)
        var bytes: [UInt8] = []
        for var frame in frames {
            if fault == .splitsMessages { frame.opcode = opcode }
            append(frame, to: &bytes)
        }
        write(bytes, completion)
    }

    func receive(_ completion: @escaping @Sendable (Result<WebSocketMessage, LoadError>) -> Void) {
        let state = state
        if !state.messages.isEmpty {
            let message = state.messages.removeFirst()
            state.byteCount -= message.bytes.count
            consume()
            return submit { completion(.success(message)) }
        }
        let mayCome = [.connecting, .open, .closing].contains(state.stage) || fault == .deliversAfterClose
        guard mayCome, state.stage != .over else {
            return submit { [end = state.failure ?? Self.closed] in completion(.failure(end)) }
        }
        state.receivers.append(completion)
    }

    /// The conversation has no act left that receives, so that further messages do not stop the reading.
    func drain() {
        state.isDraining = true
        consume()
    }

    private func consume() {
        let state = state
        guard state.withheldByteCount > 0, state.isDraining || state.byteCount <= Self.messageByteBound else { return }
        state.line?.didConsume(state.withheldByteCount)
        state.withheldByteCount = 0
    }

    func ping(_ completion: @escaping Completion) {
        let state = state
        guard state.stage != .connecting else { return state.waiting.append { self.ping(completion) } }
        guard state.stage == .open else { return submit { [end = state.failure ?? Self.closed] in completion(end) } }
        state.pingCount += 1
        let payload = (0..<4).map { UInt8(truncatingIfNeeded: state.pingCount >> UInt32(24 - 8 * $0)) }
        state.pings.append((payload, completion))
        write(.ping, payload)
    }

    /// Starts the closing handshake (RFC 6455 §7.1.2); false where there is nothing to close.
    func startClosing(_ code: UInt16?, reason: [UInt8]) -> Bool {
        let state = state
        guard state.stage == .open else { return false }
        state.stage = .closing
        if fault == .noClose {
            state.stage = .closed
            state.line?.end()
            return true
        }
        writeClose(code, reason: reason)
        if fault == .sendsAfterClose { write(.text, Array("late".utf8)) }
        endLater()
        return true
    }

    // MARK: Frames

    private func handle(_ event: WebSocketEvent) -> DelegateCall? {
        let state = state
        switch event {
        case .frame: break
        case .messageBegan(let kind, _): (state.kind, state.content) = (kind, [])
        case .content(let bytes): state.content += bytes
        case .frameEnded where fault == .deliversFragments && !state.content.isEmpty: deliver()
        case .frameEnded: break
        case .messageEnded: if fault != .deliversFragments || !state.content.isEmpty { deliver() }
        case .ping(let payload):
            // Also behind its own Close frame, up to the server's (RFC 6455 §5.5.2).
            guard [.open, .closing].contains(state.stage), fault != .noPong else { break }
            write(.pong, fault == .emptyPong ? [] : payload)
        case .pong(let payload):
            // A Pong answers the Pings before its own too (RFC 6455 §5.5.3).
            guard let index = state.pings.firstIndex(where: { $0.payload == payload }) else { break }
            for ping in state.pings[...index] { submit { ping.completion(nil) } }
            state.pings.removeFirst(index + 1)
        case .close(let code, let reason): return receiveClose(code?.rawValue, reason)
        case .violation(let violation): if !isTolerated(violation.kind) { fail(by: violation) }
        }
        return nil
    }

    private func deliver() {
        let state = state
        let message = WebSocketMessage(state.content, isText: state.kind == .text && fault != .forgetsKind)
        state.content = []
        guard !state.isDraining else { return }
        if !state.receivers.isEmpty {
            let receiver = state.receivers.removeFirst()
            return submit { receiver(.success(message)) }
        }
        state.messages.append(message)
        state.byteCount += message.bytes.count
    }

    private func receiveClose(_ code: UInt16?, _ reason: [UInt8]) -> DelegateCall? {
        let state = state
        guard state.close == nil else { return nil }
        let close = WebSocketClose(code: code ?? CloseCode.noStatusReceived.rawValue, reason: reason)
        state.close = close
        if state.stage == .open, fault != .noCloseReply {
            writeClose(code, reason: [])
        }
        state.stage = .closed
        endLater()
        if fault == .deliversAfterClose {
            state.reader = makeReader()
        } else {
            failReceivers(with: Self.closed)
        }
        return .webSocketClosed(close)
    }

    private func isTolerated(_ kind: WebSocketViolation.Kind) -> Bool {
        switch kind {
        case .reservedBit, .compressionBitMisplaced: fault == .takesReservedBits
        case .unknownOpcode: fault == .takesUnknownOpcodes
        case .maskPresent: fault == .takesMaskedFrames
        case .badUTF8, .incompleteUTF8, .badCloseReason: fault == .takesInvalidText || fault == .neverInflates
        case .controlFrameTooLong: fault == .takesLongControlFrames
        case .controlFrameFragmented: fault == .takesFragmentedControlFrames
        case .continuationWithoutStart, .messageInterrupted: fault == .takesStrayContinuations
        case .badCloseCode, .closeBodyOfOneByte: fault == .takesAnyCloseCode
        case .lengthNotMinimal, .lengthTopBit: fault == .takesAnyLength
        default: false
        }
    }

    /// Fails the connection (RFC 6455 §7.1.7): a Close frame with the code, and no more is read.
    private func fail(by violation: WebSocketViolation) {
        let state = state
        guard let code = violation.closeCode, [.open, .closing].contains(state.stage) else { return }
        state.failure = LoadError(
            code == .messageTooBig ? .dataLengthExceedsMaximum : .cannotParseResponse,
            "the WebSocket failed with \(code): \(violation)")
        let hasClosed = state.stage == .closing
        state.stage = .failing
        guard fault != .failsSilently else {
            state.line?.end()
            return
        }
        if !hasClosed { writeClose(code.rawValue, reason: Array(violation.kind.rawValue.utf8)) }
        endLater()
    }

    /// The server ends the connection first (RFC 6455 §7.1.1), unless it takes too long.
    private func endLater() {
        let state = state
        state.timer?.cancel()
        state.timer = Task(executorPreference: loop) { [weak self, loop] in
            guard await loop.sleep(for: Self.closingTime) else { return }
            self?.endInTime()
        }
    }

    private func endInTime() {
        let state = state
        if state.stage == .closing {
            state.failure = LoadError(
                .timedOut, "the server sent no Close frame within \(Self.closingTime) behind that of this end")
        }
        state.line?.end()
    }

    // MARK: Writing

    private func makeKey() -> MaskingKey? {
        fault == .noMask ? nil : MaskingKey(fault == .constantMask ? 0x3141_5926 : .random(in: .min ... .max))
    }

    private func append(_ frame: WebSocketFrame, to bytes: inout [UInt8]) {
        var frame = frame
        if fault == .longLengths { frame.departures.lengthForm = .long }
        WebSocketWriter.append(frame, to: &bytes)
    }

    private func write(_ opcode: Opcode, _ payload: [UInt8]) {
        var bytes: [UInt8] = []
        append(WebSocketFrame(opcode, maskingKey: makeKey(), payload: payload), to: &bytes)
        write(bytes, nil)
    }

    private func writeClose(_ code: UInt16?, reason: [UInt8]) {
        var bytes: [UInt8] = []
        append(
            .close(code.map { CloseCode(rawValue: $0) }, reason: reason, maskingKey: makeKey()), to: &bytes)
        write(bytes, nil)
    }

    private func write(_ bytes: [UInt8], _ completion: Completion?) {
        let state = state
        state.outgoing.append((bytes, completion))
        guard state.writer == nil else { return }
        state.writer = Task(executorPreference: loop) { [weak self] in await self?.writeAll() }
    }

    private func writeAll() async {
        let state = state
        while let line = state.line, let next = state.outgoing.first {
            let isSent = await line.send(next.bytes)
            // The end of the conversation has called the completions.
            guard !state.outgoing.isEmpty else { return }
            state.outgoing.removeFirst()
            guard let completion = next.completion else { continue }
            let error = isSent ? nil : LoadError(.connectionLost, "the connection takes no more bytes")
            submit { completion(error) }
        }
        state.writer = nil
    }
}

extension WebSocketConversation.Line {
    init(of load: Load) {
        self.init(
            send: { await load.sendUpgraded($0) }, end: { load.submit(.cancel) },
            didConsume: { load.didConsume($0) })
    }
}
