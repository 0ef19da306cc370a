/// A neutral event of the vocabulary, as one byte; the raw value is how expressions and traces write it.
///
/// In the order in which a load usually brings them. ``EventVocabulary`` says where each may be seen.
public enum EventName: String, Sendable, CaseIterable {
    // What a delegate is told of one task, connection or download.
    case created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled
    case needBodyStream, bodySent, informational, response, data, willCache, cacheValidated, becameDownload
    case becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress
    case fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, metrics
    case complete
    // Events of a session.
    case sessionInvalid, backgroundEventsDone
    // The life of a URLProtocol object.
    case pCanInit = "p.canInit"
    case pCanonical = "p.canonical"
    case pInit = "p.init"
    case pStart = "p.start"
    case pStop = "p.stop"
    case pDeinit = "p.deinit"
    /// A completion handler was called.
    case handler
    /// An `await` returned or threw.
    case awaited
    // What the test did.
    case resume, suspend, cancel, answer, invalidate
    /// The harness noticed that a thread which must run its run loop did not.
    case blocked
    /// What the client had of a step in the end, in facts.
    case result
    /// The harness cannot do what the program asks for.
    case unimplemented
    /// A request as the server saw it.
    case request
    /// The first byte of a final reply went out, as the server saw it; edges alone speak of it.
    case replied

    /// The position in ``allCases``, without a search.
    public var ordinal: Int { Int(unsafe unsafeBitCast(self, to: UInt8.self)) }
}

/// A set of events in one machine word.
public struct EventNameSet: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var bits: UInt64

    /// Every event of the vocabulary.
    public static let all = EventNameSet(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    /// Duplicates count once.
    public init(arrayLiteral names: EventName...) {
        bits = names.reduce(0) { $0 | 1 << UInt64($1.ordinal) }
    }

    /// Duplicates count once.
    public init(_ names: some Sequence<EventName>) {
        bits = names.reduce(0) { $0 | 1 << UInt64($1.ordinal) }
    }

    /// Changes nothing when it is there.
    public mutating func insert(_ name: EventName) { bits |= 1 << UInt64(name.ordinal) }

    /// Takes a constant time.
    public func contains(_ name: EventName) -> Bool { bits & (1 << UInt64(name.ordinal)) != 0 }
}
