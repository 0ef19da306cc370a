import ProctorBase

/// What a trace promises beyond its syntax: facts that exist, of their types, and names of errors that exist.
///
/// A reader that is not strict passes over unknown facts, which a newer recorder may write; the author of an adapter
/// needs to know of them.
extension TraceReader {
    /// Why the fact `name` is refused; nil where it may be one of a later version.
    static func misspelling(ofFact name: String) -> String? {
        NearestName.find(name, in: FactKey.allCases.map(\.rawValue)).map {
            "there is no fact '\(EscapedText.escape(Array(name.utf8), limit: 60))'; did you mean '\($0)'?"
        }
    }

    /// Why a value is refused as that of `key`; nil where it is permitted.
    static func fault(of value: FactValue, as key: FactKey) -> String? {
        if key == .error, case .text(let name) = value { return faultOfError(name) }
        let isPermitted =
            switch (key.kind, value) {
            case (.integer, .integer), (.text, .text), (.flag, .flag), (.integerOrText, .integer),
                (.integerOrText, .text):
                true
            default: false
            }
        return isPermitted ? nil : "the fact '\(key.rawValue)' is \(key.kind.words), not \(shown(value))"
    }

    /// Why an event's argument is refused; nil where it is permitted, and where there is none.
    static func fault(ofArgument argument: String?, of name: EventName) -> String? {
        guard let argument else { return nil }
        switch NameTables.kinds[name.ordinal].argument {
        case .outcome: return argument == URLErrorName.success ? nil : faultOfError(argument)
        case .status where Int(argument) == nil:
            return "the argument of '\(name.rawValue)' is a status code, not '\(shown(argument))'"
        case .status, .none, .request, .text: return nil
        }
    }

    private static func faultOfError(_ name: String) -> String? {
        guard URLErrorName.code(named: name) == nil else { return nil }
        let hint = NearestName.find(name, in: URLErrorName.names).map { "did you mean '\($0)'?" }
        return "there is no error '\(shown(name))'; "
            + (hint ?? "an error is a name of Docs/judging/traces.md, or DOMAIN#CODE with a whole number")
    }

    private static func shown(_ value: FactValue) -> String {
        switch value {
        case .integer(let number): "the number \(number)"
        case .text(let text): "the text '\(shown(text))'"
        case .flag(let flag): flag ? "true" : "false"
        }
    }

    private static func shown(_ text: String) -> String { EscapedText.escape(Array(text.utf8), limit: 60) }
}

extension FactKey {
    enum Kind {
        case integer, text, flag, integerOrText

        var words: String {
            switch self {
            case .integer: "a whole number"
            case .text: "a text"
            case .flag: "true or false"
            case .integerOrText: "a whole number or a text"
            }
        }
    }

    /// The type of the fact's value in a trace.
    var kind: Kind {
        switch self {
        case .n, .total, .expected, .offset, .bytes, .crc32, .status, .expectedLength, .port, .failures, .code,
            .transactions, .ms, .localPort, .connection, .bodyLength, .part, .files, .closeCode:
            .integer
        case .hasData, .hasResponse, .hasError, .accepts, .fileExists, .temporaryFileExists, .resumeData, .isText:
            .flag
        case .cachedStatus: .integerOrText
        case .method, .url, .mime, .suggestedName, .fields, .header, .textEncodingName, .statusText, .coding, .body,
            .bodyBase64, .request, .proposed, .proposedFields, .scope, .realm, .host, .proposedUser, .protocol, .error,
            .domain, .message, .to, .place, .mode, .who, .sel, .without, .credentials, .guarded, .storage,
            .storedCookies, .cachedBody, .cachedStorage, .cachedNotes, .file, .messages, .closeReason,
            .data, .lastEventId, .origin, .trailer:
            .text
        }
    }
}
