import ProctorBase

/// The one alphabet of neutral events that traces and expectations of all API families are written in.
public enum EventVocabulary {
    /// In the order in which a load usually brings them.
    public static let kinds: [EventKind] = [
        EventKind(.created, [.task], isAmbient: true),
        EventKind(.delayed, [.task], .text, isAmbient: true),
        EventKind(.waiting, [.task], isAmbient: true),
        EventKind(.canonicalize, [.task, .protocolClient]),
        EventKind(.redirect, [.task, .protocolClient], .status(firstDigit: 3...3)),
        EventKind(.askCanAuth, [.task], .text),
        EventKind(.askCredStore, [.task]),
        EventKind(.challenge, [.task, .session, .protocolClient], .text),
        EventKind(.challengeCancelled, [.task, .session, .protocolClient], .text),
        EventKind(.needBodyStream, [.task], .text),
        EventKind(.bodySent, [.task], isAmbient: true),
        EventKind(.informational, [.task], .status(firstDigit: 1...1)),
        EventKind(.response, [.task, .protocolClient], .status(firstDigit: 1...9)),
        EventKind(.data, [.task, .protocolClient]),
        EventKind(.willCache, [.task], isAmbient: true),
        EventKind(.cacheValidated, [.protocolClient]),
        EventKind(.becameDownload, [.task]),
        EventKind(.becameStream, [.task]),
        EventKind(.downloadBegin, [.task]),
        EventKind(.downloadResumed, [.task], .text),
        EventKind(.shouldDecode, [.task], .text),
        EventKind(.destination, [.task], .text),
        EventKind(.destinationCreated, [.task]),
        EventKind(.progress, [.task]),
        EventKind(.fileReady, [.task]),
        EventKind(.streamReadClosed, [.task]),
        EventKind(.streamWriteClosed, [.task]),
        EventKind(.betterRoute, [.task]),
        EventKind(.streamsCaptured, [.task]),
        EventKind(.wsOpen, [.task], .text),
        EventKind(.wsClose, [.task], .text),
        EventKind(.metrics, [.task], isAmbient: true),
        EventKind(.complete, [.task, .protocolClient], .outcome),
        EventKind(.sessionInvalid, [.session], .outcome),
        EventKind(.backgroundEventsDone, [.session]),
        EventKind(.pCanInit, [.proto], isAmbient: true),
        EventKind(.pCanonical, [.proto], isAmbient: true),
        EventKind(.pInit, [.proto]),
        EventKind(.pStart, [.proto]),
        EventKind(.pStop, [.proto]),
        EventKind(.pDeinit, [.proto]),
        EventKind(.handler, [.handler], .outcome),
        EventKind(.awaited, [.handler], .outcome),
        EventKind(.resume, [.harness]),
        EventKind(.suspend, [.harness]),
        EventKind(.cancel, [.harness]),
        EventKind(.answer, [.harness], .text),
        EventKind(.invalidate, [.harness], .text),
        EventKind(.blocked, [.harness]),
        EventKind(.result, [.harness]),
        EventKind(.unimplemented, [.harness], .text),
        EventKind(.request, [.wire], .request),
        EventKind(.replied, [.wire], .status(firstDigit: 1...9)),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })

    /// The event of that exact name, in whichever lane.
    public static func kind(named name: String) -> EventKind? { byName[name] }

    /// What may be seen in a lane, in the order of ``kinds``.
    public static func names(in lane: Lane) -> [String] {
        kinds.filter { $0.lanes.contains(lane) }.map(\.name)
    }

    /// The event of the lane that somebody probably meant to write.
    public static func nearestName(to name: String, in lane: Lane) -> String? {
        NearestName.find(name, in: names(in: lane))
    }

    /// The events that are taken out before a case's expression is matched.
    public static let ambientNames: [String] = kinds.filter(\.isAmbient).map(\.name)

    /// `complete`, after which nothing ambient may come; families name their own in addition.
    public static let terminalNames: [String] = ["complete"]
}
