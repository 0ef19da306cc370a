/// The grammars as they are written; section 4.4 of the rules argues each.
extension CallbackFamily {
    /// The lane that the grammar speaks of.
    var ownLane: Lane {
        switch self {
        case .PC: .protocolClient
        case .proto: .proto
        case .US, .UD, .HT, .BG, .UC, .CD, .DL, .WS, .ST: .task
        }
    }

    /// What may come anywhere up to the terminal event.
    var mayBeInterleaved: String? {
        switch self {
        // An answer may overtake the upload, whose progress can therefore be told until the load ends.
        case .US, .UD, .UC: "bodySent*"
        // Whether a cache is asked for a task with a handler is open.
        case .HT: "bodySent* & willCache?"
        case .BG, .CD, .DL, .PC, .proto, .WS, .ST: nil
        }
    }

    /// What a lane is made of.
    var order: String {
        switch self {
        case .US:
            """
            created? (delayed | waiting | redirect | challenge | needBodyStream | informational)*
            ( (response data* willCache?)+ (metrics willCache?)? complete
            | metrics? complete(error)
            | (response data*)* response (becameDownload | becameStream) )
            """
        // The handler stands in place of response, data and complete (R54).
        case .HT:
            "created? (delayed | waiting | redirect | challenge | needBodyStream | informational)* metrics?"
        case .UD:
            """
            created? (delayed | waiting | redirect | challenge | needBodyStream | informational | downloadResumed)*
            progress* ( fileReady metrics? complete(ok|cancelled) | metrics? complete(error) )
            """
        // The system follows redirects, restarts and resumes by itself; uploads get data without a response.
        case .BG:
            """
            created? (delayed | challenge | informational | needBodyStream | bodySent | response | data
            | downloadResumed | progress)* fileReady? metrics? complete
            """
        // The terminal is missing after a cancel (R39, R42); that it was cancelled is for the rules to see.
        case .UC:
            """
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled | needBodyStream)*
            ( (response data* willCache?)+ complete? | complete(error)? )
            """
        case .CD:
            """
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled | downloadResumed
            | progress)* (fileReady | complete(error))?
            """
        case .DL:
            """
            askCredStore? downloadBegin?
            (canonicalize | redirect | askCredStore | askCanAuth | challenge | challengeCancelled)*
            ( (response | downloadResumed) (shouldDecode | destination | destinationCreated | progress)* )*
            (complete(ok) | complete(error))?
            """
        // No terminal: the loader stopped the object, or followed its redirect (R51).
        case .PC:
            """
            (redirect | canonicalize | challenge challengeCancelled?)*
            ( (response (data | cacheValidated)*)+ complete?
            | cacheValidated (response | data)* complete?
            | complete(error)? )
            """
        // One object; the class is asked outside of it (R52).
        case .proto: "p.init (p.start? (p.stop p.deinit?)? | p.deinit)"
        case .WS:
            """
            created? (waiting | redirect | challenge | informational)*
            ( wsOpen wsClose? metrics? complete | metrics? complete(error) )
            """
        case .ST:
            """
            created? waiting? (challenge | betterRoute | streamReadClosed | streamWriteClosed)*
            (streamsCaptured | metrics? complete)
            """
        }
    }
}
