/// A neutral event of the vocabulary, as one byte; the raw value is its name in expressions and traces.
///
/// In the order in which a load usually has them. ``EventVocabulary`` has the lanes of each.
public enum EventName: String, Sendable, CaseIterable {
    // What a delegate is told of one task, connection or download.
    case created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled
    case needBodyStream, bodySent, informational, response, data, willCache, cacheValidated, becameDownload
    case becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress
    case fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, metrics
    case complete
    // Events of a session.
    case sessionInvalid
    /// The app was told that events of a background session wait, and got a handler to call when it has had them (R66).
    case backgroundEvents
    case backgroundEventsDone
    // The life of a URLProtocol object.
    case pCanInit = "p.canInit"
    case pCanonical = "p.canonical"
    case pCacheEquivalent = "p.cacheEquivalent"
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
    /// Where the callbacks of the next load must come: on which queue, or on which thread's run loop and in which mode.
    case schedule
    /// The run loop of a scheduled thread runs in that mode from now on.
    case mode
    /// The call that started a load has returned; only recorders of synchronous and queued requests write it.
    case returned
    /// The test has written the last piece of a body into its end of a pair of streams.
    case bodyWritten
    /// A thread that must run its run loop did not, as the harness noticed.
    case blocked
    /// A delegate object was released by its session or load, or still not; the number is that of its owner (R65).
    case delegateReleased
    /// The client's final result of a step, in facts.
    case result
    /// The harness cannot do what the program asks for.
    case unimplemented
    /// A request that the server received.
    case request
    /// The server sent the first byte of a final reply; only edges use it.
    case replied
    /// The client or the server ended a connection; only edges use it.
    case closed

    /// The position in ``allCases``, without a search.
    public var ordinal: Int { Int(unsafe unsafeBitCast(self, to: UInt8.self)) }
}

/// A set of events in one machine word.
public struct EventNameSet: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var bits: UInt64

    /// Every event of the vocabulary.
    public static let all = EventNameSet(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    /// Makes a set of the listed events; duplicates count once.
    public init(arrayLiteral names: EventName...) {
        bits = names.reduce(0) { $0 | 1 << UInt64($1.ordinal) }
    }

    /// Makes a set of the events in a sequence; duplicates count once.
    public init(_ names: some Sequence<EventName>) {
        bits = names.reduce(0) { $0 | 1 << UInt64($1.ordinal) }
    }

    /// Adds an event; an event that the set has already changes nothing.
    public mutating func insert(_ name: EventName) { bits |= 1 << UInt64(name.ordinal) }

    package func union(_ other: EventNameSet) -> EventNameSet { EventNameSet(bits: bits | other.bits) }

    /// Whether the set has the event, in constant time.
    public func contains(_ name: EventName) -> Bool { bits & (1 << UInt64(name.ordinal)) != 0 }
}
