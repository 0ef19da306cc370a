internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorLoop
internal import ProctorQUICLink

/// A connection of HTTP/3, shared by any number of transfers (RFC 9114); loop thread only.
final class HTTP3Connection: SharedConnection {
    let destination: Destination
    let number: Int
    let pool: ConnectionPool
    let fault: StreamFault?
    let peer: SocketAddress
    let localPort: UInt16?
    private let opening: HTTP3Opening
    private let loopState: LoopBound<State>

    final class State {
        let places = StreamPlaces()
        fileprivate(set) var secured: SecuredConnection?
        fileprivate(set) var session: HTTP3Session?
        fileprivate var hasSent = false
        fileprivate var isReading = false
        /// Why this client closes the connection; nil: for no fault of the server.
        fileprivate var failure: StreamFailure?
    }

    /// The most bytes of a stream that wait or are not acknowledged.
    private static let outputByteLimit = 256 << 10

    /// The handshake is complete.
    init(
        over opening: HTTP3Opening, to destination: Destination, number: Int, secured: SecuredConnection,
        fault: StreamFault?, pool: ConnectionPool
    ) {
        (self.destination, self.number, self.pool, self.fault) = (destination, number, pool, fault)
        peer = opening.address
        localPort = opening.localPort
        self.opening = opening
        loopState = LoopBound(State(), on: pool.loop)
        state.secured = secured
    }

    private var link: (any QUICLink)? { opening.link }

    var state: State { loopState.value }

    var places: StreamPlaces { state.places }

    var secured: SecuredConnection? { state.secured }

    var rules: StreamRules { .http3 }

    var streamRoom: Int { link?.requestStreamsLeft ?? 0 }

    var permitsExtendedConnect: Bool? { state.session?.state.peers?.enableConnectProtocol }

    /// Queues SETTINGS.
    func start() {
        places.idleSince = MonotonicClock.nanoseconds
        let settings = [
            HTTP3Setting(.maxTableCapacity, 4_096), HTTP3Setting(.blockedStreams, 16),
            HTTP3Setting(.maxFieldSectionSize, UInt64(ReplyLimits().headByteCount)),
        ]
        let session = HTTP3Session(
            over: self, as: .client, settings: settings, preface: fault?.preface(in: settings)
        ) { [unowned self] event, _ in handle(event) }
        session.readsContent = false
        session.code = { [fault] in fault.code(of: $0) }
        state.session = session
        session.open()
        fault?.open(session)
    }

    /// The request for which the connection was opened goes out first, whatever the server has said (RFC 9114 §7.2.4.2).
    func startReading() {
        guard !state.isReading else { return }
        state.isReading = true
        opening.adopt(self)
    }

    // MARK: Life

    func receive(_ event: QUICEvent) {
        switch event {
        case .received(let stream, let bytes, let ends):
            state.session?.receive(bytes.span, on: stream, ends: ends)
        case .reset(let stream, let code): state.session?.receiveReset(stream, HTTP3Code(rawValue: code))
        case .stopped(let stream, let code): state.session?.receiveStop(stream, HTTP3Code(rawValue: code))
        case .acknowledged(let stream), .windowGrown(let stream): places.streams[stream]?.roomHasGrown()
        case .streamsPermitted: pool.placesHaveChanged(on: self)
        case .ended(let end): didEnd(end)
        case .hasRoom: wakeSenders()
        case .helloReceived, .asksForTrust, .asksForIdentity, .handshakeCompleted, .streamClosed, .rested: break
        }
    }

    private func didEnd(_ end: QUICEnd) {
        if fault == .tellsErrorsAlone, state.failure != nil { return }
        let sentence = end.sentence(about: peer) + places.afterGoAway
        state.secured?.peersAlert = end.peersAlert
        failStreams(with: state.failure ?? (end.peersAlert == nil ? .lost(sentence) : .insecure(sentence)))
        state.session = nil
        if places.markClosed() { pool.didClose(self) }
    }

    func lose(_ failure: StreamFailure) {
        failStreams(with: failure)
        close()
        if case .shutDown = failure { opening.stopServing() }
    }

    func close() {
        guard places.markClosed() else { return }
        link?.close(.application(HTTP3Code.noError.rawValue))
        pool.didClose(self)
    }

    func flush() {
        if link?.flush() == true { wakeSenders() }
        if state.hasSent { startReading() }
    }

    // MARK: Requests

    func open(
        _ stream: SharedStream, _ fields: [HeaderField], method: [UInt8], endsStream: Bool
    ) throws(RequestRefusal) -> UInt64 {
        places.reserved[ObjectIdentifier(stream)] = nil
        guard let session = state.session else { throw .noPlace }
        let byteCount = fields.reduce(0) { $0 + $1.size }
        if let most = session.state.peers?.maxFieldSectionSize, byteCount > most, fault != .ignoresFieldLimit {
            throw .unwanted(
                "the field section of the request has \(byteCount) bytes, and \(peer) takes \(most) at most "
                    + "(SETTINGS_MAX_FIELD_SECTION_SIZE, RFC 9114 §4.2.2)")
        }
        guard !isRetired, let number = link?.openRequestStream() else { throw .noPlace }
        places.streams[number] = stream
        state.hasSent = true
        link?.keepAlive(true)
        fault?.sendBeforeHead(on: number, session)
        session.sendRequest(
            fields, method: method, on: number, ends: endsStream && fault?.sendsBehindHead != true)
        if endsStream { fault?.sendBehindHead(on: number, session) }
        return number
    }

    /// Besides what is not acknowledged, no more is queued than can be sent soon.
    func room(on number: UInt64) -> Int {
        guard let link else { return 0 }
        return max(0, min(Self.outputByteLimit - link.byteCount(on: number), link.room(on: number)))
    }

    func hasUnsent(on number: UInt64) -> Bool {
        guard let link, link.unsentByteCount(on: number) > 0 else { return false }
        link.awaitRoom()
        return true
    }

    func send(_ content: ArraySlice<UInt8>, on number: UInt64, endsStream: Bool) {
        state.session?.sendContent(content, on: number, ends: endsStream)
    }

    func sendTrailers(_ fields: [HeaderField], on number: UInt64) {
        state.session?.sendFields(fields, on: number, ends: true)
        state.session?.sendInstructions()
    }

    func credit(_ byteCount: Int, on number: UInt64) {
        if fault != .noCredit { link?.credit(byteCount, on: number) }
    }

    func drop(_ byteCount: Int, on number: UInt64) { credit(byteCount, on: number) }

    /// Resets and stops a stream whose request or reply is not complete (RFC 9114 §4.1.1).
    func cancel(_ stream: SharedStream, _ number: UInt64) {
        if places.isEmpty { link?.keepAlive(false) }
        guard !stream.isComplete || !stream.hasEndedSending, fault != .cancelsSilently else { return }
        state.session?.endStream(number, .requestCancelled)
    }

    func refuse(_ stream: SharedStream, _ sentence: String) {
        guard let number = stream.number else { return }
        state.session?.endStream(number, .excessiveLoad)
        places.streams[number] = nil
        stream.fail(.tooMuch(sentence))
    }
}

// MARK: - What the server sends

extension HTTP3Connection {
    private func handle(_ event: HTTP3Event) {
        switch event {
        case .head(let number, let block): receiveHead(block, on: number)
        case .content(let number, let bytes):
            guard let stream = places.streams[number] else { return drop(bytes.count, on: number) }
            stream.receiveContent(bytes[...])
        case .end(let number): places.streams[number]?.complete()
        case .reset(let number, let code): didReset(number, code)
        case .stop(let number, let code): didStop(number, code)
        case .settings:
            wakeSenders()
            pool.placesHaveChanged(on: self)
        case .goAway(let first): takeGoAway(first)
        case .violation(let violation): judge(violation)
        case .unknown:
            if fault == .refusesUnknownFrames { fail(.frameUnexpected, "a frame of an unknown type came") }
        case .opened(_, let type):
            if fault == .refusesUnknownStreams, type.rawValue > HTTP3StreamType.decoder.rawValue {
                fail(.streamCreationError, "a stream of an unknown type came")
            }
        case .trailers(let number, let block): places.streams[number]?.receiveTrailers(block.section.fields)
        case .refusedHead, .refused, .maxPushID, .cancelPush, .promise, .push, .priorityUpdate, .blocked:
            break
        }
    }

    private func receiveHead(_ block: HTTP3Event.FieldBlock, on number: UInt64) {
        guard let stream = places.streams[number], let status = block.check.status else { return }
        let fields = block.section.fields.filter { !$0.isPseudo }.map { (name: $0.name, value: $0.value) }
        stream.receiveHead(
            ReplyHead(
                status: status, fields: fields,
                contentLength: fault == .uncheckedLength ? nil : block.check.contentLength,
                hasNoContent: stream.isHead, version: .http3))
    }

    private func didReset(_ number: UInt64, _ code: HTTP3Code) {
        guard let stream = places.streams[number], !stream.isComplete else { return }
        if fault == .takesResetForEnd { return stream.complete() }
        places.streams[number] = nil
        // What is left of the request is of no use to the server.
        if !stream.hasEndedSending { link?.reset(number, code: HTTP3Code.requestCancelled.rawValue) }
        let meaning: StreamReset =
            switch code {
            case .requestRejected: .isRefused
            case .versionFallback: .wantsHTTP1
            default: .other
            }
        stream.fail(.reset(meaning, "RESET_STREAM \(code), RFC 9114 §4.1.1"))
        pool.placesHaveChanged(on: self)
    }

    /// The server needs no more of a request; its reply counts nevertheless (RFC 9114 §4.1).
    private func didStop(_ number: UInt64, _ code: HTTP3Code) {
        guard let stream = places.streams[number] else { return }
        guard fault == .failsOnStop else { return stream.stopSending() }
        places.streams[number] = nil
        stream.fail(.reset(.other, "STOP_SENDING \(code), RFC 9114 §4.1"))
    }

    /// Handles GOAWAY: the server processes the requests below `first` (RFC 9114 §5.2).
    private func takeGoAway(_ first: UInt64) {
        places.goAway = "GOAWAY"
        guard fault != .streamsAfterGoAway else { return }
        goAway("GOAWAY", lastIs: "\(first) as the first stream that it does not process") {
            $0 >= first || fault == .repeatsProcessed
        }
    }

    /// Handles a violation of the server, before the session ends the stream or the connection (RFC 9114 §8).
    private func judge(_ violation: HTTP3Violation) {
        guard let code = fault.code(of: violation) else { return }
        switch violation.scope {
        case .none: return
        case .stream:
            // Too little content is found at the end of the stream; too much is found in a frame.
            let isShort = violation.kind == .contentLengthDiffers && violation.frame == nil
            places.streams.removeValue(forKey: violation.stream)?.fail(.violation("\(violation)", isShort: isShort))
            pool.placesHaveChanged(on: self)
        case .connection:
            state.failure = .violation("\(violation)", isShort: false)
            if fault == .closesTransport { link?.close(.transport(code.rawValue & 0xFF)) }
        }
    }

    private func fail(_ code: HTTP3Code, _ sentence: String) {
        state.failure = .lost(sentence)
        state.session?.close(code, reason: sentence)
    }
}

extension HTTP3Connection: HTTP3Carrier {
    var isOver: Bool { link.map { $0.end != nil } ?? true }

    func openStream() -> UInt64? { link?.openStream() }

    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool) { link?.send(bytes, on: stream, ends: ends) }

    func reset(_ stream: UInt64, code: UInt64) { link?.reset(stream, code: code) }

    func stop(_ stream: UInt64, code: UInt64) { link?.stop(stream, code: code) }

    func close(code: UInt64, reason: String) { link?.close(.application(code, reason: reason)) }
}
