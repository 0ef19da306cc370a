public import ProctorEvents
public import ProctorNotation

extension CallbackFamily {
    /// What every lane of the family must satisfy, whatever the platform and whatever was answered or cancelled.
    public var grammar: FamilyGrammar? { FamilyGrammar.all[self] }
}

/// The order that a family's lanes have by their nature.
///
/// A grammar is wider than any legal client: what depends on answers, cancelling or the wire is left to the rules.
public struct FamilyGrammar: Sendable {
    /// What must come.
    public let notation: Notation
    /// What may be interleaved up to the terminal event.
    public let ambient: Notation?
    /// The events that end a lane.
    public let terminals: [String]

    /// Parsed once; a grammar that does not parse is missing, and a test looks that none is.
    static let all: [CallbackFamily: FamilyGrammar] = {
        var grammars: [CallbackFamily: FamilyGrammar] = [:]
        for family in CallbackFamily.allCases { grammars[family] = try? FamilyGrammar(of: family) }
        return grammars
    }()

    private init(of family: CallbackFamily) throws(NotationError) {
        notation = try Notation(parsing: family.order, lane: family.ownLane)
        ambient = try family.mayBeInterleaved.map { text throws(NotationError) in
            try Notation(parsing: text, lane: family.ownLane)
        }
        terminals = EventName.allCases.filter { family.isEnded(by: $0) }.map(\.rawValue)
        try ambient?.checkAsAmbient(terminals: terminals)
    }
}

/// The grammars as they are written; section 4.4 of the rules argues each.
extension CallbackFamily {
    /// The lane that the grammar speaks of.
    var ownLane: Lane {
        switch self {
        case .urlProtocol: .protocolClient
        case .proto: .proto
        case .sessionData, .sessionDownload, .sessionHandler, .sessionBackground, .connection, .connectionDownload,
            .download, .webSocket, .stream:
            .task
        }
    }

    /// What may come anywhere up to the terminal event.
    var mayBeInterleaved: String? {
        switch self {
        // An answer may overtake the upload, whose progress can therefore be told until the load ends.
        case .sessionData, .sessionDownload, .connection: "bodySent*"
        // Whether a cache is asked for a task with a handler is open.
        case .sessionHandler: "bodySent* & willCache?"
        case .sessionBackground, .connectionDownload, .download, .urlProtocol, .proto, .webSocket, .stream: nil
        }
    }

    /// What a lane is made of.
    var order: String {
        switch self {
        case .sessionData:
            """
            created? (delayed | waiting | redirect | challenge | needBodyStream | informational)*
            ( (response data* willCache?)+ (metrics willCache?)? complete
            | metrics? complete(error)
            | (response data*)* response (becameDownload | becameStream) )
            """
        // The handler stands in place of response, data and complete (R54).
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
        // The terminal is missing after a cancel (R39, R42); that it was cancelled is for the rules to see.
        case .connection:
            """
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled | needBodyStream)*
            ( (response data* willCache?)+ complete? | complete(error)? )
            """
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
        // No terminal: the loader stopped the object, or followed its redirect (R51).
        case .urlProtocol:
            """
            (redirect | canonicalize | challenge challengeCancelled?)*
            ( (response (data | cacheValidated)*)+ complete?
            | cacheValidated (response | data)* complete?
            | complete(error)? )
            """
        // One object; the class is asked outside of it (R52).
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
        }
    }
}
