import ProctorBase

/// A family of client API, with the callbacks and the order that belong to it.
public enum CallbackFamily: String, Sendable, CaseIterable {
    /// URLSession data and upload tasks with a delegate.
    case sessionData
    /// URLSession download tasks with a delegate.
    case sessionDownload
    /// URLSession tasks with a completion handler or `await` (R54).
    case sessionHandler
    /// Tasks of background sessions.
    case sessionBackground
    /// NSURLConnection.
    case connection
    /// Synchronous requests of NSURLConnection: a call that returns the result (R62).
    case connectionSync
    /// Queued requests of NSURLConnection: a block that gets the result on a named queue (R62, R63).
    case connectionQueued
    /// NSURLConnectionDownloadDelegate.
    case connectionDownload
    /// NSURLDownload.
    case download
    /// The calls of a URLProtocol on its URLProtocolClient.
    case urlProtocol
    /// The calls of the loading system on a URLProtocol object.
    case proto
    /// WebSocket tasks.
    case webSocket
    /// Stream tasks.
    case stream
    /// Event sources, and readers of one event stream (WHATWG HTML §9.2).
    case eventSource
    /// Clients whose response is a sequence that one task reads: head, parts, trailers, and the end or an error.
    case sequence

    /// Accepts the name, or the ``shortCode``.
    package init?(named text: String) {
        guard let family = Self(rawValue: text) ?? Self.allCases.first(where: { $0.shortCode == text }) else {
            return nil
        }
        self = family
    }

    private static let table = ContainedTable<Self, (code: String, words: String)>("callback-families") {
        ($0["code"], $0["words"])
    }

    /// The two-letter name in trace files, which recorders and readers of every version use.
    package var shortCode: String { Self.table[self].code }

    /// The name of the API, for a person.
    package var words: String { Self.table[self].words }

    // MARK: Events

    /// The events that the client must answer, and before whose answer no other event may come (R8, R10, R22, R28).
    ///
    /// In the old families most answers are return values and need no event.
    package var questions: EventNameSet {
        switch self {
        case .sessionData: [.redirect, .challenge, .needBodyStream, .response, .willCache, .delayed]
        case .sessionDownload, .sessionHandler, .sessionBackground:
            [.redirect, .challenge, .needBodyStream, .willCache, .delayed]
        case .webSocket, .urlProtocol: [.redirect, .challenge]
        case .connection, .connectionDownload, .download, .stream: [.challenge]
        // Their caller is asked nothing (R62).
        case .connectionSync, .connectionQueued, .proto, .eventSource, .sequence: []
        }
    }

    /// Whether the result of a load comes in lane `handler` and not as an event of lane `task` (R54, R62).
    package var endsInHandler: Bool {
        switch self {
        case .sessionHandler, .connectionSync, .connectionQueued: true
        case .sessionData, .sessionDownload, .sessionBackground, .connection, .connectionDownload, .download,
            .urlProtocol, .proto, .webSocket, .stream, .eventSource, .sequence:
            false
        }
    }

    /// Whether the event ends a lane of the family (R39).
    package func isEnded(by name: EventName) -> Bool {
        switch name {
        case .complete: true
        case .fileReady: self == .connectionDownload
        case .streamsCaptured: self == .stream
        case .becameDownload, .becameStream: self == .sessionData
        case .pDeinit: self == .proto
        default: false
        }
    }

    /// As ``isEnded(by:)``; `esError` ends an event source only where it does not connect again (R70).
    package func isEnded(by event: TraceEvent) -> Bool {
        isEnded(by: event.name) || event.name == .esError && event.argument == EventVocabulary.fatal
    }
}
