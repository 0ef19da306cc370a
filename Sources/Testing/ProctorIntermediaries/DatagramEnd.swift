internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorProgram
internal import ProctorQUICLink
internal import ProctorTLS

/// The client's end of a connection of HTTP/3 (RFC 9114): it sends what frames of a case say, in the words of frames with streams.
///
/// By itself it opens its streams with SETTINGS, acknowledges, and gives back the windows as content comes. On the thread of its loop.
final class DatagramEnd: QUICConnectionHandler {
    private let loop: EventLoop
    private let pause: LoopBound<LoopPause>
    private var link: (any QUICLink)?
    private var session: HTTP3Session?
    /// Serves the UDP port until ``close()``.
    private var serving: Task<Void, Never>?
    /// What came and was not read yet.
    private var parts: [StreamEnd.Part] = []
    private var heldByteCount = 0
    private var isReady = false
    private var end: QUICEnd?
    /// The stream that was opened last.
    private var last: UInt64?

    /// The most bytes that come and are not read; content is bounded by its windows before.
    private static let heldByteLimit = 8 << 20

    init(on loop: EventLoop) {
        self.loop = loop
        pause = LoopBound(LoopPause(on: loop), on: loop)
    }

    /// Makes the handshake; the reason where it fails.
    func open(
        to address: SocketAddress, root: [UInt8], by transport: any QUICTransport, within limit: UInt64
    ) async -> String? {
        var setup = TLSClientSetup(anchors: [root])
        setup.applicationProtocols = ["h3"]
        do {
            var limits = QUICLimits()
            limits.bidirectionalStreams = 0
            let (port, link) = try transport.dial(
                on: loop, to: address, host: "127.0.0.1", context: try QUICClientContext(setup), limits: limits,
                handler: self)
            self.link = link
            serving = Task(executorPreference: loop) { await port.serve() }
        } catch {
            return "no QUIC: \(error)"
        }
        let deadline = Socket.deadline(within: limit)
        while !isReady, end == nil, await waitForEvent(until: deadline) {}
        if isReady { return nil }
        return end.map { "no connection over QUIC (\($0))" }
            ?? "the handshake of QUIC was not complete within \(limit / 1_000_000_000) s"
    }

    /// Sends what a frame says; why it can't, half a sentence.
    func write(_ frame: ByteAct.Frame, fill: ([UInt8]) -> [UInt8]) -> Result<StreamEnd.Part, UnsentFrame> {
        guard let session, let link, end == nil else { return .failure(UnsentFrame("the connection had ended")) }
        let content = StreamFrame(frame, fill: fill)
        if content.method != nil {
            guard let opened = link.openRequestStream() else {
                return .failure(UnsentFrame("the peer permits no other stream"))
            }
            last = opened
        }
        guard let stream = frame.stream.map({ UInt64(clamping: $0) }) ?? last else {
            return .failure(UnsentFrame("no stream is open"))
        }
        switch content.kind {
        case .fields:
            if let method = content.method {
                session.sendRequest(content.fields, method: method, on: stream, ends: content.endsStream)
            } else {
                session.sendFields(content.fields, on: stream, ends: content.endsStream)
                session.sendInstructions()
            }
        case .content: session.sendContent(content.payload[...], on: stream, ends: content.endsStream)
        case .reset:
            session.endStream(stream, Self.code(like: StreamFrame.errorCode(in: content.payload[...]) ?? .noError))
        case .goAway: session.goAway(from: 0)
        case .other(let name): return .failure(UnsentFrame("HTTP/3 has no frame \(name) that a client sends by itself"))
        }
        link.flush()
        return .success(content.part(on: UInt32(clamping: stream)) { Self.code(like: $0).description })
    }

    /// What came; waits for it until the limit, and returns nil when the connection is over and everything was read.
    func read(within limit: UInt64) async -> [StreamEnd.Part]? {
        let deadline = Socket.deadline(within: limit)
        while parts.isEmpty, end == nil {
            guard await waitForEvent(until: deadline) else { return [] }
        }
        let read = parts
        (parts, heldByteCount) = ([], 0)
        for part in read where part.what == .content && part.byteCount > 0 {
            link?.credit(part.byteCount, on: UInt64(part.stream))
        }
        if end == nil { link?.flush() }
        return read.isEmpty ? nil : read
    }

    /// How the connection ended; nil while it goes on.
    var ending: JournalEvent.Ending? {
        switch end {
        case nil: nil
        case .closedByPeer, .closedByUs: .closed
        default: .reset
        }
    }

    func close() {
        link?.close(.application(HTTP3Code.noError.rawValue))
        serving?.cancel()
        serving = nil
    }

    /// Ends the connection without a word.
    func drop() {
        link?.drop()
        serving?.cancel()
        serving = nil
    }

    /// False when the moment came first, or the task was cancelled.
    private func waitForEvent(until deadline: UInt64) async -> Bool {
        guard !Task.isCancelled else { return false }
        return await withTaskCancellationHandler {
            await pause.value.wait(until: deadline)
        } onCancel: { [loop, pause] in
            loop.submit { pause.value.resume() }
        }
    }

    func receive(_ event: QUICEvent, on link: any QUICLink) {
        switch event {
        case .asksForTrust(let verdict):
            link.answerTrust(verdict.isTrusted)
            link.flush()
        case .asksForIdentity:
            link.answerIdentity(nil)
            link.flush()
        case .handshakeCompleted:
            let session = HTTP3Session(over: self, as: .client) { [unowned self] event, _ in read(event) }
            // What the peer does wrong is told, and nothing else: the case judges it.
            session.code = { _ in nil }
            session.readsContent = false
            self.session = session
            session.open()
            link.flush()
            isReady = true
        case .received(let stream, let bytes, let ends):
            session?.receive(bytes.span, on: stream, ends: ends)
            link.flush()
        case .reset(let stream, let code): session?.receiveReset(stream, HTTP3Code(rawValue: code))
        case .stopped(let stream, let code): session?.receiveStop(stream, HTTP3Code(rawValue: code))
        case .ended(let end): self.end = end
        case .helloReceived, .acknowledged, .windowGrown, .hasRoom, .streamClosed, .streamsPermitted, .rested: return
        }
        pause.value.resume()
    }

    private func read(_ event: HTTP3Event) {
        func add(
            _ what: StreamEnd.Part.What, _ stream: UInt64, _ block: HTTP3Event.FieldBlock? = nil, bytes: [UInt8] = [],
            ends: Bool = false, code: String? = nil
        ) {
            let part = StreamEnd.Part(
                by: .server, what, on: UInt32(clamping: stream), fields: block?.section.fields ?? [], bytes: bytes,
                endsStream: ends, code: code)
            heldByteCount += part.bytes.count + part.fields.reduce(1) { $0 + $1.size }
            if heldByteCount <= Self.heldByteLimit { return parts.append(part) }
            parts.append(
                StreamEnd.Part(
                    by: .server, .violation, on: part.stream,
                    bytes: Array("more than \(Self.heldByteLimit) bytes came before they were read".utf8),
                    code: "too-much"))
            end = .dropped
            drop()
        }
        switch event {
        case .head(let stream, let block): add(.head, stream, block)
        case .trailers(let stream, let block): add(.trailers, stream, block)
        case .content(let stream, let bytes): add(.content, stream, bytes: bytes)
        case .end(let stream): add(.content, stream, ends: true)
        case .reset(let stream, let code): add(.reset, stream, code: code.description)
        case .goAway(let first): add(.goaway, first, code: HTTP3Code.noError.description)
        case .settings: add(.settings, 0)
        case .violation(let violation):
            add(
                .violation, violation.stream, bytes: Array("\(violation.sentence) (\(violation.section))".utf8),
                code: violation.kind.rawValue)
        case .refusedHead, .stop, .refused, .opened, .maxPushID, .cancelPush, .promise, .push, .priorityUpdate,
            .unknown, .blocked:
            return
        }
    }

    /// The code of HTTP/3 for one of HTTP/2 (RFC 9114 §A.4).
    private static func code(like code: ErrorCode) -> HTTP3Code {
        switch code {
        case .noError: .noError
        case .protocolError: .generalProtocolError
        case .refusedStream: .requestRejected
        case .cancel: .requestCancelled
        case .compressionError: .decompressionFailed
        case .connectError: .connectError
        case .enhanceYourCalm: .excessiveLoad
        case .http11Required: .versionFallback
        default: .internalError
        }
    }
}

/// Why nothing was sent, half a sentence.
struct UnsentFrame: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension DatagramEnd: HTTP3Carrier {
    var isOver: Bool { end != nil }

    func openStream() -> UInt64? { link?.openStream() }

    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool) { link?.send(bytes, on: stream, ends: ends) }

    func credit(_ byteCount: Int, on stream: UInt64) { link?.credit(byteCount, on: stream) }

    func reset(_ stream: UInt64, code: UInt64) { link?.reset(stream, code: code) }

    func stop(_ stream: UInt64, code: UInt64) { link?.stop(stream, code: code) }

    func close(code: UInt64, reason: String) { link?.close(.application(code, reason: reason)) }
}
