import ProctorBase

/// Templates of WireMock as late-bound text.
enum WireMockTemplate {
    /// What a template of WireMock says, as far as late-bound text says it too.
    static func late(_ text: String, at place: String, _ remarks: inout ImportRemarks) -> String {
        guard text.contains(text: "{{") else { return LiteralText.late(text) }
        var late = ""
        var rest = text[...]
        while let open = rest.firstRange(ofText: "{{"), let close = rest[open.upperBound...].firstRange(ofText: "}}") {
            late += LiteralText.late(String(rest[..<open.lowerBound]))
            let expression = rest[open.upperBound..<close.lowerBound].filter { $0 != "{" && $0 != "}" }
            if let word = word(expression) {
                late += "{{\(word)}}"
            } else {
                late += LiteralText.late("{{\(expression)}}")
                remarks.add(at: place, "the template {{\(expression)}} stands in the reply as it is")
            }
            rest = rest[close.upperBound...]
            if rest.hasPrefix("}") { rest = rest.dropFirst() }
        }
        return late + LiteralText.late(String(rest))
    }

    /// nil where late-bound text does not say it.
    private static func word(_ given: String) -> String? {
        // What a webhook calls the request is the same here.
        let expression = given.replacing(text: "originalRequest.", with: "request.")
        let words = expression.split(separator: " ")
        switch words.first {
        case "request.method": return "request.method"
        case "request.url": return "request.target"
        case "request.path": return "request.path"
        case "request.body": return "request.body"
        case "request.baseUrl": return "base"
        case "request.host": return "host"
        case "request.port": return "port"
        case "now": return now(expression)
        case "jsonPath": return words.count == 3 && words[1] == "request.body" ? json(String(words[2])) : nil
        case "randomValue" where expression.contains(text: "'UUID'"): return "uuid"
        default: break
        }
        guard words.count == 1, let word = words.first else { return nil }
        for (theirs, ours) in [
            ("request.query.", "request.query."), ("request.headers.", "request.header."),
            ("request.cookies.", "request.cookie."),
        ]
        where word.hasPrefix(theirs) {
            let name = word.dropFirst(theirs.count)
            let isName =
                !name.isEmpty && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
            return isName ? ours + name : nil
        }
        return nil
    }

    /// `now offset='3 days' …` in the form of HTTP's dates; nil for another form.
    private static func now(_ expression: String) -> String? {
        if expression == "now" { return "now" }
        guard expression.contains(text: "format='EEE, dd MMM yyyy HH:mm:ss"),
            let open = expression.firstRange(ofText: "offset='")
        else { return nil }
        let words = expression[open.upperBound...].prefix { $0 != "'" }.split(separator: " ")
        let units = ["seconds": 1, "minutes": 60, "hours": 3_600, "days": 86_400]
        guard words.count == 2, let count = Int(words[0]), count.magnitude < 1 << 32, let unit = units[String(words[1])]
        else { return nil }
        return String(LateDate.text(count * unit).dropFirst(2).dropLast(2))
    }

    /// `'$.a.b'` as a pointer into the JSON of the request; nil for a path that finds several values.
    private static func json(_ quoted: String) -> String? {
        guard quoted.count > 2, quoted.first == "'", quoted.last == "'",
            let tokens = JSONPathNames.tokens(of: String(quoted.dropFirst().dropLast())),
            tokens.allSatisfy({ $0.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) } })
        else { return nil }
        return "request.json" + JSONPointer(tokens: tokens).text
    }
}
