internal import ProctorBase
internal import ProctorHTTP

/// The state of a connection as one end knows it, and the violations in the frames of its peer (RFC 9113).
///
/// It gets the frames of the peer in their order, and the frames that this end sends. A violation is an event; the next
/// frame can be processed after any violation, so that the owner decides what to close. Not safe from several threads.
package struct ConnectionState: ~Copyable {
    /// The role of this end, which receives.
    package let role: Role
    /// Bounds of this end.
    package var bounds = FloodBounds()
    /// Our parameters that the peer has acknowledged.
    package internal(set) var ours = EndSettings()
    /// The peer's SETTINGS.
    package internal(set) var peers = EndSettings()
    /// The most fields of a section that are kept.
    package var fieldCount = 200
    /// The connection's window for DATA of the peer.
    package internal(set) var receiveWindow = FlowWindow()
    /// The connection's window for our own DATA.
    package internal(set) var sendWindow = FlowWindow()

    let decoder: HeaderDecoder
    var streams = StreamTable<UInt32, StreamState>()
    var closed = ClosedStreams()
    /// The highest stream that the peer has opened or reserved, and the highest of ours.
    var highestOfPeer: UInt32 = 0
    var highestOfOurs: UInt32 = 0
    var openOfPeer = 0
    /// Our SETTINGS without acknowledgement, the oldest first.
    var unacknowledged: [[Setting]] = []
    var block: OpenBlock?
    /// The last section with its check, which is reused for a next section with the same fields.
    var judged: JudgedBlock?
    var hasSettings = false
    /// Whether a SETTINGS frame with parameters has been received.
    var hasPeersSettings = false
    var ourLastStream: UInt32?
    var peersLastStream: UInt32?
    /// The payload of a PING after our GOAWAY: its acknowledgement shows that the peer has received both.
    var proof: [UInt8]?
    var goAwayIsSeen = false
    var floods = Floods()

    package enum Role: String, Sendable, CaseIterable {
        case server, client
    }

    struct JudgedBlock {
        let kind: SectionKind
        let allowsProtocol: Bool
        let block: ConnectionEvent.FieldBlock
    }

    /// A field block whose end has not been received.
    struct OpenBlock {
        let stream: UInt32
        let promised: UInt32?
        let endsStream: Bool
        var bytes: [UInt8]
        var frameCount = 1
        /// Whether a bound was exceeded, so that no more bytes are kept.
        var isDropped = false
    }

    struct Floods {
        var resets = FloodMeter()
        var settings = FloodMeter()
        var pings = FloodMeter()
        var emptyFrames = FloodMeter()
        var windowUpdates = FloodMeter()
        var priorities = FloodMeter()

        /// Called when a head or content was received.
        mutating func earn() {
            settings.earn()
            pings.earn()
            emptyFrames.earn()
            priorities.earn()
        }
    }

    /// nil if there is no memory.
    package init?(role: Role) {
        guard let decoder = HeaderDecoder() else { return nil }
        (self.role, self.decoder) = (role, decoder)
    }

    /// The number of streams that are open, half-closed or reserved.
    package var streamCount: Int { streams.count }

    /// Whether the peer has acknowledged all SETTINGS that this end sent (RFC 9113 §6.5.3).
    package var areSettingsAcknowledged: Bool { unacknowledged.isEmpty }

    /// Whether the stream is open, half-closed or reserved.
    package func isOpen(_ stream: UInt32) -> Bool { streams[stream] != nil }

    /// The highest stream that the peer opened or reserved; 0 before the first.
    package var lastStreamOfPeer: UInt32 { highestOfPeer }

    /// How much may still be sent on a stream; nil if it is not open.
    package func sendWindow(of stream: UInt32) -> FlowWindow? { streams[stream]?.sendWindow }

    /// How much the peer may still send on a stream; nil if it is not open.
    package func receiveWindow(of stream: UInt32) -> FlowWindow? { streams[stream]?.receiveWindow }

    /// Frees memory until the next field block.
    package mutating func rest() {
        if streams.isEmpty { streams = StreamTable() }
        judged = nil
        decoder.rest()
    }

    /// Processes a frame of the peer, and appends its events in their order.
    package mutating func receive(_ frame: ReadFrame, into events: inout [ConnectionEvent]) {
        for violation in frame.violations { report(violation, &events) }
        let type = frame.frame.type
        if !hasSettings {
            hasSettings = true
            if type != .settings || frame.frame.isAck { report(.firstFrameNotSettings, in: frame, &events) }
        }
        if block != nil, type != .continuation || frame.frame.stream != block?.stream {
            report(.fieldBlockInterrupted, in: frame, &events)
        }
        guard let content = frame.content else {
            // Bytes that cannot be parsed count against the window too.
            if type == .data, !receiveWindow.consume(frame.payloadByteCount) {
                report(.connectionWindowExceeded, in: frame, &events)
            }
            return
        }
        switch content {
        case .data(let range, _): data(range, frame, &events)
        case .headers(let range, _, _): openBlock(range, promised: nil, frame, &events)
        case .pushPromise(let promised, let range, _): openBlock(range, promised: promised, frame, &events)
        case .continuation(let range): continueBlock(range, frame, &events)
        case .resetStream(let code): reset(code, frame, &events)
        case .windowUpdate(let increment): windowUpdate(increment, frame, &events)
        case .settings(let settings): applySettings(settings, frame, &events)
        case .ping(let opaque): ping(opaque, frame, &events)
        case .goAway(let last, let code, let debug):
            if let before = peersLastStream, last > before {
                report(.goAwayStreamHigher, in: frame, detail: "\(last) after \(before)", &events)
            }
            peersLastStream = min(peersLastStream ?? last, last)
            events.append(.goAway(lastStream: last, code, debug: debug))
        case .priority(let dependency):
            spend(\.priorities, bounds.priorities, .priorityFlood, frame, &events)
            events.append(.priority(stream: frame.frame.stream, dependency))
        case .priorityUpdate(let stream, let range):
            if role == .client { report(.priorityUpdateByServer, in: frame, &events) }
            spend(\.priorities, bounds.priorities, .priorityFlood, frame, &events)
            events.append(.priorityUpdate(stream: stream, range))
        case .unknown:
            spend(\.emptyFrames, bounds.emptyFrames, .emptyFrameFlood, frame, &events)
            events.append(.unknown)
        }
    }

    // MARK: - Violations

    mutating func report(
        _ kind: HTTP2Violation.Kind, _ scope: ViolationScope? = nil, in frame: ReadFrame,
        on stream: UInt32? = nil, detail: String = "", _ events: inout [ConnectionEvent]
    ) {
        report(
            HTTP2Violation(
                kind, scope, at: frame.offset, frame: frame.frame.type, stream: stream ?? frame.frame.stream,
                detail: detail), &events)
    }

    /// A stream error, which makes us reset the stream, counts as a reset by the peer: both cost the peer equally
    /// little.
    private mutating func report(_ violation: HTTP2Violation, _ events: inout [ConnectionEvent]) {
        events.append(.violation(violation))
        if violation.scope == .stream, !floods.resets.spend(of: bounds.resets) {
            events.append(
                .violation(
                    HTTP2Violation(
                        .resetFlood, at: violation.offset, frame: violation.frame, stream: violation.stream,
                        detail: "more than \(bounds.resets)")))
        }
    }

    mutating func spend(
        _ meter: WritableKeyPath<Floods, FloodMeter>, _ bound: Int, _ kind: HTTP2Violation.Kind, _ frame: ReadFrame,
        _ events: inout [ConnectionEvent]
    ) {
        if !floods[keyPath: meter].spend(of: bound) {
            report(kind, in: frame, detail: "more than \(bound)", &events)
        }
    }

    // MARK: - Connection

    private mutating func ping(_ opaque: [UInt8], _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        guard !frame.frame.isAck else {
            if opaque == proof { goAwayIsSeen = true }
            events.append(.pingAcknowledged(opaque))
            return
        }
        spend(\.pings, bounds.pings, .pingFlood, frame, &events)
        events.append(.ping(opaque))
    }
}
