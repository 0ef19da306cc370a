import ProctorBase
import ProctorHTTP

@testable import ProctorReference

/// Writes down what a transfer tells, and answers as the test says.
final class RecordingHost: TransferHost, @unchecked Sendable {
    private(set) var events: [LoadEvent] = []
    var transfer: Transfer?
    var idleLimit: UInt64 {
        get {
            defer { limit = laterLimit ?? limit }
            return limit
        }
        set { limit = newValue }
    }
    private var limit: UInt64
    /// Holds from the second time on that the limit is asked for, as of a load that is suspended or resumed meanwhile.
    private let laterLimit: UInt64?
    /// What to do next; it may wait.
    private let step: @Sendable (RecordingHost) async -> TransferStep
    private let watch: @Sendable (LoadEvent, RecordingHost) -> Void
    private(set) var questionCount = 0
    private(set) var challenges: [LoadChallenge] = []
    /// What a handshake is told; nil: default handling.
    var handshakeAnswer: (@Sendable (LoadChallenge, RecordingHost) async -> HandshakeAnswer?)?

    var tunnelFields: [HTTPField] = []

    init(
        idleLimit: UInt64 = patience, then laterLimit: UInt64? = nil,
        watch: @escaping @Sendable (LoadEvent, RecordingHost) -> Void = { _, _ in },
        step: @escaping @Sendable (RecordingHost) async -> TransferStep
    ) {
        limit = idleLimit
        self.laterLimit = laterLimit
        self.watch = watch
        self.step = step
    }

    convenience init(
        idleLimit: UInt64 = patience, then laterLimit: UInt64? = nil,
        watch: @escaping @Sendable (LoadEvent, RecordingHost) -> Void = { _, _ in }
    ) {
        self.init(idleLimit: idleLimit, then: laterLimit, watch: watch, step: { _ in .readOn })
    }

    func handle(_ event: LoadEvent) {
        events.append(event)
        watch(event, self)
    }

    func handshakeAnswer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        challenges.append(challenge)
        if let handshakeAnswer { return await handshakeAnswer(challenge, self) }
        return challenge.trust.map { $0.isTrusted ? .trust : .distrust } ?? .identifyByDefault
    }

    func holdConnection(_ connection: PooledConnection?) -> HeldConnection { .notWanted }

    func takeHeldConnection() -> PooledConnection? { nil }

    func tunnelRequest() async -> ClientRequest? {
        guard let request = transfer?.request else { return nil }
        return ClientRequest(method: "CONNECT", url: request.url, fields: tunnelFields)
    }

    func nextStep() async -> TransferStep {
        questionCount += 1
        return await step(self)
    }

    // MARK: What came

    /// One word for each event; content in a row is one, and so is what was sent in a row.
    var summary: [String] {
        var words: [String] = []
        for event in events {
            let word = Self.word(event)
            if word == words.last, word == "content" || word == "sent" { continue }
            words.append(word)
        }
        return words
    }

    private static func word(_ event: LoadEvent) -> String {
        switch event {
        case .bodySent: "sent"
        case .tunnelOpened(let head): "opened \(head.status)"
        case .tunnelRefused(let head): "refused \(head.status)"
        case .head(let head): "\(head.status)"
        case .content: "content"
        case .replyEnded: "ended"
        case .drained: "drained"
        case .failed(let failure):
            "failed \(failure.error.kind)\(failure.mayBeRetried ? " (again)" : "")\(failure.isUnprocessed ? " (unprocessed)" : "")"
        default: "\(event)"
        }
    }

    var content: [UInt8] {
        events.reduce(into: []) { if case .content(let bytes) = $1 { $0 += bytes } }
    }

    var text: String { String(decoding: content, as: UTF8.self) }

    var sentByteCount: Int {
        events.reduce(0) { if case .bodySent(let count, _) = $1 { $0 + count } else { $0 } }
    }

    /// Every `expected` that was told.
    var expectations: Set<Int> {
        events.reduce(into: []) { if case .bodySent(_, let expected) = $1 { $0.insert(expected) } }
    }

    var failure: LoadError? {
        guard case .failed(let failure) = events.last else { return nil }
        return failure.error
    }

    var heads: [ReplyHead] {
        events.compactMap { if case .head(let head) = $0 { head } else { nil } }
    }
}
