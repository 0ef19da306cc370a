/// A neutral event of the vocabulary, as one byte; the raw value is its name in expressions and traces.
///
/// In the order in which a load usually has them. ``EventVocabulary`` has the lanes of each.
public enum EventName: String, Sendable, CaseIterable {
    // What a delegate is told of one task, connection or download.
    case created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled
    case needBodyStream, bodySent, informational, response, data
    /// The fields behind the content, as an event of their own (RFC 9110 §6.5).
    case trailers
    case willCache, cacheValidated, becameDownload
    case becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress
    case fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose
    /// The events of an event source: `open`, each event of the stream, and `error` (WHATWG HTML §9.2).
    case esOpen, esEvent, esError
    case metrics
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
    /// A message of a WebSocket was sent, a message was received, or a Pong came; or the act has failed.
    case wsSent, wsReceived, wsPong
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
    /// The client's process has ended, and the next one begins with the same storage; the exam writes it.
    case launched
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
    /// The client's RST_STREAM, with its error code (RFC 9113 §6.4).
    case reset
    /// The client's GOAWAY, with its error code (RFC 9113 §6.8).
    case goaway
    /// The client's acknowledgement of SETTINGS (RFC 9113 §6.5.3).
    case settingsAcknowledged
    /// The client's acknowledgement of PING (RFC 9113 §6.7).
    case pingAcknowledged
    /// The server's RST_STREAM, with its error code.
    case resetSent
    /// The server's GOAWAY, with its error code.
    case goawaySent

    /// The position in ``allCases``, without a search.
    package var ordinal: Int { Int(unsafe unsafeBitCast(self, to: UInt8.self)) }
}

/// A set of events in two machine words.
package struct EventNameSet: Sendable, Equatable, ExpressibleByArrayLiteral {
    /// The events by their ordinal, the first 64.
    private var low: UInt64
    /// The events from ordinal 64 on.
    private var high: UInt64

    /// Every event of the vocabulary.
    package static let all = EventNameSet(low: .max, high: .max)

    private init(low: UInt64, high: UInt64) {
        (self.low, self.high) = (low, high)
    }

    /// Makes a set of the listed events; duplicates count once.
    package init(arrayLiteral names: EventName...) { self.init(names) }

    /// Makes a set of the events in a sequence; duplicates count once.
    package init(_ names: some Sequence<EventName>) {
        self.init(low: 0, high: 0)
        for name in names { insert(name) }
    }

    /// Adds an event; an event that the set has already changes nothing.
    package mutating func insert(_ name: EventName) {
        let ordinal = UInt64(name.ordinal)
        if ordinal < 64 { low |= 1 << ordinal } else { high |= 1 << (ordinal - 64) }
    }

    package func union(_ other: EventNameSet) -> EventNameSet {
        EventNameSet(low: low | other.low, high: high | other.high)
    }

    /// Whether the set has the event, in constant time.
    package func contains(_ name: EventName) -> Bool {
        let ordinal = UInt64(name.ordinal)
        return (ordinal < 64 ? low & 1 << ordinal : high & 1 << (ordinal - 64)) != 0
    }
}
