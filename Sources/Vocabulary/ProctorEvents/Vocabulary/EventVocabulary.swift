import ProctorBase

/// The vocabulary's entry for an event: its lanes and the kind of its argument.
package struct EventKind: Sendable, Equatable {
    package let event: EventName
    package var name: String { event.rawValue }
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

    init(_ event: EventName, _ lanes: [Lane], argument: Argument = .none, isAmbient: Bool = false) {
        self.event = event
        self.lanes = lanes
        self.argument = argument
        self.isAmbient = isAmbient
    }
}

/// The neutral events that traces and expectations of all API families use.
package enum EventVocabulary {
    /// In the order in which a load usually has them.
    package static let kinds: [EventKind] = [
        EventKind(.created, [.task], isAmbient: true),
        EventKind(.delayed, [.task], argument: .text, isAmbient: true),
        EventKind(.waiting, [.task], isAmbient: true),
        EventKind(.canonicalize, [.task, .protocolClient]),
        EventKind(.redirect, [.task, .protocolClient], argument: .status(firstDigit: 3...3)),
        EventKind(.askCanAuth, [.task], argument: .text),
        EventKind(.askCredStore, [.task]),
        EventKind(.challenge, [.task, .session, .protocolClient], argument: .text),
        EventKind(.challengeCancelled, [.task, .session, .protocolClient], argument: .text),
        EventKind(.needBodyStream, [.task], argument: .text),
        EventKind(.bodySent, [.task], isAmbient: true),
        EventKind(.informational, [.task], argument: .status(firstDigit: 1...1)),
        EventKind(.response, [.task, .protocolClient], argument: .status(firstDigit: 1...9)),
        EventKind(.data, [.task, .protocolClient]),
        EventKind(.willCache, [.task], isAmbient: true),
        EventKind(.cacheValidated, [.protocolClient]),
        EventKind(.becameDownload, [.task]),
        EventKind(.becameStream, [.task]),
        EventKind(.downloadBegin, [.task]),
        EventKind(.downloadResumed, [.task], argument: .text),
        EventKind(.shouldDecode, [.task], argument: .text),
        EventKind(.destination, [.task], argument: .text),
        EventKind(.destinationCreated, [.task]),
        EventKind(.progress, [.task]),
        EventKind(.fileReady, [.task]),
        EventKind(.streamReadClosed, [.task]),
        EventKind(.streamWriteClosed, [.task]),
        EventKind(.betterRoute, [.task]),
        EventKind(.streamsCaptured, [.task]),
        EventKind(.wsOpen, [.task], argument: .text),
        EventKind(.wsClose, [.task], argument: .text),
        EventKind(.esOpen, [.task]),
        EventKind(.esEvent, [.task], argument: .text),
        EventKind(.esError, [.task], argument: .text),
        EventKind(.metrics, [.task], isAmbient: true),
        EventKind(.complete, [.task, .protocolClient], argument: .outcome),
        EventKind(.sessionInvalid, [.session], argument: .outcome),
        EventKind(.backgroundEvents, [.session], argument: .text),
        EventKind(.backgroundEventsDone, [.session]),
        EventKind(.pCanInit, [.proto], argument: .text, isAmbient: true),
        EventKind(.pCanonical, [.proto], isAmbient: true),
        EventKind(.pCacheEquivalent, [.proto], isAmbient: true),
        EventKind(.pInit, [.proto], argument: .text),
        EventKind(.pStart, [.proto]),
        EventKind(.pStop, [.proto]),
        EventKind(.pDeinit, [.proto]),
        EventKind(.handler, [.handler], argument: .outcome),
        EventKind(.awaited, [.handler], argument: .outcome),
        EventKind(.wsSent, [.handler], argument: .outcome),
        EventKind(.wsReceived, [.handler], argument: .outcome),
        EventKind(.wsPong, [.handler], argument: .outcome),
        EventKind(.resume, [.harness]),
        EventKind(.suspend, [.harness]),
        EventKind(.cancel, [.harness]),
        EventKind(.answer, [.harness], argument: .text),
        EventKind(.invalidate, [.harness], argument: .text),
        EventKind(.schedule, [.harness], argument: .text),
        EventKind(.mode, [.harness], argument: .text),
        EventKind(.returned, [.harness]),
        EventKind(.bodyWritten, [.harness]),
        EventKind(.blocked, [.harness]),
        EventKind(.delegateReleased, [.harness], argument: .text),
        EventKind(.launched, [.harness]),
        EventKind(.result, [.harness]),
        EventKind(.unimplemented, [.harness], argument: .text),
        EventKind(.request, [.wire], argument: .request),
        EventKind(.replied, [.wire], argument: .status(firstDigit: 1...9)),
        EventKind(.closed, [.wire], argument: .text),
        EventKind(.reset, [.wire], argument: .text),
        EventKind(.goaway, [.wire], argument: .text),
        EventKind(.settingsAcknowledged, [.wire]),
        EventKind(.pingAcknowledged, [.wire]),
        EventKind(.resetSent, [.wire], argument: .text),
        EventKind(.goawaySent, [.wire], argument: .text),
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
