import ProctorBase

/// What the vocabulary knows of an event: where it may be seen and what its argument says.
public struct EventKind: Sendable, Equatable {
    /// The event as a value.
    public let event: EventName
    /// As expressions and traces write it.
    public var name: String { event.rawValue }
    /// Never empty.
    public let lanes: [Lane]
    /// What may stand in its parentheses.
    public let argument: Argument
    /// Taken out of a trace before a case's expression is matched, unless the expression names it.
    public let isAmbient: Bool

    /// What stands between the parentheses of an event.
    public enum Argument: Sendable, Equatable {
        case none
        /// A status code of three digits whose first digit is in the range.
        case status(firstDigit: ClosedRange<Int>)
        /// `ok`, or the name of an error; in an expression also `error`, which is any but `ok`.
        case outcome
        /// Method, one space, request-target.
        case request
        /// Any text.
        case text
    }

    init(_ event: EventName, _ lanes: [Lane], argument: Argument = .none, isAmbient: Bool = false) {
        self.event = event
        self.lanes = lanes
        self.argument = argument
        self.isAmbient = isAmbient
    }
}

/// The one alphabet of neutral events that traces and expectations of all API families are written in.
public enum EventVocabulary {
    /// In the order in which a load usually brings them.
    public static let kinds: [EventKind] = [
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
        EventKind(.metrics, [.task], isAmbient: true),
        EventKind(.complete, [.task, .protocolClient], argument: .outcome),
        EventKind(.sessionInvalid, [.session], argument: .outcome),
        EventKind(.backgroundEventsDone, [.session]),
        EventKind(.pCanInit, [.proto], isAmbient: true),
        EventKind(.pCanonical, [.proto], isAmbient: true),
        EventKind(.pInit, [.proto]),
        EventKind(.pStart, [.proto]),
        EventKind(.pStop, [.proto]),
        EventKind(.pDeinit, [.proto]),
        EventKind(.handler, [.handler], argument: .outcome),
        EventKind(.awaited, [.handler], argument: .outcome),
        EventKind(.resume, [.harness]),
        EventKind(.suspend, [.harness]),
        EventKind(.cancel, [.harness]),
        EventKind(.answer, [.harness], argument: .text),
        EventKind(.invalidate, [.harness], argument: .text),
        EventKind(.blocked, [.harness]),
        EventKind(.result, [.harness]),
        EventKind(.unimplemented, [.harness], argument: .text),
        EventKind(.request, [.wire], argument: .request),
        EventKind(.replied, [.wire], argument: .status(firstDigit: 1...9)),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })

    /// The event of that exact name, in whichever lane.
    public static func kind(named name: String) -> EventKind? { byName[name] }

    /// What may be seen in a lane, in the order of ``kinds``.
    public static func names(in lane: Lane) -> [String] {
        kinds.filter { $0.lanes.contains(lane) }.map(\.name)
    }

    /// The event of the lane whose name is nearest to an unknown one.
    public static func nearestName(to name: String, in lane: Lane) -> String? {
        NearestName.find(name, in: names(in: lane))
    }

    /// The events that are taken out before a case's expression is matched.
    public static let ambientNames: [String] = kinds.filter(\.isAmbient).map(\.name)

    /// `complete`, after which nothing ambient may come; families name their own in addition.
    public static let terminalNames: [String] = ["complete"]
}
