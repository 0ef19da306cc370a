import ProctorEvents

/// Values that a client could have reported in place of those that it did.
enum OtherValues {
    /// Other arguments that the event may have.
    static func of(argument event: TraceEvent) -> [String] {
        guard let argument = event.argument else { return [] }
        switch event.name {
        case .response: return [argument == "200" ? "203" : "200"]
        case .redirect: return [argument == "302" ? "307" : "302"]
        case .informational: return [argument == "103" ? "102" : "103"]
        case .challenge: return [argument == "basic" ? "digest" : "basic"]
        case .wsClose: return [argument == "1000" ? "1001" : "1000"]
        case .wsOpen, .esEvent: return [argument == "other" ? "another" : "other"]
        case .esError: return [argument == "retry" ? "fatal" : "retry"]
        case .wsSent, .wsPong, .wsReceived: return [argument == "ok" ? "timedOut" : "ok"]
        case .complete, .handler, .awaited: return argument == "ok" ? ["timedOut"] : ["ok", "cannotFindHost"]
        case .sessionInvalid: return [argument == "ok" ? "unknown" : "ok"]
        default: return []
        }
    }

    static func of(_ fact: EventFact) -> [FactValue] {
        switch fact.value {
        case .integer(let number): of(number, fact.key).map { .integer($0) }
        case .flag(let flag): [.flag(!flag)]
        case .text(let text): of(text, fact.key).map { .text($0) }
        }
    }

    private static func of(_ number: Int, _ key: FactKey) -> [Int] {
        switch key {
        case .status: [number == 200 ? 203 : 200]
        case .code: [number == -1001 ? -1004 : -1001]
        case .expected, .expectedLength: number > 0 ? [number + 1, -1] : [8_191]
        case .total, .n, .bytes: number > 0 ? [number + 1, number - 1] : [1]
        case .localPort, .ms: []
        default: [number == .max ? 0 : number + 1]
        }
    }

    private static func of(_ text: String, _ key: FactKey) -> [String] {
        switch key {
        case .url: ["http://elsewhere.example/"]
        case .proposed, .request: ["GET http://elsewhere.example/", "PATCH \(text.drop { $0 != " " }.dropFirst())"]
        case .mime: [text == "image/png" ? "image/gif" : "image/png"]
        case .realm: ["nobody's"]
        case .host: ["elsewhere.example"]
        case .protocol: [text == "http/1.1" ? "h2" : text == "h2" ? "http/1.1" : text == "http" ? "https" : "http"]
        case .scope: [text == "session" ? "task" : "session"]
        case .storage: [text == "allowed" ? "notAllowed" : "allowed"]
        case .fields, .proposedFields, .header: ["X-Made-Up: 1", "\(text)\nX-Made-Up: 1"]
        case .body: text.isEmpty ? ["0"] : [String(repeating: "0", count: text.utf8.count), String(text.dropLast())]
        case .error: [text == "timedOut" ? "cannotFindHost" : "timedOut"]
        case .domain: ["NSPOSIXErrorDomain"]
        case .messages:
            [
                "[]", text.replacing("text ", with: "text x", maxReplacements: 1),
                text.replacing("]", with: #", "text more"]"#),
            ]
        case .file, .message, .sel, .statusText: []
        default: [text + "x"]
        }
    }
}
