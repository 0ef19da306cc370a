internal import ProctorBase
package import ProctorHTTP
internal import ProctorQUICWire

/// The state of a connection of HTTP/3 as one end knows it, and the violations in what its peer sends (RFC 9114).
///
/// It gets the bytes of each stream in their order, and is told what this end sends. A violation is an event; reading goes
/// on after it, so that the owner decides what to close.
package struct HTTP3State: Sendable {
    /// The role of this end, which receives.
    package let role: Role
    package let ours: HTTP3Settings
    /// nil until SETTINGS have come.
    package private(set) var peers: HTTP3Settings?
    package var bounds = HTTP3Bounds()
    var decoder: QPACKDecoder
    private var encoder = QPACKEncoder()
    private var encoderOutput: [UInt8] = []
    /// Whether sections that this end sends insert fields into the peer's table.
    package var insertsFields = true

    var streams = StreamTable<UInt64, IncomingStream>()
    /// The last section with what it means, since most requests of a client are written like the one before.
    var lastBlock: KnownBlock?
    private var critical: [HTTP3StreamType: UInt64] = [:]
    /// Our own control, encoder and decoder streams.
    private var ourCritical: Set<UInt64> = []
    private var ourGoAway: UInt64?
    private var peersGoAway: UInt64?
    /// The highest MAX_PUSH_ID of the client, whichever end that is.
    private var maxPushID: UInt64?
    /// The pushes that the server has promised, whichever end that is, with their fields.
    private var promised: [UInt64: [HeaderField]] = [:]
    private var pushed: Set<UInt64> = []
    var loads = Loads()

    package enum Role: String, Sendable, CaseIterable {
        case server, client
    }

    struct Loads: Sendable {
        var emptyFrames = LoadMeter()
        var controlFrames = LoadMeter()
        var unknownStreams = LoadMeter()
        var resets = LoadMeter()
        var promises = LoadMeter()

        /// Called when a head or content has come.
        mutating func earn() {
            emptyFrames.earn()
            controlFrames.earn()
        }
    }

    /// `settings` are those that this end sends; its decoder keeps to them from the beginning.
    package init(role: Role, settings: [HTTP3Setting] = []) {
        self.role = role
        ours = HTTP3Settings(settings)
        decoder = QPACKDecoder(
            maximumCapacity: Int(clamping: min(ours.maxTableCapacity, 1 << 30)),
            maximumBlocked: Int(clamping: ours.blockedStreams))
    }

    /// The number of streams of the peer that are not over.
    package var streamCount: Int { streams.count }

    // MARK: What this end sends

    /// Told of a request, whose response may depend on its method.
    package mutating func sentRequest(_ method: [UInt8], on stream: UInt64) {
        var incoming = makeMessage()
        incoming.message.method = method
        streams[stream] = incoming
    }

    /// Told that a final response has accepted CONNECT: the client sends no fields any more.
    package mutating func acceptedTunnel(on stream: UInt64) {
        _ = streams.change(stream) { $0.message.phase = .tunnel }
    }

    /// The peer's stream of that type; nil before it has come.
    package func criticalStream(_ type: HTTP3StreamType) -> UInt64? { critical[type] }

    package mutating func openedCritical(_ stream: UInt64) { ourCritical.insert(stream) }

    /// Told of our GOAWAY; a server refuses requests from that stream on.
    package mutating func sentGoAway(_ id: UInt64) { ourGoAway = id }

    package mutating func sentMaxPushID(_ id: UInt64) { maxPushID = id }

    package mutating func sentPromise(_ id: UInt64, _ fields: [HeaderField]) { promised[id] = fields }

    /// A field section for a stream; what goes before it on the encoder stream is kept for ``takeInstructions()``.
    package mutating func encode(_ fields: [HeaderField], on stream: UInt64) -> [UInt8] {
        let encoded = encoder.encode(fields, on: stream)
        if !encoded.instructions.isEmpty { encoderOutput += encoded.instructions }
        return encoded.section
    }

    /// Told that the owner has sent bytes of its own on our encoder stream.
    package mutating func sentOwnInstructions() { encoder.hasOthers = true }

    /// What is to be sent now on our encoder stream and on our decoder stream.
    package mutating func takeInstructions() -> (encoder: [UInt8], decoder: [UInt8]) {
        (takeInsertions(), takeAcknowledgements())
    }

    /// What is to be sent now on our encoder stream.
    mutating func takeInsertions() -> [UInt8] {
        guard !encoderOutput.isEmpty else { return [] }
        defer { encoderOutput = [] }
        return encoderOutput
    }

    /// What is to be sent now on our decoder stream.
    mutating func takeAcknowledgements() -> [UInt8] { decoder.takeInstructions() }

    /// False where no stream has a field section that waits for the table.
    var mayHaveWaiting: Bool { decoder.blockedCount > 0 }

    // MARK: What the peer sends

    /// Reads the next bytes of a stream, and appends their events in order; `ends` tells that FIN is behind them.
    package mutating func receive(
        _ bytes: borrowing Span<UInt8>, on stream: UInt64, ends: Bool = false, into events: inout [HTTP3Event]
    ) {
        var incoming = streams.remove(stream) ?? makeStream(stream, &events)
        if incoming.waiting != nil {
            wait(bytes, from: 0, ends, stream, &incoming, &events)
        } else {
            read(bytes, ends, stream, &incoming, &events)
        }
        if !ends || incoming.waiting != nil { streams[stream] = incoming }
    }

    /// Whether the stream has a field section that waits for entries of the table (RFC 9204 §2.1.2).
    package func isWaiting(_ stream: UInt64) -> Bool { streams[stream]?.waiting != nil }

    /// The peer has reset a stream: what it still wanted to send does not come.
    package mutating func receiveReset(_ stream: UInt64, _ code: HTTP3Code, into events: inout [HTTP3Event]) {
        let incoming = streams.remove(stream) ?? makeStream(stream, &events)
        switch incoming.kind {
        case .control, .encoder, .decoder: report(.criticalStreamClosed, stream, 0, detail: "\(code)", &events)
        case .message, .push:
            decoder.cancel(stream)
            if loads.resets.exceeds(bounds.resets) {
                report(.resetFlood, stream, 0, detail: "more than \(bounds.resets)", &events)
            }
            events.append(.reset(stream: stream, code))
        case .untyped, .unnumbered, .ignored: break
        }
    }

    /// The peer asks us to send no more on a stream.
    package mutating func receiveStop(_ stream: UInt64, _ code: HTTP3Code, into events: inout [HTTP3Event]) {
        if ourCritical.contains(stream) {
            report(.criticalStreamClosed, stream, 0, detail: "STOP_SENDING \(code)", &events)
        }
        events.append(.stop(stream: stream, code))
    }

    /// This end reads no more of a stream, which it has stopped or whose connection is over.
    package mutating func abandon(_ stream: UInt64) {
        guard let incoming = streams[stream] else { return }
        switch incoming.kind {
        case .message, .push: decoder.cancel(stream)
        case .untyped, .unnumbered, .control, .encoder, .decoder, .ignored: break
        }
        _ = streams.change(stream) { stream in
            stream.waiting = nil
            stream.kind = .ignored
        }
    }

    func report(
        _ kind: HTTP3Violation.Kind, _ stream: UInt64, _ offset: Int, _ frame: HTTP3FrameType? = nil,
        detail: String = "", _ events: inout [HTTP3Event]
    ) {
        events.append(.violation(HTTP3Violation(kind, at: offset, frame: frame, stream: stream, detail: detail)))
    }

    // MARK: Streams

    private func makeMessage() -> IncomingStream {
        IncomingStream(kind: .message, reader: HTTP3FrameReader(maximumPayloadByteCount: bounds.frameByteCount))
    }

    private mutating func makeStream(_ stream: UInt64, _ events: inout [HTTP3Event]) -> IncomingStream {
        var incoming = makeMessage()
        // The lowest two bits tell who opened the stream, and whether it has two directions (RFC 9000 §2.1).
        if stream & 2 != 0 {
            incoming.kind = .untyped([])
        } else if stream & 1 != 0 {
            incoming.kind = .ignored
            if role == .client { report(.serverBidirectionalStream, stream, 0, nil, &events) }
        } else if role == .server, let last = ourGoAway, stream >= last {
            incoming.kind = .ignored
            events.append(.refused(stream: stream))
        }
        return incoming
    }

    /// Keeps what comes behind a section that waits.
    mutating func wait(
        _ bytes: borrowing Span<UInt8>, from position: Int, _ ends: Bool, _ stream: UInt64,
        _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]
    ) {
        incoming.waiting?.rest.append(bytes.extracting(position..<bytes.count))
        incoming.waiting?.ends = ends
        guard let count = incoming.waiting?.rest.count, count > bounds.waitingByteCount else { return }
        report(
            .blockedFlood, stream, incoming.reader.offset, detail: "\(bounds.waitingByteCount) bytes and more", &events)
        incoming.waiting = nil
        incoming.kind = .ignored
        decoder.cancel(stream)
    }

    private mutating func read(
        _ bytes: borrowing Span<UInt8>, _ ends: Bool, _ stream: UInt64, _ incoming: inout IncomingStream,
        _ events: inout [HTTP3Event]
    ) {
        var position = 0
        readType(bytes, &position, stream, &incoming, &events)
        switch incoming.kind {
        case .untyped, .unnumbered, .ignored: break
        case .encoder: readEncoder(bytes, position, stream, &incoming, &events)
        case .decoder:
            do throws(QPACKError) {
                try encoder.receiveInstructions(bytes.extracting(position..<bytes.count))
            } catch {
                report(.decoderStreamError, stream, incoming.reader.offset, detail: "not so: \(error)", &events)
                incoming.kind = .ignored
            }
        case .control:
            while let part = incoming.reader.next(bytes, at: &position) {
                readControl(part, stream, &incoming, &events)
            }
        case .message, .push: readMessage(bytes, &position, ends, stream, &incoming, &events)
        }
        if ends, incoming.waiting == nil { endStream(stream, &incoming, &events) }
    }

    private mutating func endStream(_ stream: UInt64, _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]) {
        switch incoming.kind {
        case .untyped, .unnumbered, .ignored: break
        case .control, .encoder, .decoder:
            report(.criticalStreamClosed, stream, incoming.reader.offset, detail: "FIN", &events)
        case .message, .push: endMessage(stream, incoming, &events)
        }
    }

    /// Reads the type of a unidirectional stream, and the number of a push.
    private mutating func readType(
        _ bytes: borrowing Span<UInt8>, _ position: inout Int, _ stream: UInt64, _ incoming: inout IncomingStream,
        _ events: inout [HTTP3Event]
    ) {
        while position < bytes.count {
            switch incoming.kind {
            case .untyped(var head):
                guard let number = Self.number(&head, bytes[position], &position) else {
                    incoming.kind = .untyped(head)
                    continue
                }
                incoming.reader = HTTP3FrameReader(
                    offset: head.count, maximumPayloadByteCount: bounds.frameByteCount)
                openStream(HTTP3StreamType(rawValue: number), stream, &incoming, &events)
            case .unnumbered(var head):
                guard let id = Self.number(&head, bytes[position], &position) else {
                    incoming.kind = .unnumbered(head)
                    continue
                }
                incoming.reader = HTTP3FrameReader(
                    offset: incoming.reader.offset + head.count, maximumPayloadByteCount: bounds.frameByteCount)
                openPush(id, stream, &incoming, &events)
            default: return
            }
        }
    }

    /// Adds a byte; returns the integer once it is whole.
    private static func number(_ head: inout [UInt8], _ byte: UInt8, _ position: inout Int) -> UInt64? {
        head.append(byte)
        position += 1
        var end = 0
        return VariableInteger.read(head, at: &end)
    }

    private mutating func openStream(
        _ type: HTTP3StreamType, _ stream: UInt64, _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]
    ) {
        switch type {
        case .control: incoming.kind = .control
        case .encoder: incoming.kind = .encoder
        case .decoder: incoming.kind = .decoder
        case .push where role == .client:
            incoming.kind = .unnumbered([])
            return
        case .push:
            incoming.kind = .ignored
            report(.pushStreamByClient, stream, 0, nil, &events)
            return
        default:
            incoming.kind = .ignored
            if loads.unknownStreams.exceeds(bounds.unknownStreams) {
                report(.streamFlood, stream, 0, detail: "more than \(bounds.unknownStreams)", &events)
            }
            events.append(.opened(stream: stream, type))
            return
        }
        if let first = critical[type] {
            incoming.kind = .ignored
            report(.criticalStreamTwice, stream, 0, detail: "\(type) again, after stream \(first)", &events)
        } else {
            critical[type] = stream
            events.append(.opened(stream: stream, type))
        }
    }

    private mutating func openPush(
        _ id: UInt64, _ stream: UInt64, _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]
    ) {
        incoming.kind = .push(id)
        guard let maxPushID, id <= maxPushID else {
            incoming.kind = .ignored
            return report(.pushNotPermitted, stream, 0, detail: pushDetail(id), &events)
        }
        guard pushed.insert(id).inserted else {
            incoming.kind = .ignored
            return report(.pushStreamRepeated, stream, 0, detail: "push \(id) again", &events)
        }
        if pushed.count > bounds.promises {
            report(.promiseFlood, stream, 0, detail: "more than \(bounds.promises)", &events)
            pushed.remove(id)
        }
        events.append(.push(stream: stream, id: id))
    }

    private func pushDetail(_ id: UInt64) -> String {
        maxPushID.map { "push \(id), and \($0) is the highest" } ?? "push \(id), and MAX_PUSH_ID did not come"
    }

    // MARK: Promises

    /// Reads the promise of a push; the caller has decoded its fields.
    mutating func receivePromise(
        _ id: UInt64, _ block: HTTP3Event.FieldBlock, _ stream: UInt64, _ offset: Int, _ events: inout [HTTP3Event]
    ) {
        guard let maxPushID, id <= maxPushID else {
            return report(.pushNotPermitted, stream, offset, .pushPromise, detail: pushDetail(id), &events)
        }
        if let known = promised[id] {
            if known != block.section.fields {
                report(.promiseDiffers, stream, offset, .pushPromise, detail: "other fields for push \(id)", &events)
            }
        } else if promised.count < bounds.promises {
            promised[id] = block.section.fields
        } else if loads.promises.exceeds(0) {
            report(.promiseFlood, stream, offset, .pushPromise, detail: "more than \(bounds.promises)", &events)
        }
        events.append(.promise(stream: stream, id: id, block))
    }

    // MARK: The control stream

    private mutating func readControl(
        _ part: HTTP3FrameReader.Part, _ stream: UInt64, _ incoming: inout IncomingStream,
        _ events: inout [HTTP3Event]
    ) {
        let offset = incoming.reader.frameOffset
        let type: HTTP3FrameType
        switch part {
        case .content: return
        case .data: type = .data
        case .unknown(let unknown, _), .tooLong(let unknown, _): type = unknown
        case .frame(let frame): type = frame.type
        }
        // The phase of a control stream tells whether its first frame has come.
        let isFirst = incoming.message.phase == .head
        incoming.message.phase = .content
        if isFirst, type != .settings { report(.missingSettings, stream, offset, type, &events) }
        if loads.controlFrames.exceeds(bounds.controlFrames) {
            report(.settingsFlood, stream, offset, type, detail: "more than \(bounds.controlFrames)", &events)
        }
        switch part {
        case .content: break
        case .data: report(.frameOnWrongStream, stream, offset, .data, detail: "the control stream", &events)
        case .tooLong(_, let count): report(.frameTooLong, stream, offset, type, detail: "\(count) bytes", &events)
        case .unknown(_, let count): receiveUnknown(type, count, stream, offset, &events)
        case .frame(let frame):
            guard let content = HTTP3FrameContent(frame) else {
                return report(
                    .wrongLength, stream, offset, type, detail: Plural.count(frame.payload.count, "byte"), &events)
            }
            receiveControl(content, frame, stream, offset, &events)
        }
    }

    mutating func receiveUnknown(
        _ type: HTTP3FrameType, _ count: UInt64, _ stream: UInt64, _ offset: Int, _ events: inout [HTTP3Event]
    ) {
        if type.isForbidden { return report(.forbiddenFrame, stream, offset, type, &events) }
        if loads.emptyFrames.exceeds(bounds.emptyFrames) {
            report(.emptyFrameFlood, stream, offset, type, detail: "more than \(bounds.emptyFrames)", &events)
        }
        events.append(.unknown(stream: stream, type, byteCount: count))
    }

    private mutating func receiveControl(
        _ content: HTTP3FrameContent, _ frame: HTTP3Frame, _ stream: UInt64, _ offset: Int,
        _ events: inout [HTTP3Event]
    ) {
        switch content {
        case .headers, .pushPromise:
            report(.frameOnWrongStream, stream, offset, frame.type, detail: "the control stream", &events)
        case .settings(let settings):
            guard peers == nil else { return report(.settingsTwice, stream, offset, .settings, &events) }
            receiveSettings(settings, stream, offset, &events)
        case .goAway(let id): receiveGoAway(id, stream, offset, &events)
        case .maxPushID(let id):
            guard role == .server else { return report(.frameByWrongEnd, stream, offset, .maxPushID, &events) }
            if let before = maxPushID, id < before {
                report(.maxPushLower, stream, offset, .maxPushID, detail: "\(id) after \(before)", &events)
            } else {
                maxPushID = id
                events.append(.maxPushID(id))
            }
        case .cancelPush(let id):
            let isKnown = role == .client ? maxPushID.map { id <= $0 } ?? false : promised[id] != nil
            guard isKnown else {
                return report(.cancelUnknownPush, stream, offset, .cancelPush, detail: "push \(id)", &events)
            }
            events.append(.cancelPush(id))
        case .priorityUpdate(let element, let isPush, let value):
            guard role == .server else { return report(.frameByWrongEnd, stream, offset, frame.type, &events) }
            guard isPush ? promised[element] != nil : element & 3 == 0 else {
                return report(
                    .badPriorityElement, stream, offset, frame.type,
                    detail: isPush ? "push \(element)" : "stream \(element)", &events)
            }
            events.append(
                .priorityUpdate(element: element, isPush: isPush, value: Array(frame.payload[value...])))
        }
    }

    private mutating func receiveSettings(
        _ settings: [HTTP3Setting], _ stream: UInt64, _ offset: Int, _ events: inout [HTTP3Event]
    ) {
        var seen: Set<HTTP3SettingIdentifier> = []
        for setting in settings {
            if let kind = setting.violation { report(kind, stream, offset, .settings, detail: "\(setting)", &events) }
            if !seen.insert(setting.identifier).inserted {
                report(.settingRepeated, stream, offset, .settings, detail: "\(setting.identifier) again", &events)
            }
        }
        let peers = HTTP3Settings(settings)
        self.peers = peers
        if insertsFields { encoderOutput += encoder.follow(peers) }
        events.append(.settings(settings))
    }

    private mutating func receiveGoAway(
        _ id: UInt64, _ stream: UInt64, _ offset: Int, _ events: inout [HTTP3Event]
    ) {
        if role == .client, id & 3 != 0 {
            report(.goAwayNotRequest, stream, offset, .goAway, detail: "stream \(id)", &events)
        }
        if let before = peersGoAway, id > before {
            report(.goAwayHigher, stream, offset, .goAway, detail: "\(id) after \(before)", &events)
        }
        peersGoAway = min(id, peersGoAway ?? id)
        events.append(.goAway(id))
    }
}
