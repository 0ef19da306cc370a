import ProctorBase
import ProctorGrading
import ProctorScenario

/// Describes the end of a load for readers who do not know the notation of expressions.
enum ResultWords {
    /// `the load ended with status 200, 5 bytes and no error`.
    static func came(_ result: ClientResult, step: Int, of count: Int) -> String {
        let load = count > 1 ? "load \(step + 1)" : "the load"
        let response =
            result.status.map { "status \($0), \(Plural.count(result.byteCount ?? 0, "byte")) and " } ?? ""
        return "\(load) ended with \(response)\(result.isError ? "an error" : "no error")"
    }

    /// The wanted end in words, `an error` or `status 200 and no error`.
    ///
    /// nil when the expression has no end of a load, or when the load has ended so.
    static func wanted(_ expression: String, insteadOf result: ClientResult) -> String? {
        let ends = alternatives(of: expression).map { ending(of: $0) }
        let came =
            result.isError ? "an error" : "\(result.status.map { "status \($0) and " } ?? "")no error"
        guard !ends.isEmpty, !ends.contains(nil), !ends.contains(came) else { return nil }
        // An error before a response and an error after one are described once.
        return ends.compactMap(\.self).unique.joined(separator: ", or ")
    }

    private static func ending(of alternative: Substring) -> String? {
        guard
            let end = ["complete(", "handler(", "awaited("].compactMap({
                argument(of: $0, in: alternative)
            }).first
        else {
            return nil
        }
        switch end {
        case "ok":
            return (argument(of: "response(", in: alternative).map { "status \($0) and " } ?? "")
                + "no error"
        case "error": return "an error"
        default: return "the error \(end)"
        }
    }

    /// The text in parentheses after the last one of these words.
    private static func argument(of word: String, in text: Substring) -> String? {
        var rest = text
        var value: String?
        while let range = rest.firstRange(ofText: word) {
            rest = rest[range.upperBound...]
            value = String(rest.prefix { $0 != ")" })
        }
        return value
    }

    /// The parts between bars that are outside of parentheses.
    private static func alternatives(of expression: String) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var start = expression.startIndex
        for index in expression.indices {
            switch expression[index] {
            case "(": depth += 1
            case ")": depth -= 1
            case "|" where depth == 0:
                parts.append(expression[start..<index])
                start = expression.index(after: index)
            default: break
            }
        }
        return parts + [expression[start...]]
    }
}
