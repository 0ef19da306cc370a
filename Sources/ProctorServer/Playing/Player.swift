internal import ProctorBase
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTLS
import ProctorTLSWire

/// Plays a plan on a socket: bytes and effects in order; on the loop's thread only.
struct Player {
    private let output: ConnectionOutput
    /// nil: no client can report events, and no reply waits.
    var reports: ReportAwaiter?
    /// The session during its handshake, while the socket still has no TLS layer.
    var handshaking: TLSSession?
    /// The next TLS record is cut, and nothing is sent after it.
    var isTruncating = false
    var milestone: Milestone?
    private(set) var sentByteCount = 0
    /// Whether every byte of the plan was sent, and nothing but waits is left of it.
    private(set) var isWhole = false
    /// Bytes of the first step that were sent before the player began.
    private var wentAtOnce = 0
    /// Whether the journal has the beginning of every reply of the plan.
    private let isAnnounced: Bool
    private(set) var isHalfClosed = false
    private var pacer: WritePacer?
    private var buffer: [UInt8] = []
    /// The journal's events for the first bytes.
    private var begun: Announcement?

    /// An action when so many bytes were given to the system.
    struct Milestone {
        let byteCount: Int
        /// Called once, before the write that may include the last of them; returns the action for after the write.
        let approach: () -> () -> Void
        var pass: (() -> Void)?
    }

    private struct Announcement {
        var waiting: ArraySlice<BegunReply>
        let log: RequestLog
        var stepStart = 0

        /// Announces the bytes up to `end` of the step, which are about to be written.
        mutating func announce(upTo end: Int) {
            while let next = waiting.first, next.offset < stepStart + end {
                log.append(.replyBegun(next.reply))
                waiting.removeFirst()
            }
        }
    }

    /// `wentAtOnce` is nil for a whole plan; else the plan's replies are in the journal, and so many bytes of its first
    /// step were sent.
    init(_ output: ConnectionOutput, wentAtOnce: Int? = nil) {
        self.output = output
        isAnnounced = wentAtOnce != nil
        self.wentAtOnce = wentAtOnce ?? 0
        sentByteCount = self.wentAtOnce
    }

    private var socket: Socket { output.socket }
    private var bounds: ConnectionBounds { output.bounds }

    /// Plays a plan, or the rest of one that was sent in part; throws how the connection ended.
    mutating func play(_ plan: ReplyPlan, _ log: RequestLog) async throws(ConnectionEnd) {
        pacer = plan.schedule.map(WritePacer.init)
        if !isAnnounced { begun = Announcement(waiting: plan.begun[...], log: log) }
        for (index, step) in plan.steps.enumerated() {
            switch step {
            case .send(let bytes):
                try await send(bytes, bytes.indices, isFollowed: plan.isStream(at: index + 1))
                begun?.stepStart += bytes.count
            case .stream(let source, let range):
                // No item begins within a byte that was read from a file.
                begun?.announce(upTo: 1)
                try await stream(source, range)
                begun?.stepStart += range.count
            case .effect(let action, let position):
                log.append(.effectPlayed(action: action.text, position: position))
                isWhole = plan.isWhole(before: index)
                let start = MonotonicClock.nanoseconds
                try await perform(action)
                pacer?.didPause(MonotonicClock.nanoseconds &- start)
            case .section, .end: preconditionFailure("a plan for a stream of HTTP/2 on a connection of HTTP/1.1")
            }
        }
    }

    /// The journal's event about the cuts; nil without cuts.
    var slices: JournalEvent? { pacer?.slices }

    mutating func perform(_ action: Effect.Action) async throws(ConnectionEnd) {
        switch action {
        case .wait(let duration):
            try await output.pause(for: duration)
        // A plan has a time of the range in its place.
        case .waitBetween(let range, _):
            try await output.pause(for: range.lowerBound)
        case .send(let source):
            try await insert(ContentSource(source))
        case .alert(let number): try await alert(number)
        case .truncateRecord:
            try await spoilNextRecord(.truncated)
            isTruncating = true
        case .badMAC: try await spoilNextRecord(.badMAC)
        case .close(let abrupt, let notify):
            socket.sendsCloseNotify = notify
            if abrupt {
                // Written bytes must leave the TLS layer's queue as they leave the system's.
                await socket.drainLayer(within: bounds.settle)
                socket.close()
                throw .serverEnded(.closed)
            }
            await settle()
            throw .serverCloses
        case .reset(let abrupt):
            if !abrupt { await settle() }
            socket.reset()
            throw .serverEnded(.reset)
        case .halfClose:
            try await sendCloseNotifyBehindHandshake()
            socket.halfClose()
            isHalfClosed = true
        case .stall:
            try await stall()
        case .await(let point):
            if let reports { try await reports.pass(point, on: output, bounds) }
        case .frames(let action):
            throw .unanswerable(
                "its effect \"\(action.verb.rawValue)\" sends frames of HTTP/2, and this connection speaks HTTP/1.1")
        }
    }

    private func stall() async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.waitUntilPeerLeaves(within: bounds.stall, throughLayer: true)
        } catch {
            throw ConnectionEnd(error)
        }
        throw socket.wasReset ? .peerReset : .peerClosed
    }

    /// Waits, bounded, until the peer's side has acknowledged all written bytes.
    private func settle() async {
        let start = MonotonicClock.nanoseconds
        while !socket.wasReset, let left = socket.unacknowledgedByteCount, left > 0,
            MonotonicClock.nanoseconds &- start < bounds.settle
        {
            guard await socket.loop.sleep(for: .milliseconds(1)) else { return }
        }
    }

    // MARK: Bytes

    /// The bytes of an effect have no pace and no cuts.
    private mutating func insert(_ source: ContentSource) async throws(ConnectionEnd) {
        let kept = (pacer, begun)
        (pacer, begun) = (nil, nil)
        defer { (pacer, begun) = kept }
        try await stream(source, 0..<source.byteCount)
    }

    /// `isFollowed`: a file follows at once, whose first bytes may share a packet with these.
    ///
    /// Returns how many bytes went out: all of them, or with `stopsWhereFull` those before the peer has to read.
    @discardableResult
    private mutating func send(
        _ bytes: [UInt8], _ range: Range<Int>, isFollowed: Bool = false, stopsWhereFull: Bool = false
    ) async throws(ConnectionEnd) -> Int {
        guard !isHalfClosed else { return range.count }
        if let end = output.peerEnd { throw end }
        var position = range.lowerBound + wentAtOnce
        wentAtOnce = 0
        while position < range.upperBound {
            let end = position + min(range.upperBound - position, try await allowance())
            begun?.announce(upTo: end)
            approachMilestone(by: end - position)
            do throws(SocketError) {
                let count = try await socket.writeSome(
                    bytes, from: position, upTo: end, expectingMore: isFollowed && pacer == nil,
                    within: bounds.progress)
                position += count
                note(count)
            } catch {
                throw ConnectionEnd(error)
            }
            if isTruncating { try socket.endWithoutNotify() }
            if stopsWhereFull, socket.layer == nil ? position < end : socket.hasUnsentRecords { break }
        }
        return position - range.lowerBound
    }

    /// Waits until the peer has read some of what was sent.
    private func awaitRoom() async throws(ConnectionEnd) {
        do throws(SocketError) {
            try await socket.waitToSend(within: bounds.progress)
        } catch {
            throw ConnectionEnd(error)
        }
    }

    /// Waits for the pace; returns the bytes before the next stop.
    private mutating func allowance() async throws(ConnectionEnd) -> Int {
        // A copy, because `pacer` must not be accessed exclusively during the wait.
        guard var pacer else { return .max }
        let count = try await pacer.awaitTurn(on: output)
        self.pacer = pacer
        return count
    }

    private mutating func note(_ byteCount: Int) {
        sentByteCount += byteCount
        pacer?.didSend(byteCount)
        passMilestone()
    }

    private mutating func approachMilestone(by byteCount: Int) {
        guard let near = milestone, near.pass == nil, near.byteCount - sentByteCount <= byteCount else { return }
        milestone?.pass = near.approach()
    }

    private mutating func passMilestone() {
        guard let reached = milestone, sentByteCount >= reached.byteCount else { return }
        milestone = nil
        reached.pass?()
    }

    private mutating func stream(_ source: ContentSource, _ range: Range<Int>) async throws(ConnectionEnd) {
        guard !isHalfClosed else { return }
        if let end = output.peerEnd { throw end }
        switch source {
        case .bytes(let bytes): try await send(bytes, range)
        case .generated(let generator):
            var position = range.lowerBound
            while position < range.upperBound {
                if !socket.hasRoom {
                    // Nothing is held while the peer does not read: it is made again.
                    buffer = []
                    try await awaitRoom()
                }
                let piece = generator.piece(from: position, upTo: range.upperBound, in: &buffer)
                position += try await send(buffer, piece, stopsWhereFull: true)
            }
        case .file(let file):
            let open = try file.open()
            if let end = try await stream(open, range) { throw file.isShort(now: end) }
        case .scratch(let file, _):
            if let end = try await stream(file.file, range) {
                throw .sourceFailed("the file of the coded content ends after \(end) bytes")
            }
        }
    }

    /// Returns the file's end, where that was too early.
    private mutating func stream(
        _ file: borrowing OpenFile, _ range: Range<Int>
    ) async throws(ConnectionEnd) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            let most = min(range.upperBound - position, Self.filePieceByteCount, try await allowance())
            do throws(SocketError) {
                let count = try await socket.sendSome(
                    of: file, from: position, byteCount: most, within: bounds.progress)
                guard count > 0 else { return position }
                position += count
                note(count)
            } catch {
                throw ConnectionEnd(error)
            }
            if isTruncating { try socket.endWithoutNotify() }
        }
        return nil
    }

    private static let filePieceByteCount = 1 << 20
}

extension ReplyPlan {
    /// Whether the steps from here on send nothing and cut nothing off.
    func isWhole(before index: Int) -> Bool {
        steps[index...].allSatisfy { step in
            guard case .effect(let action, _) = step else { return false }
            return action.verb == .wait || action.verb == .await
        }
    }

    /// Whether a step is a stream, so that the bytes before it are not sent alone.
    fileprivate func isStream(at index: Int) -> Bool {
        guard index < steps.count, case .stream = steps[index] else { return false }
        return true
    }
}

extension Effect.Action {
    /// As a fixture writes it.
    var text: String {
        let details =
            switch self {
            case .wait(let duration): " \(duration)"
            case .waitBetween(let range, _): " \(range.lowerBound)-\(range.upperBound)"
            case .close(let abrupt, let notify): (abrupt ? " abrupt" : "") + (notify ? "" : " without notify")
            case .alert(let number): " \(number)"
            case .reset(let abrupt): abrupt ? " abrupt" : ""
            case .send(let source): " \(source.boundByteCount) bytes"
            case .await(let point): " \(point.event)"
            case .frames(let action): action.details.isEmpty ? "" : " \(action.details)"
            case .halfClose, .stall, .truncateRecord, .badMAC: ""
            }
        return verb.rawValue + details
    }
}

// Faults of TLS; the loader refuses them where TLS is not used.
extension Player {
    private var session: TLSSession? { handshaking ?? socket.layer as? TLSSession }

    /// A fatal alert after all sent bytes, then FIN without close_notify.
    private func alert(_ number: UInt8) async throws(ConnectionEnd) {
        guard let session else { return }
        if handshaking == nil { try await drain(session) }
        guard session.send(alert: number) else {
            throw .sourceFailed(
                "the alert \(number) can't be sent: the session has ended already, or its keys are not known")
        }
        try await drain(session)
        try socket.endWithoutNotify()
    }

    /// After a complete handshake close_notify precedes FIN, although the socket has no TLS layer yet.
    private func sendCloseNotifyBehindHandshake() async throws(ConnectionEnd) {
        guard let handshaking else { return }
        handshaking.sendCloseNotify()
        try await drain(handshaking)
    }

    /// Changes the record after the last sent byte.
    private func spoilNextRecord(_ fault: TLSRecordFault) async throws(ConnectionEnd) {
        guard let session else { return }
        // During a handshake, the queue has the rest of its flight.
        if handshaking == nil { try await drain(session) }
        session.spoil(fault)
    }

    private func drain(_ session: TLSSession) async throws(ConnectionEnd) {
        while true {
            guard session.flush(to: socket) == 0 else { throw .peerReset }
            guard session.unsentByteCount > 0 else { return }
            do throws(SocketError) {
                try await socket.waitToSend(within: bounds.progress)
            } catch {
                throw ConnectionEnd(error)
            }
        }
    }
}
