package import ProctorEvents
package import ProctorNotation

extension CallbackFamily {
    /// The order that every lane of the family must have, on any platform and with any answers or cancels.
    package var grammar: FamilyGrammar? { FamilyGrammar.all[self] }
}

/// The order of a family's lanes.
///
/// A grammar accepts more than any legal client: the rules check what depends on answers, cancels or the wire.
package struct FamilyGrammar: Sendable {
    /// The events of the lane in their order.
    package let notation: Notation
    /// Events that may be interleaved up to the terminal event.
    package let ambient: Notation?
    package let terminals: [String]

    /// Parsed once; a test checks that every grammar can be parsed.
    static let all: [CallbackFamily: FamilyGrammar] = {
        var grammars: [CallbackFamily: FamilyGrammar] = [:]
        for family in CallbackFamily.allCases { grammars[family] = try? FamilyGrammar(of: family) }
        return grammars
    }()

    private init(of family: CallbackFamily) throws(NotationError) {
        notation =
            try family.order.map { text throws(NotationError) in
                try Notation(parsing: text, lane: family.ownLane)
            } ?? .nothing(in: family.ownLane)
        ambient = try family.mayBeInterleaved.map { text throws(NotationError) in
            try Notation(parsing: text, lane: family.ownLane)
        }
        terminals = EventName.allCases.filter { family.isEnded(by: $0) }.map(\.rawValue)
        try ambient?.checkAsAmbient(terminals: terminals)
    }
}

/// The text of the grammars; section 4.4 of the rules gives the reasons.
extension CallbackFamily {
    var ownLane: Lane {
        switch self {
        case .urlProtocol: .protocolClient
        case .proto: .proto
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connection, .connectionSync,
            .connectionQueued, .connectionDownload, .download, .webSocket, .stream, .eventSource:
            .task
        }
    }

    var mayBeInterleaved: String? {
        switch self {
        // A response may come before the upload ends, so that upload progress may come until the load ends.
        case .sessionData, .sessionDownload, .connection: "bodySent*"
        // The documentation does not say whether a task with a handler asks about the cache.
        case .sessionHandler: "bodySent* & willCache?"
        case .sessionBackground, .connectionSync, .connectionQueued, .connectionDownload, .download, .urlProtocol,
            .proto, .webSocket, .stream, .eventSource:
            nil
        }
    }

    /// nil: no event may come.
    var order: String? {
        switch self {
        case .sessionData:
            """
            created? (delayed | waiting | redirect | challenge | needBodyStream | informational)*
            ( (response data* willCache?)+ (metrics willCache?)? complete
            | metrics? complete(error)
            | (response data*)* response (becameDownload | becameStream) )
            """
        // The handler takes the place of response, data and complete (R54).
        case .sessionHandler:
            "created? (delayed | waiting | redirect | challenge | needBodyStream | informational)* metrics?"
        case .sessionDownload:
            """
            created? (delayed | waiting | redirect | challenge | needBodyStream | informational | downloadResumed)*
            progress* ( fileReady metrics? complete(ok|cancelled) | metrics? complete(error) )
            """
        // The system follows redirects, restarts and resumes by itself; uploads get data without a response.
        case .sessionBackground:
            """
            created? (delayed | challenge | informational | needBodyStream | bodySent | response | data
            | downloadResumed | progress)* fileReady? metrics? complete
            """
        // The terminal event is missing after a cancel (R39, R42); the rules check for the cancel.
        case .connection:
            """
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled | needBodyStream)*
            ( (response data* willCache?)+ complete? | complete(error)? )
            """
        // The result in lane `handler` is all that is seen (R62).
        case .connectionSync, .connectionQueued: nil
        case .connectionDownload:
            """
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled | downloadResumed
            | progress)* (fileReady | complete(error))?
            """
        case .download:
            """
            askCredStore? downloadBegin?
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled)*
            ( (response | downloadResumed) (shouldDecode | destination | destinationCreated | progress)* )*
            (complete(ok) | complete(error))?
            """
        // No terminal event: the loader stopped the object, or followed its redirect (R51).
        case .urlProtocol:
            """
            (redirect | canonicalize | challenge challengeCancelled?)*
            ( (response (data | cacheValidated)*)+ complete?
            | cacheValidated (response | data)* complete?
            | complete(error)? )
            """
        // One object; class calls are outside of its lane (R52).
        case .proto: "p.init (p.start? (p.stop p.deinit?)? | p.deinit)"
        case .webSocket:
            """
            created? (waiting | redirect | challenge | informational)*
            ( wsOpen wsClose? metrics? complete | metrics? complete(error) )
            """
        case .stream:
            """
            created? waiting? (challenge | betterRoute | streamReadClosed | streamWriteClosed)*
            (streamsCaptured | metrics? complete)
            """
        // A reader of one stream ends with complete; one that has no open begins with the first event.
        case .eventSource: "(esOpen? esEvent* esError(retry))* esOpen? esEvent* (esError(fatal) | complete)?"
        }
    }
}
