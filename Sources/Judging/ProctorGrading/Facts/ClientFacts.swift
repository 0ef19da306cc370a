import ProctorEvents
import ProctorProgram
import ProctorScenario

/// The facts that the client reports of a step, in the order of messages and of the schema.
enum ClientFacts {
    static let rows: [ClientFact] = [
        ClientFact(
            "status", "the status that the client reports", .number, over: .statusWithout101, of: .status,
            in: .ended(.status) { step, _ in step.response?.argument.map { Measurement($0) } ?? .untold }),
        ClientFact("url", "the URL of the response", of: .url),
        ClientFact("body", "the content that the client reports", of: .body, .bodyBase64, in: .ended { $0.wholeBody }),
        ClientFact("mime", "the media type that the client reports", of: .mime),
        ClientFact("suggestedName", "the file name that the client suggests", of: .suggestedName),
        ClientFact("expectedLength", "the length in bytes that the client expects", .number, of: .expectedLength),
        ClientFact(
            "error", "the client's error", of: .error,
            in: .ended(otherwise: { step, _ in outcome(step) }) { event in
                event.value(.error).map { $0 == Measurement("ok") ? .absent : $0 }
            }),
        ClientFact(
            "body.length", "the length in bytes of the content that the client reports", .number, of: .bytes,
            in: .ended(otherwise: { step, _ in byteCount(step) }) { $0.bodyLength }),
        ClientFact("textEncodingName", "the charset that the client reports", of: .textEncodingName),
        // The client's own phrase.
        ClientFact(
            "statusText", "the client's text for the status", of: .statusText, in: .ended(.statusText, lacking: .untold)
        ),
        // Its description for a person.
        ClientFact(
            "error.message", "the text of the client's error", of: .message,
            in: .ended(.message, lacking: nil, otherwise: { _, error in error() == .absent ? .absent : .untold })),
        ClientFact(
            "error.message.length", "the length of the text of the client's error in bytes", .number, of: .message,
            in: .ended(lacking: nil, otherwise: { _, error in error() == .absent ? .absent : .untold }) { event in
                event.facts.text(.message).map { Measurement($0.utf8.count) }
            }),
        ClientFact(
            "willCache.storage", "the storage that the client proposes for the response", of: .storage,
            in: .callbacks { step, _ in proposedStorage(step) }),
        ClientFact(
            "metrics.protocol", "the protocol that the client's metrics name", of: .protocol,
            in: .callbacks { step, _ in step.metrics?.value(.protocol) ?? .untold }),
        // Sorted.
        ClientFact(
            "stored.cookies", "the names of the stored cookies", .list, from: .cookies, of: .storedCookies,
            in: .cookies { cookies, _ in cookies.names.isEmpty ? .absent : Measurement(ofList: cookies.names) }),
        // Of an NSURLDownload's file, without its folder; whether it exists after the end.
        ClientFact("file", "the name of the downloaded file", of: .file, in: .result(.file)),
        ClientFact(
            "fileExists", "whether the downloaded file is there after the end", of: .fileExists,
            in: .result(.fileExists)),
        ClientFact("files", "the files in the download folder after the end", of: .files, in: .result(.files)),
        // Whether a file that exists only during a callback still exists.
        ClientFact(
            "temporaryFileExists", "whether the temporary file is there after the end", of: .temporaryFileExists,
            in: .result(.temporaryFileExists)),
        ClientFact(
            "resumeData", "whether there is something to resume the download with", of: .resumeData,
            in: .result(.resumeData)),
        // Of a WebSocket, in order: `text TEXT` or `binary 00ff`.
        ClientFact(
            "messages", "the messages that the client received", .list, of: .messages,
            in: .ended(lacking: .untold) { $0.messages.map { .list($0) } }),
        // Of the server's Close frame; the code is 1005 where it has none.
        ClientFact(
            "close.code", "the code of the Close frame that the client received", .number, of: .closeCode,
            in: .result(.closeCode, lacking: .absent)),
        ClientFact(
            "close.reason", "the reason in the Close frame that the client received", of: .closeReason,
            in: .result(.closeReason, lacking: .absent)),
        // The one that the server chose.
        ClientFact(
            "protocol", "the protocol of the WebSocket", of: .protocol, in: .result(.protocol, lacking: .absent)),
        // Of all events that an event source handed over, in order, and their number.
        ClientFact(
            "events", "the data of the events", .list,
            in: .streamed { step, _ in Measurement(ofList: step.streamed.map { $0.facts.text(.data) ?? "" }) }),
        ClientFact(
            "events.count", "the number of the events", .number,
            in: .streamed { step, _ in Measurement(step.streamed.count) }),
        ClientFact(
            "retries", "how often the event source connects again, as it tells", .number,
            in: .streamed { step, _ in Measurement(step.retryCount) }),
        // The result of the client's look-up of a field, with the name in this spelling.
        ClientFact(
            "header.NAME", "the field NAME as the client looks it up", over: .field("NAME"), of: .header,
            in: .word { $0.lookedUp($1) }),
        // The same of a field behind the content.
        ClientFact(
            "trailer.NAME", "the field NAME behind the content as the client looks it up", of: .trailer,
            in: .word { $0.lookedUp($1, among: .trailer) }),
        ClientFact(
            "stored.cookies.NAME", "the stored cookie NAME", from: .cookies, of: .storedCookies,
            in: .cookies { Measurement($0.value(of: $1)) }),
        // A value that the application has stored with the response.
        ClientFact(
            "cached.notes.NAME", "the note NAME of the cached response", from: .cached, of: .cachedNotes,
            in: .cached { event, name in TraceEvent.line(name, in: event.facts.text(.cachedNotes) ?? "") }),
        stored("domain", .text, .text(of: "Domain")),
        stored("path", .text, .text(of: "Path")),
        stored("secure", .flag, .word("Secure")),
        stored("http-only", .flag, .word("HttpOnly")),
        // Without an expiry time.
        stored("session-only", .flag, .word("Session")),
        ClientFact(
            "cached.status", "the status of the cached response", .number, from: .cached, of: .cachedStatus,
            in: .cached { event, _ in event.value(.cachedStatus) }),
        ClientFact(
            "cached.body", "the content of the cached response", from: .cached, of: .cachedBody,
            in: .cached { event, _ in event.value(.cachedBody) ?? .untold }),
        ClientFact(
            "cached.storage", "the storage of the cached response", from: .cached, of: .cachedStorage,
            in: .cached { event, _ in event.value(.cachedStorage) }),
        ClientFact(
            "events[N].type", "the type of event #", in: .event { $0.argument.map { Measurement($0) } }),
        ClientFact("events[N].data", "the data of event #", in: .event { $0.value(.data) }),
        ClientFact("events[N].id", "the last event ID of event #", in: .event { $0.value(.lastEventId) }),
        // That of the stream's final URL.
        ClientFact("events[N].origin", "the origin of event #", in: .event { $0.value(.origin) }),
        ClientFact(
            "redirect[N].status", "the status of redirect #", .number, of: .status,
            in: .redirect { event, _ in event.value(.status) ?? event.argument.map { Measurement($0) } }),
        // In a URLProtocol's redirect, the URL is that of the next request.
        ClientFact(
            "redirect[N].url", "the URL of redirect #", of: .url,
            in: .redirect { event, _ in event.lane == .protocolClient ? nil : event.value(.url) }),
        ClientFact(
            "redirect[N].header.NAME", "the field NAME of redirect #", over: .field("NAME"), of: .header,
            in: .redirect { $0.lookedUp($1) }),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: rows.map { ($0.row.name, $0) })

    static func fact(_ name: NamedFact) -> ClientFact? { byName[name.row] }

    private static func stored(
        _ property: String, _ values: FactValues, _ form: StoredCookies.Property
    ) -> ClientFact {
        ClientFact(
            "stored.\(property).NAME", "\(property) of the stored cookie NAME", values, from: .cookies,
            of: .storedCookies, in: .cookies { Measurement($0[form, $1]) })
    }

    /// The number of bytes of all data since the response.
    private static func byteCount(_ step: ClientRecord.Step) -> Measurement {
        guard step.response != nil, let count = step.byteCount else { return .untold }
        return Measurement(count)
    }

    private static func proposedStorage(_ step: ClientRecord.Step) -> Measurement {
        guard let event = step.willCache else { return step.hasCallbacks ? .absent : .untold }
        return event.value(.storage) ?? .untold
    }

    /// The error of a step without a result, by the argument of the event that ended it.
    private static func outcome(_ step: ClientRecord.Step) -> Measurement {
        guard let argument = (step.handler ?? step.complete)?.argument else { return .untold }
        return argument == "ok" ? .absent : Measurement(argument)
    }
}
