package import ProctorHTTP
internal import ProctorQUICWire

/// A connection of QUIC, as HTTP/3 uses it.
package protocol HTTP3Carrier: AnyObject {
    /// Whether the connection is closed, so that nothing more is sent.
    var isOver: Bool { get }
    /// Opens a unidirectional stream; nil if the peer permits none.
    func openStream() -> UInt64?
    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool)
    /// Sends a frame of DATA whose type and length are `head`.
    func sendData(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool)
    /// Lets the peer send as many bytes more: those of the stream that were read.
    func credit(_ byteCount: Int, on stream: UInt64)
    /// Sends RESET_STREAM.
    func reset(_ stream: UInt64, code: UInt64)
    /// Sends STOP_SENDING.
    func stop(_ stream: UInt64, code: UInt64)
    /// Sends CONNECTION_CLOSE with a code of HTTP/3.
    func close(code: UInt64, reason: String)
}

extension HTTP3Carrier {
    package func sendData(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool) {
        send(head + content, on: stream, ends: ends)
    }
}

/// Either end of HTTP/3 over one connection: it opens the streams that each connection has, reads what comes, and answers
/// violations as RFC 9114 §8 says.
package final class HTTP3Session {
    package let carrier: any HTTP3Carrier
    /// What the peer has told, and what is open.
    package private(set) var state: HTTP3State
    /// The code with which a violation ends its stream or the connection; nil: everything goes on as if nothing were wrong.
    package var code: (HTTP3Violation) -> HTTP3Code? = { $0.code }

    /// Whether content is read as soon as it comes; without it the owner gives the window of content back.
    package var readsContent = true

    /// Whether the owner calls ``sendAcknowledgements()`` behind all that has come; without it they follow each piece.
    package var holdsAcknowledgements = false

    private let settings: [HTTP3Setting]
    /// Bytes on the control stream in place of SETTINGS.
    private let preface: [UInt8]?
    private let opened: [HTTP3StreamType]
    private let handle: (HTTP3Event, HTTP3Session) -> Void
    /// Our newest stream of each type.
    private var own: [HTTP3StreamType: UInt64] = [:]
    /// Bytes that came on streams whose field section waits for the table.
    private var withheld: [UInt64: Int] = [:]
    /// The HEADERS frame that was sent last, since most replies are written like the one before.
    private var lastHead: (section: [UInt8], frame: [UInt8])
    /// The type and the length of the DATA frame that was sent last.
    private var lastData: (byteCount: Int, head: [UInt8]) = (0, [])
    /// Room for events, which is used again.
    private var spareEvents: [HTTP3Event] = []
    private static let mostSpareEvents = 4

    /// The parameters of an end, unless it says others: a table of 4 KiB, and 16 streams that wait.
    package static let usualSettings = [
        HTTP3Setting(.maxTableCapacity, 4_096), HTTP3Setting(.blockedStreams, 16),
        HTTP3Setting(.maxFieldSectionSize, 64 << 10),
    ]

    /// The streams of an end, unless it opens fewer.
    package static let usualStreams: [HTTP3StreamType] = [.control, .encoder, .decoder]

    /// `handle` is called with each event in order, before a violation is answered.
    ///
    /// `preface` stands on the control stream in place of SETTINGS, and `streams` are those that ``open()`` opens: without the
    /// encoder's no field is inserted.
    package init(
        over carrier: any HTTP3Carrier, as role: HTTP3State.Role = .server, settings: [HTTP3Setting] = usualSettings,
        preface: [UInt8]? = nil,
        streams: [HTTP3StreamType] = usualStreams, insertsFields: Bool = true,
        handle: @escaping (HTTP3Event, HTTP3Session) -> Void
    ) {
        (self.carrier, self.settings, self.preface) = (carrier, settings, preface)
        opened = streams
        self.handle = handle
        lastHead = ([], HTTP3Frame(.headers).bytes)
        state = HTTP3State(role: role, settings: settings)
        state.insertsFields = insertsFields && streams.contains(.encoder)
    }

    /// Opens our streams and sends SETTINGS; called once the handshake is over.
    package func open() {
        for type in opened {
            var bytes: [UInt8] = []
            if type == .control {
                if let preface { bytes = preface } else { HTTP3Frame.settings(settings).write(to: &bytes) }
            }
            // Each end permits three at least (RFC 9114 §6.2); one that does not is told so.
            guard openStream(type, bytes, ends: false) else {
                return close(.streamCreationError, reason: "three unidirectional streams are needed (RFC 9114 §6.2)")
            }
        }
    }

    /// Opens a unidirectional stream with these bytes behind its type; false if the peer permits none.
    private func openStream(_ type: HTTP3StreamType, _ bytes: [UInt8], ends: Bool) -> Bool {
        guard let stream = carrier.openStream() else { return false }
        own[type] = stream
        if Self.usualStreams.contains(type) { state.openedCritical(stream) }
        var head: [UInt8] = []
        VariableInteger.append(type.rawValue, to: &head)
        carrier.send(head + bytes, on: stream, ends: ends)
        return true
    }

    // MARK: What comes

    package func receive(_ bytes: borrowing Span<UInt8>, on stream: UInt64, ends: Bool) {
        var events: [HTTP3Event] = []
        swap(&events, &spareEvents)
        state.receive(bytes, on: stream, ends: ends, into: &events)
        giveBack(bytes.count, on: stream, events)
        handleAll(events)
        guard events.capacity <= Self.mostSpareEvents else { return }
        events.removeAll(keepingCapacity: true)
        swap(&events, &spareEvents)
    }

    /// Gives the window back of all that is read: not of content that the owner reads, nor of what waits for the table.
    private func giveBack(_ byteCount: Int, on stream: UInt64, _ events: [HTTP3Event]) {
        if withheld.isEmpty, !state.mayHaveWaiting || !state.isWaiting(stream) {
            var count = byteCount
            if !readsContent { for case .content(_, let bytes) in events { count -= bytes.count } }
            if count > 0 { carrier.credit(count, on: stream) }
            return
        }
        withheld[stream, default: 0] += byteCount
        if !readsContent {
            for case .content(let stream, let bytes) in events { withheld[stream, default: 0] -= bytes.count }
        }
        for (stream, count) in withheld where !state.isWaiting(stream) {
            withheld[stream] = nil
            if count > 0 { carrier.credit(count, on: stream) }
        }
    }

    package func receiveReset(_ stream: UInt64, _ code: HTTP3Code) {
        var events: [HTTP3Event] = []
        state.receiveReset(stream, code, into: &events)
        handleAll(events)
    }

    package func receiveStop(_ stream: UInt64, _ code: HTTP3Code) {
        var events: [HTTP3Event] = []
        state.receiveStop(stream, code, into: &events)
        handleAll(events)
    }

    private func handleAll(_ events: [HTTP3Event]) {
        var refused = refusedStreams(events)
        if !refused.isEmpty, state.role == .server {
            for case .head(let stream, let block) in events where refused[stream] != nil {
                handle(.refusedHead(stream: stream, block), self)
            }
        }
        for event in events where !carrier.isOver {
            // Nothing of a request that is refused is handed on but its section: it would be answered behind its RESET_STREAM. A client has read what
            // came before the fault of a reply.
            if !refused.isEmpty, state.role == .server, let stream = event.messageStream, refused[stream] != nil {
                continue
            }
            handle(event, self)
            switch event {
            case .violation(let violation):
                // Of several faults of a stream the first one is answered.
                guard let code = code(violation) else { continue }
                if violation.scope != .stream || refused.updateValue(true, forKey: violation.stream) != true {
                    answerViolation(violation, code)
                }
            // RFC 9114 §5.2: what came behind our GOAWAY is not processed.
            case .refused(let stream): endStream(stream, .requestRejected)
            // RFC 9114 §6.2: the bytes of a stream of an unknown type are not read.
            case .opened(let stream, let type) where type.rawValue > HTTP3StreamType.decoder.rawValue:
                carrier.stop(stream, code: HTTP3Code.streamCreationError.rawValue)
            default: break
            }
        }
        sendInstructions()
    }

    /// The streams that end with a violation among these events, none of which is answered yet.
    private func refusedStreams(_ events: [HTTP3Event]) -> [UInt64: Bool] {
        var streams: [UInt64: Bool] = [:]
        for case .violation(let violation) in events where violation.scope == .stream && code(violation) != nil {
            streams[violation.stream] = false
        }
        return streams
    }

    private func answerViolation(_ violation: HTTP3Violation, _ code: HTTP3Code) {
        guard !carrier.isOver else { return }
        switch violation.scope {
        case .none: break
        case .stream: endStream(violation.stream, code)
        case .connection: close(code, reason: "\(violation.sentence) (\(violation.section))")
        }
    }

    // MARK: What is sent

    /// Sends what the coders have for the peer; called by who has sent a field section outside of an event.
    package func sendInstructions() {
        guard !carrier.isOver else { return }
        let insertions = state.takeInsertions()
        if !insertions.isEmpty, let encoder = own[.encoder] { carrier.send(insertions, on: encoder, ends: false) }
        if !holdsAcknowledgements { sendAcknowledgements() }
    }

    /// Sends what our decoder has for the peer's encoder.
    package func sendAcknowledgements() {
        guard !carrier.isOver else { return }
        let instructions = state.takeAcknowledgements()
        if !instructions.isEmpty, let decoder = own[.decoder] { carrier.send(instructions, on: decoder, ends: false) }
    }

    /// Sends HEADERS: a head or trailers; returns the bytes of the frame.
    @discardableResult
    package func sendFields(_ fields: [HeaderField], on stream: UInt64, ends: Bool = false) -> Int {
        let section = state.encode(fields, on: stream)
        if section != lastHead.section {
            lastHead = (section, HTTP3Frame(.headers, section).bytes)
        }
        carrier.send(lastHead.frame, on: stream, ends: ends)
        return lastHead.frame.count
    }

    /// Sends the head of a request on a stream that the caller has opened.
    package func sendRequest(_ fields: [HeaderField], method: [UInt8], on stream: UInt64, ends: Bool) {
        state.sentRequest(method, on: stream)
        sendFields(fields, on: stream, ends: ends)
        sendInstructions()
    }

    /// Sends one DATA frame, and returns its bytes; no bytes make no frame.
    @discardableResult
    package func sendContent(_ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool = false) -> Int {
        guard !content.isEmpty else {
            carrier.send([], on: stream, ends: ends)
            return 0
        }
        if content.count != lastData.byteCount { lastData = (content.count, HTTP3Frame.dataHead(content.count)) }
        carrier.sendData(lastData.head, content, on: stream, ends: ends)
        return lastData.head.count + content.count
    }

    /// Our newest stream of the type; nil if none was opened.
    package func ownStream(_ type: HTTP3StreamType) -> UInt64? { own[type] }

    /// Sends bytes as they stand on our stream of that type, lawful or not; opens one where there is none, or where `isNew`
    /// says so.
    ///
    /// False if the peer permits no more streams.
    package func send(_ bytes: [UInt8], onStreamOf type: HTTP3StreamType, isNew: Bool = false, ends: Bool = false)
        -> Bool
    {
        if type == .encoder { state.sentOwnInstructions() }
        guard !isNew, let stream = own[type] else { return openStream(type, bytes, ends: ends) }
        carrier.send(bytes, on: stream, ends: ends)
        return true
    }

    /// A field section for a stream; what goes before it on the encoder stream waits for ``sendInstructions()``.
    package func encode(_ fields: [HeaderField], on stream: UInt64) -> [UInt8] { state.encode(fields, on: stream) }

    /// Tells the client which requests are still answered: those below the stream (RFC 9114 §5.2).
    package func goAway(from stream: UInt64) {
        state.sentGoAway(stream)
        var bytes: [UInt8] = []
        HTTP3Frame.number(.goAway, stream).write(to: &bytes)
        _ = send(bytes, onStreamOf: .control)
    }

    /// Ends both directions of a stream with this code; a unidirectional one of the peer is stopped.
    package func endStream(_ stream: UInt64, _ code: HTTP3Code) {
        state.abandon(stream)
        if stream & 2 == 0 { carrier.reset(stream, code: code.rawValue) }
        carrier.stop(stream, code: code.rawValue)
    }

    /// Asks the client to send no more of a request that is answered (RFC 9114 §4.1).
    package func stopReading(_ stream: UInt64) {
        state.abandon(stream)
        carrier.stop(stream, code: HTTP3Code.noError.rawValue)
    }

    package func close(_ code: HTTP3Code, reason: String = "") { carrier.close(code: code.rawValue, reason: reason) }
}
