internal import ProctorBase
package import ProctorCoding
internal import Synchronization

/// The coded contents of a scenario's replies; each is made at its first use and freed with the scenario.
///
/// Safe from any thread; concurrent requests for the same content share one preparation.
final class CodedBodies: Sendable {
    private let kept = Locked(Kept())

    private struct Kept {
        var preparations: [Key: Preparation] = [:]
        var bound: [Key] = []
    }

    struct Key: Hashable {
        let reply: Int
        let variant: Int
        /// The addresses that the text was bound to; empty where the content names no address.
        let addresses: [UInt8]
    }

    /// The most kept contents that name addresses: clients choose a mount's authority, and every run has its own.
    private static let boundLimit = 32

    deinit {
        for preparation in kept.withLock({ Array($0.preparations.values) }) { preparation.cancel() }
    }

    /// The content of that key, possibly not finished; a failed one is made again.
    ///
    /// `pieces` is called only where the content has to be made.
    func preparation(
        _ key: Key, of pieces: @autoclosure () -> [ContentPiece], by steps: [CodingStep], upTo byteLimit: Int
    ) -> Preparation {
        if let preparation = kept.withLock({ $0.preparations[key] }), !preparation.isOver { return preparation }
        let new = Preparation(pieces(), steps, upTo: byteLimit)
        let (preparation, isNew) = kept.withLock { kept in
            // Another loop may have been faster.
            if let other = kept.preparations[key], !other.isOver { return (other, false) }
            kept.preparations[key] = new
            if !key.addresses.isEmpty { Self.store(key, in: &kept) }
            return (new, true)
        }
        if isNew { preparation.start() }
        return preparation
    }

    private static func store(_ key: Key, in kept: inout Kept) {
        kept.bound.removeAll { $0 == key }
        kept.bound.append(key)
        // A request that waits for a removed preparation still holds it.
        if kept.bound.count > boundLimit { kept.preparations[kept.bound.removeFirst()] = nil }
    }
}

/// Content that is coded once, with the requests that wait for it; short content is coded at once, other content on
/// another thread.
///
/// Safe from any thread.
package final class Preparation: Sendable {
    private let steps: [CodingStep]
    private let byteLimit: Int
    /// Whether it is coded on the caller's thread.
    package let isShort: Bool
    private let isCancelled = Atomic(false)
    private let state: Locked<State>

    private struct State {
        /// Empty once the coding has begun.
        var pieces: [ContentPiece]
        var outcome: Outcome?
        var waiters: [Int: @Sendable () -> Void] = [:]
        var nextWaiter = 0
    }

    package enum Outcome {
        case content(ContentSource)
        /// The reason, as half a sentence.
        case failed(String)
        case abandoned
    }

    /// Content up to this size is coded on the caller's thread, which is faster than to start another.
    private static let inlineLimit = 16 << 10

    /// Coding fails when the coded content has more than `byteLimit` bytes.
    package init(_ pieces: [ContentPiece], _ steps: [CodingStep], upTo byteLimit: Int) {
        state = Locked(State(pieces: pieces))
        (self.steps, self.byteLimit) = (steps, byteLimit)
        isShort = pieces.reduce(0) { $0 + $1.range.count } <= Self.inlineLimit
    }

    package var outcome: Outcome? { state.withLock { $0.outcome } }

    package var isOver: Bool {
        switch outcome {
        case .failed?, .abandoned?: true
        case .content?, nil: false
        }
    }

    /// To be called once.
    package func start() {
        if isShort {
            run()
        } else {
            WorkThreads.encoding.add(within: .ofInput) { [weak self] _ in self?.run() }
        }
    }

    /// Abandons the coding; requests that wait are woken.
    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    // MARK: Waiting

    /// Calls `wake` once, from any thread, when there is an outcome; at once where there already is one.
    package func join(_ wake: @escaping @Sendable () -> Void) -> Int {
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

    /// To be called once for each ``join(_:)``; when the last one leaves before the outcome, the coding ends.
    package func removeWaiter(_ number: Int) {
        state.withLock { state in
            guard state.waiters.removeValue(forKey: number) != nil, state.waiters.isEmpty else { return }
            isCancelled.store(true, ordering: .relaxed)
            state.outcome = .abandoned
        }
    }

    // MARK: Coding

    /// Codes on this thread, once.
    func run() {
        let outcome: Outcome
        do {
            outcome = .content(try encode())
        } catch ReplyFailure.sourceFailed(let reason) {
            outcome = .failed(reason)
        } catch {
            outcome = .failed("the content can't be coded: \(error)")
        }
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            // An abandoned preparation stays abandoned.
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
                // Ends the coding of a large body when its scenario is freed.
                guard !isCancelled.load(ordering: .relaxed) else { throw CancellationError() }
                try chain.encode(bytes, into: &sink.pending)
                try sink.settle()
            }
        }
        try chain.finish(into: &sink.pending)
        return try sink.finish()
    }
}

/// The destination of coded bytes: memory up to a bound, then a temporary file.
struct CodedSink {
    /// Coded bytes that ``settle()`` has not moved yet.
    var pending: [UInt8] = []
    private var file: ScratchFile?
    private var writtenByteCount = 0
    private let byteLimit: Int

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Longer content is written to a temporary file.
    static let memoryLimit = 1 << 20

    /// Moves `pending` into the file when it is too long for memory.
    mutating func settle() throws {
        guard pending.count <= byteLimit - writtenByteCount else { throw CodedTooLong(byteLimit: byteLimit) }
        guard pending.count > (file == nil ? Self.memoryLimit : 128 << 10) else { return }
        try write()
    }

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
