internal import ProctorBase
internal import ProctorCoding
internal import ProctorLoop
internal import Synchronization

/// Content that is coded once, at once when it is short and else on a thread of its own, and those who wait for it.
///
/// Safe from any thread.
final class Preparation: Sendable {
    private let steps: [CodingStep]
    private let byteLimit: Int
    private let isShort: Bool
    private let isCancelled = Atomic(false)
    private let state: Locked<State>

    private struct State {
        /// Until it is begun.
        var pieces: [ContentPiece]
        var outcome: Outcome?
        var waiters: [Int: @Sendable () -> Void] = [:]
        var nextWaiter = 0
    }

    enum Outcome {
        case content(ContentSource)
        /// Half a sentence.
        case failed(String)
        /// Whoever waited for it has left.
        case abandoned
    }

    /// Up to this size, content is coded where it is asked for: a thread would take longer.
    private static let inlineLimit = 16 << 10

    /// Content that has more than `byteLimit` bytes when it is coded fails.
    init(_ pieces: [ContentPiece], _ steps: [CodingStep], upTo byteLimit: Int) {
        state = Locked(State(pieces: pieces))
        self.steps = steps
        self.byteLimit = byteLimit
        isShort = pieces.reduce(0) { $0 + $1.range.count } <= Self.inlineLimit
    }

    /// nil while it is being made.
    var outcome: Outcome? { state.withLock { $0.outcome } }

    /// Whether nothing will come of it any more.
    var isOver: Bool {
        switch outcome {
        case .failed?, .abandoned?: true
        case .content?, nil: false
        }
    }

    /// To be called once.
    func start() {
        if isShort {
            run()
        } else {
            EncodingThreads.shared.add { [weak self] in self?.run() }
        }
    }

    /// Nobody will ask for it any more; whoever waits is told so.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    // MARK: Waiting

    /// Has `wake` called, from any thread, once there is an outcome; at once where there is one.
    func join(_ wake: @escaping @Sendable () -> Void) -> Int {
        let (number, isThere) = state.withLock { state in
            let number = state.nextWaiter
            state.nextWaiter += 1
            if state.outcome == nil { state.waiters[number] = wake }
            return (number, state.outcome != nil)
        }
        if isThere { wake() }
        return number
    }

    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// To be called once by everybody who joined; the last one who leaves before the outcome ends the making.
    func leave(_ number: Int) {
        state.withLock { state in
            guard state.waiters.removeValue(forKey: number) != nil, state.waiters.isEmpty else { return }
            isCancelled.store(true, ordering: .relaxed)
            state.outcome = .abandoned
        }
    }

    /// The outcome, waited for while the client of a socket is there.
    func outcome(for socket: Socket) async throws(ConnectionEnd) -> Outcome {
        let waiter = SyncWaiter(socket)
        let number = join { waiter.wake() }
        defer {
            leave(number)
            waiter.end()
        }
        while true {
            // Between the look and the wait this thread does nothing else, so that no waking is lost.
            if let outcome { return outcome }
            do throws(SocketError) {
                try await socket.waitUntilPeerIsGone()
            } catch {
                if error == .timedOut { continue }
                throw ConnectionEnd(error)
            }
            throw socket.wasReset ? .peerReset : .peerClosed
        }
    }

    // MARK: Coding

    private func run() {
        let outcome: Outcome
        do {
            outcome = .content(try encode())
        } catch let end as ConnectionEnd {
            outcome = .failed(end.sourceReason ?? "\(end)")
        } catch {
            outcome = .failed("the content can't be coded: \(error)")
        }
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            // Who left it to itself must find it so.
            if state.outcome == nil { state.outcome = outcome }
            return Array(state.waiters.values)
        }
        for wake in waiters { wake() }
    }

    private func encode() throws -> ContentSource {
        let pieces = state.withLock { state in
            defer { state.pieces = [] }
            return state.pieces
        }
        var chain = try EncodingChain(steps)
        var sink = CodedSink(byteLimit: byteLimit)
        for piece in pieces {
            try piece.read { bytes in
                // So that a body of a gigabyte ends with the scenario that has it.
                guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
                try chain.encode(bytes, into: &sink.pending)
                try sink.settle()
            }
        }
        try chain.finish(into: &sink.pending)
        return try sink.finish()
    }
}

/// Where coded bytes go: memory up to a bound, and beyond it a temporary file.
struct CodedSink {
    /// Coded bytes that were not settled yet.
    var pending: [UInt8] = []
    private var file: ScratchFile?
    private var writtenByteCount = 0
    private let byteLimit: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Content that is longer when it is coded is not kept in memory.
    static let memoryLimit = 1 << 20

    /// Moves what is pending into the file, once it is too much for memory.
    mutating func settle() throws {
        guard pending.count <= byteLimit - writtenByteCount else { throw CodedTooLong(byteLimit: byteLimit) }
        guard pending.count > (file == nil ? Self.memoryLimit : 128 << 10) else { return }
        try write()
    }

    /// What was coded, as it is sent.
    mutating func finish() throws -> ContentSource {
        try settle()
        if file == nil, pending.count <= Self.memoryLimit { return .bytes(pending) }
        try write()
        guard let file else { return .bytes([]) }
        return .scratch(file, byteCount: writtenByteCount)
    }

    private mutating func write() throws(CallFailure) {
        let open: ScratchFile
        if let file {
            open = file
        } else {
            open = try ScratchFile()
            file = open
        }
        try open.append(pending)
        writtenByteCount += pending.count
        pending.removeAll(keepingCapacity: true)
    }
}

private struct CodedTooLong: Error, CustomStringConvertible {
    let byteLimit: Int
    var description: String { "it has more than \(byteLimit) bytes then, which is the limit" }
}

extension ConnectionEnd {
    fileprivate var sourceReason: String? {
        if case .sourceFailed(let reason) = self { reason } else { nil }
    }
}
