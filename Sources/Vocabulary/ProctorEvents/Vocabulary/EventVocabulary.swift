import ProctorBase

/// The vocabulary's entry for an event: its lanes and the kind of its argument.
package struct EventKind: Sendable, Equatable {
    package let event: EventName
    package var name: String { event.rawValue }
    /// What has come, as the subject of a sentence, without the event's argument.
    let words: String
    /// Never empty.
    package let lanes: [Lane]
    package let argument: Argument
    /// Whether the event is taken out of a trace before a case's expression is matched, unless the expression names
    /// it.
    package let isAmbient: Bool

    package enum Argument: Sendable, Equatable {
        case none
        /// A status code of three digits whose first digit is in the range.
        case status(firstDigit: ClosedRange<Int>)
        /// `ok`, or the name of an error; in an expression also `error`, which matches all but `ok`.
        case outcome
        case request
        case text
    }

    init(
        _ event: EventName, _ words: String, _ lanes: [Lane], argument: Argument = .none, isAmbient: Bool = false
    ) {
        (self.event, self.words, self.lanes, self.argument, self.isAmbient) = (event, words, lanes, argument, isAmbient)
    }
}

extension EventName {
    /// What has come, as the subject of a sentence, without the event's argument.
    package var words: String { NameTables.kinds[ordinal].words }
}

/// The neutral events that traces and expectations of all API families use.
package enum EventVocabulary {
    /// In the order in which a load usually has them.
    package static let kinds: [EventKind] = [
        EventKind(.created, "the creation of the task", [.task], isAmbient: true),
        EventKind(.delayed, "the start of a delayed request", [.task], argument: .text, isAmbient: true),
        EventKind(.waiting, "the wait for a network", [.task], isAmbient: true),
        EventKind(.canonicalize, "a rewrite to the canonical URL", [.task, .protocolClient]),
        EventKind(.redirect, "a redirect", [.task, .protocolClient], argument: .status(firstDigit: 3...3)),
        EventKind(.askCanAuth, "the question whether a challenge can be answered", [.task], argument: .text),
        EventKind(.askCredStore, "the question whether stored credentials are used", [.task]),
        EventKind(.challenge, "a challenge", [.task, .session, .protocolClient], argument: .text),
        EventKind(
            .challengeCancelled, "the cancellation of a challenge", [.task, .session, .protocolClient],
            argument: .text),
        EventKind(.needBodyStream, "the request for a new body stream", [.task], argument: .text),
        EventKind(.bodySent, "progress of the upload", [.task], isAmbient: true),
        EventKind(.informational, "an informational response", [.task], argument: .status(firstDigit: 1...1)),
        EventKind(.response, "the response", [.task, .protocolClient], argument: .status(firstDigit: 1...9)),
        EventKind(.data, "a piece of the content", [.task, .protocolClient]),
        EventKind(.willCache, "the question whether the response is cached", [.task], isAmbient: true),
        EventKind(.cacheValidated, "the note that a cached response is valid", [.protocolClient]),
        EventKind(.becameDownload, "the change into a download", [.task]),
        EventKind(.becameStream, "the change into a stream task", [.task]),
        EventKind(.downloadBegin, "the start of the download", [.task]),
        EventKind(.downloadResumed, "the resumption of the download", [.task], argument: .text),
        EventKind(.shouldDecode, "the question whether a coding is decoded", [.task], argument: .text),
        EventKind(.destination, "the question for a destination", [.task], argument: .text),
        EventKind(.destinationCreated, "the creation of the file", [.task]),
        EventKind(.progress, "progress of the download", [.task]),
        EventKind(.fileReady, "the finished file", [.task]),
        EventKind(.streamReadClosed, "the end of a stream's input", [.task]),
        EventKind(.streamWriteClosed, "the end of a stream's output", [.task]),
        EventKind(.betterRoute, "the discovery of a better route", [.task]),
        EventKind(.streamsCaptured, "the handing over of both streams", [.task]),
        EventKind(.wsOpen, "the opening of the WebSocket", [.task], argument: .text),
        EventKind(.wsClose, "the closing of the WebSocket", [.task], argument: .text),
        EventKind(.esOpen, "the opening of the event source", [.task]),
        EventKind(.esEvent, "an event of the stream", [.task], argument: .text),
        EventKind(.esError, "the error of the event source", [.task], argument: .text),
        EventKind(.metrics, "the metrics", [.task], isAmbient: true),
        EventKind(.complete, "the end of the load", [.task, .protocolClient], argument: .outcome),
        EventKind(.sessionInvalid, "the end of the session", [.session], argument: .outcome),
        EventKind(.backgroundEvents, "the launch for a background session", [.session], argument: .text),
        EventKind(.backgroundEventsDone, "the note that a background session has told everything", [.session]),
        EventKind(
            .pCanInit, "the question whether the URLProtocol takes a request", [.proto],
            argument: .text, isAmbient: true),
        EventKind(.pCanonical, "the question for the canonical request", [.proto], isAmbient: true),
        EventKind(
            .pCacheEquivalent, "the question whether two requests share a cache entry", [.proto], isAmbient: true),
        EventKind(.pInit, "the creation of the URLProtocol", [.proto], argument: .text),
        EventKind(.pStart, "startLoading of the URLProtocol", [.proto]),
        EventKind(.pStop, "stopLoading of the URLProtocol", [.proto]),
        EventKind(.pDeinit, "the release of the URLProtocol", [.proto]),
        EventKind(.handler, "the call of the completion handler", [.handler], argument: .outcome),
        EventKind(.awaited, "the return of await", [.handler], argument: .outcome),
        EventKind(.wsSent, "the sending of a message", [.handler], argument: .outcome),
        EventKind(.wsReceived, "the receipt of a message", [.handler], argument: .outcome),
        EventKind(.wsPong, "the Pong", [.handler], argument: .outcome),
        EventKind(.resume, "the test's resume", [.harness]),
        EventKind(.suspend, "the test's suspend", [.harness]),
        EventKind(.cancel, "the test's cancel", [.harness]),
        EventKind(.answer, "the test's answer", [.harness], argument: .text),
        EventKind(.invalidate, "the test's invalidation of the session", [.harness], argument: .text),
        EventKind(.schedule, "the test's choice of a queue or run loop", [.harness], argument: .text),
        EventKind(.mode, "a mode of the run loop", [.harness], argument: .text),
        EventKind(.returned, "the return of the call that began the load", [.harness]),
        EventKind(.bodyWritten, "the last piece of the body, written by the test", [.harness]),
        EventKind(.blocked, "a run loop that does not run", [.harness]),
        EventKind(.delegateReleased, "the release of the delegate", [.harness], argument: .text),
        EventKind(.launched, "the next launch of the client", [.harness]),
        EventKind(.result, "the final result", [.harness]),
        EventKind(.unimplemented, "a thing that the client cannot do", [.harness], argument: .text),
        EventKind(.request, "the request", [.wire], argument: .request),
        EventKind(.replied, "the first byte of a reply", [.wire], argument: .status(firstDigit: 1...9)),
        EventKind(.closed, "the end of a connection", [.wire], argument: .text),
        EventKind(.reset, "the client's RST_STREAM", [.wire], argument: .text),
        EventKind(.goaway, "the client's GOAWAY", [.wire], argument: .text),
        EventKind(.settingsAcknowledged, "the client's acknowledgement of SETTINGS", [.wire]),
        EventKind(.pingAcknowledged, "the client's acknowledgement of PING", [.wire]),
        EventKind(.resetSent, "the server's RST_STREAM", [.wire], argument: .text),
        EventKind(.goawaySent, "the server's GOAWAY", [.wire], argument: .text),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })

    package static func kind(named name: String) -> EventKind? { byName[name] }

    /// The events of a lane, in the order of ``kinds``.
    package static func names(in lane: Lane) -> [String] {
        kinds.filter { $0.lanes.contains(lane) }.map(\.name)
    }

    /// The event of the lane whose name is nearest to an unknown one.
    package static func nearestName(to name: String, in lane: Lane) -> String? {
        NearestName.find(name, in: names(in: lane))
    }

    /// The events that are taken out before a case's expression is matched.
    package static let ambientNames: [String] = kinds.filter(\.isAmbient).map(\.name)

    /// The argument of `delegateReleased` where the delegate is still held (R65).
    package static let notInTime = "not-in-time"

    /// The arguments of `esError`: the event source connects again, or never does (R69, R70).
    package static let (retry, fatal) = ("retry", "fatal")

    /// `complete`, after which no ambient event may come; families add terminals of their own.
    package static let terminalNames: [String] = ["complete"]

    /// Frames of HTTP/2, which an expression sees where it names them.
    package static let frames: [EventName] = [
        .reset, .goaway, .settingsAcknowledged, .pingAcknowledged, .resetSent, .goawaySent,
    ]
}
