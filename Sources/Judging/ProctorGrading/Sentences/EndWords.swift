import ProctorEvents
import ProctorNotation
import ProctorScenario

/// Describes how the load of a client without callbacks ended, and how it had to end: `the client reported an error;
/// wanted the redirect followed and status 200`.
struct EndWords {
    let expression: Notation
    let seen: Finding.EndMismatch.Seen
    let mismatch: Finding.EndMismatch
    /// The number of the step from 1; nil when the program has one step.
    let step: Int?
    /// Whether the client uses Foundation's names of errors; others only have to fail.
    let namesErrors: Bool

    var sentence: String {
        "\(step.map { "in step \($0) " } ?? "")the client reported \(came); wanted \(wanted)"
    }

    private var came: String {
        if let error = seen.error { return Self.words(ofError: error) }
        let content = mismatch == .noContent ? ", no content" : mismatch == .unwantedContent ? ", content" : ""
        guard let status = seen.status else { return mismatch == .noStatus ? "no status and no error" : "no error" }
        if mismatch == .interim { return "the interim status \(status) as its result" }
        return "status \(status)\(content) and no error"
    }

    private var wanted: String {
        let ends = expression.symbols.filter { $0.name == seen.terminal }.flatMap(\.arguments)
        let errors = ends.filter { $0 != .exact("ok") }.map { pattern -> String in
            if namesErrors, case .exact(let name) = pattern { Self.words(ofError: name) } else { "an error" }
        }
        guard ends.isEmpty || ends.contains(.exact("ok")) else { return errors.unique.joined(separator: " or ") }
        return ([success] + errors.unique).joined(separator: " or ")
    }

    /// `the redirect followed and status 200`, `no error` for an expression without a response.
    private var success: String {
        var parts: [String] = []
        let redirects = expression.fewestOccurrences(of: EventName.redirect.rawValue)
        let statuses = arguments(of: .response)
        // A program that refuses the redirect gets its response.
        if redirects > 0, Set(arguments(of: .redirect)).isDisjoint(with: statuses) {
            parts.append(redirects == 1 ? "the redirect followed" : "\(redirects) redirects followed")
        }
        // A question about the server's certificate is not answered with a credential.
        let asked = expression.allowingAbsence {
            $0.name == EventName.challenge.rawValue && $0.arguments == [.exact("serverTrust")]
        }
        if asked.fewestOccurrences(of: EventName.challenge.rawValue) > 0 { parts.append("the challenge answered") }
        let names = statuses.compactMap { pattern -> String? in
            switch pattern {
            case .exact(let status): status
            case .prefix(let start): start + String(repeating: "x", count: max(0, 3 - start.utf8.count))
            default: nil
            }
        }
        if !names.isEmpty { parts.append("status \(names.unique.prefix(4).joined(separator: " or "))") }
        if mismatch == .noContent { parts.append("content") }
        if mismatch == .unwantedContent { parts.append("no content") }
        return parts.isEmpty ? "no error" : parts.joined(separator: " and ")
    }

    private func arguments(of name: EventName) -> [NotationSymbol.ArgumentPattern] {
        expression.symbols.filter { $0.name == name.rawValue }.flatMap(\.arguments)
    }

    /// The value of the fact `error`, as findings have it: `nothing`, `a value` or a name in quotes.
    static func words(ofFact value: String) -> String {
        switch value {
        case "nothing": "no error"
        case "a value": "an error"
        case _ where value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1:
            words(ofError: String(value.dropFirst().dropLast()))
        default: value
        }
    }

    /// `the error timedOut`, or `an error` for one without a name.
    private static func words(ofError name: String) -> String {
        ["unknown", "error"].contains(name) ? "an error" : "the error \(EventText.printable(name, limit: 100))"
    }
}
