import ProctorBase
import ProctorHTTP
package import ProctorProgram

extension FactName {
    /// A fact that the client reports of a step.
    package enum ClientFact: Sendable, Hashable {
        case status, url, body, bodyLength, mime, suggestedName, expectedLength, error
        case textEncodingName
        /// The client's own phrase for the status code.
        case statusText
        /// The error's description for a person, and its length in bytes.
        case errorMessage, errorMessageLength
        /// The result of the client's look-up of a field, with the name in this spelling.
        case header(String)
        /// The field behind the content that the client looks up, with the name in this spelling.
        case trailer(String)
        /// The names of the stored cookies for the step's URL, sorted.
        case storedCookies
        /// The value of a stored cookie.
        case storedCookie(String)
        /// A property of a stored cookie.
        case storedProperty(CookieProperty, name: String)
        /// Of the cached response to the step's request.
        case cached(CachedFact)
        /// A value that the application has stored with the response.
        case cachedNote(String)
        case proposedStorage
        case measuredProtocol
        /// Of the response of the N-th redirect that the client reported, counted from 0.
        case redirect(index: Int, RedirectFact)
        /// The name of an NSURLDownload's file, without its folder.
        case file
        /// Whether the file of an NSURLDownload exists after the end.
        case fileExists
        /// The number of files in the folder of NSURLDownloads after the end.
        case files
        /// Whether a file that exists only during a callback still exists after the end.
        case temporaryFileExists
        case resumeData
        /// The messages that were received over a WebSocket, in order: `text TEXT` or `binary 00ff`.
        case messages
        /// Of the server's Close frame; the code is 1005 where it has none.
        case closeCode, closeReason
        /// The one that the server chose for a WebSocket.
        case chosenProtocol
        /// The data of all events that an event source handed over, in order, and their number.
        case events, eventCount
        /// Of one event, counted from 0.
        case event(index: Int, StreamedFact)
        case retries
    }

    /// A fact of an event of an event stream (WHATWG HTML §9.2.6).
    package enum StreamedFact: String, Sendable, Hashable, CaseIterable {
        case type, data
        case id
        /// The origin of the stream's final URL.
        case origin
    }

    package enum CookieProperty: String, Sendable, Hashable, CaseIterable {
        case domain, path, secure
        case httpOnly = "http-only"
        /// Whether the cookie has no expiry time.
        case sessionOnly = "session-only"
    }

    package enum CachedFact: String, Sendable, Hashable, CaseIterable {
        case status, body, storage
    }

    package enum RedirectFact: Sendable, Hashable {
        case status, url
        /// As for the final response.
        case header(String)
    }
}

extension FactName.ClientFact {
    package var text: String { row.text }

    package var row: FactRow {
        switch self {
        case .status: Self.row("the status that the client reports", "status", .number, over: .statusWithout101)
        case .url: Self.row("the URL of the response", "url")
        case .body: Self.row("the content that the client reports", "body")
        case .bodyLength:
            Self.row("the length in bytes of the content that the client reports", "body.length", .number)
        case .mime: Self.row("the media type that the client reports", "mime")
        case .suggestedName: Self.row("the file name that the client suggests", "suggestedName")
        case .expectedLength: Self.row("the length in bytes that the client expects", "expectedLength", .number)
        case .error: Self.row("the client's error", "error")
        case .textEncodingName: Self.row("the charset that the client reports", "textEncodingName")
        case .statusText: Self.row("the client's text for the status", "statusText")
        case .errorMessage: Self.row("the text of the client's error", "error.message")
        case .errorMessageLength:
            Self.row("the length of the text of the client's error in bytes", "error.message.length", .number)
        case .header(let name):
            Self.row("the field NAME as the client looks it up", "header.NAME", of: name, over: .field(name))
        case .trailer(let name):
            Self.row("the field NAME behind the content as the client looks it up", "trailer.NAME", of: name)
        case .storedCookies: Self.row("the names of the stored cookies", "stored.cookies", .list)
        case .storedCookie(let name): Self.row("the stored cookie NAME", "stored.cookies.NAME", of: name)
        case .storedProperty(let property, let name):
            Self.row(
                "\(property.rawValue) of the stored cookie NAME", "stored.\(property.rawValue).NAME",
                property == .domain || property == .path ? .text : .flag, of: name)
        case .cached(.status): Self.row("the status of the cached response", "cached.status", .number)
        case .cached(.body): Self.row("the content of the cached response", "cached.body")
        case .cached(.storage): Self.row("the storage of the cached response", "cached.storage")
        case .cachedNote(let name): Self.row("the note NAME of the cached response", "cached.notes.NAME", of: name)
        case .proposedStorage: Self.row("the storage that the client proposes for the response", "willCache.storage")
        case .measuredProtocol: Self.row("the protocol that the client's metrics name", "metrics.protocol")
        case .redirect(let index, .status):
            Self.row("the status of redirect \(index + 1)", "redirect[\(index)].status", .number)
        case .redirect(let index, .url): Self.row("the URL of redirect \(index + 1)", "redirect[\(index)].url")
        case .redirect(let index, .header(let name)):
            Self.row(
                "the field NAME of redirect \(index + 1)", "redirect[\(index)].header.NAME", of: name,
                over: .field(name))
        case .file: Self.row("the name of the downloaded file", "file")
        case .fileExists: Self.row("whether the downloaded file is there after the end", "fileExists")
        case .files: Self.row("the files in the download folder after the end", "files")
        case .temporaryFileExists:
            Self.row("whether the temporary file is there after the end", "temporaryFileExists")
        case .resumeData: Self.row("whether there is something to resume the download with", "resumeData")
        case .messages: Self.row("the messages that the client received", "messages", .list)
        case .closeCode: Self.row("the code of the Close frame that the client received", "close.code", .number)
        case .closeReason: Self.row("the reason in the Close frame that the client received", "close.reason")
        case .chosenProtocol: Self.row("the protocol of the WebSocket", "protocol")
        case .events: Self.row("the data of the events", "events", .list)
        case .eventCount: Self.row("the number of the events", "events.count", .number)
        case .event(let index, let fact):
            Self.row("\(fact.words) of event \(index + 1)", "events[\(index)].\(fact.rawValue)")
        case .retries: Self.row("how often the event source connects again, as it tells", "retries", .number)
        }
    }

    private static func row(
        _ template: String, _ name: String, _ values: FactValues = .text, of argument: String? = nil,
        over scope: FactScope = .allVersions
    ) -> FactRow {
        FactRow(template, values, named: name, argument, over: scope, shownBy: .result, subject: .reply)
    }

    /// The store that is read for the fact; nil for other facts.
    package var store: StoreToRead? {
        switch self {
        case .storedCookies, .storedCookie, .storedProperty: .cookies
        case .cached, .cachedNote: .cached
        default: nil
        }
    }

    /// The name of the field behind the content that the client looks up for the fact; nil for other facts.
    package var trailerName: String? { if case .trailer(let name) = self { name } else { nil } }

    /// The name of the field that the client looks up for the fact; nil for other facts.
    package var fieldName: String? {
        switch self {
        case .header(let name), .redirect(_, .header(let name)): name
        default: nil
        }
    }
}

extension FactName.StreamedFact {
    fileprivate var words: String {
        switch self {
        case .type: "the type"
        case .data: "the data"
        case .id: "the last event ID"
        case .origin: "the origin"
        }
    }
}

// MARK: Names

extension FactName.ClientFact {
    private static let unnamed: [FactName.ClientFact] = [
        .status, .url, .body, .mime, .suggestedName, .expectedLength, .error, .bodyLength, .textEncodingName,
        .statusText, .errorMessage, .errorMessageLength, .proposedStorage, .measuredProtocol, .storedCookies, .file,
        .fileExists, .files, .temporaryFileExists, .resumeData, .messages, .closeCode, .closeReason, .chosenProtocol,
        .events, .eventCount, .retries,
    ]

    private static let plain = FactName.byName(unnamed, \.row.name)

    /// The names for messages, with `NAME` and `N` in them.
    static let names =
        unnamed.map(\.row.name) + [
            "header.NAME", "trailer.NAME", "redirect[N].NAME", "events[N].NAME", "stored.cookies.NAME",
            "stored.PROPERTY.NAME",
            "cached.NAME",
        ]

    /// All names, with `NAME` and `N` in them.
    static let wholeNames =
        unnamed.map(\.row.name) + ["header.NAME", "trailer.NAME", "stored.cookies.NAME", "cached.notes.NAME"]
        + FactName.CookieProperty.allCases.map { "stored.\($0.rawValue).NAME" }
        + FactName.CachedFact.allCases.map { "cached.\($0.rawValue)" }
        + FactName.StreamedFact.allCases.map { "events[N].\($0.rawValue)" }
        + ["status", "url", "header.NAME"].map { "redirect[N].\($0)" }

    /// nil for a text that is none of these facts.
    init?(parsing text: String) throws(FactNameError) {
        if let fact = Self.plain[text] {
            self = fact
        } else if let field = text.dropping(prefix: "header."), field.isFieldName {
            self = .header(field)
        } else if let field = text.dropping(prefix: "trailer."), field.isFieldName {
            self = .trailer(field)
        } else if let (index, rest) = try FactName.indexed(text, "redirect") {
            self = .redirect(index: index, try FactName.RedirectFact(parsing: rest, prefix: "redirect[\(index)]."))
        } else if let (index, rest) = try FactName.indexed(text, "events") {
            self = .event(index: index, try FactName.choice(rest, "events[\(index)]."))
        } else if let cookie = text.dropping(prefix: "stored.cookies."), !cookie.isEmpty {
            self = .storedCookie(cookie)
        } else if let (property, name) = try Self.property(text) {
            self = .storedProperty(property, name: name)
        } else if let note = text.dropping(prefix: "cached.notes."), !note.isEmpty {
            self = .cachedNote(note)
        } else if let rest = text.dropping(prefix: "cached.") {
            self = .cached(try FactName.choice(rest, "cached."))
        } else {
            return nil
        }
    }

    /// Splits `stored.PROPERTY.NAME`; nil when the text does not begin with `stored.`.
    private static func property(_ text: String) throws(FactNameError) -> (FactName.CookieProperty, String)? {
        guard let rest = text.dropping(prefix: "stored.") else { return nil }
        let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[1].isEmpty, let property = FactName.CookieProperty(rawValue: parts[0]) else {
            let properties = FactName.CookieProperty.allCases.map { "\($0.rawValue).NAME" }
            throw .unknown(rest, below: "stored.", among: ["cookies", "cookies.NAME"] + properties)
        }
        return (property, parts[1])
    }

    init(parsing text: String, prefix: String) throws(FactNameError) {
        guard let fact = try Self(parsing: text) else { throw .unknown(text, below: prefix, among: Self.names) }
        self = fact
    }
}

extension FactName.RedirectFact {
    fileprivate init(parsing text: String, prefix: String) throws(FactNameError) {
        switch text {
        case "status": self = .status
        case "url": self = .url
        default:
            guard let field = text.dropping(prefix: "header."), field.isFieldName else {
                throw .unknown(text, below: prefix, among: ["status", "url", "header.NAME"])
            }
            self = .header(field)
        }
    }
}

extension String {
    /// Whether the text is a field name, which is a token (RFC 9110 §5.1).
    fileprivate var isFieldName: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }
}
