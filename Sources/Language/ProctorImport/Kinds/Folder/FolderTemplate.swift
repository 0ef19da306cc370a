import ProctorBase

/// Text in which wptserve fills in values of the request and of its configuration.
enum FolderTemplate {
    /// The text as late-bound text; what that can't say stays as it is, and is told.
    static func late(_ text: String, at place: String, isMarkup: Bool, _ remarks: inout ImportRemarks) -> String {
        var isTold = false
        return text.replacingParts(between: "{{", and: "}}", around: { LiteralText.late(String($0)) }) { expression in
            guard let (words, isOther) = value(of: expression) else {
                remarks.add(at: place, "{{\(expression)}} can't be filled in, and stands as it is")
                return LiteralText.late("{{\(expression)}}")
            }
            if isOther {
                remarks.add(at: place, "{{\(expression)}} is another host or port there, and the scenario's own here")
            }
            if isMarkup, words.hasPrefix("{{request."), !isTold {
                isTold = true
                remarks.add(at: place, "values of the request are filled in without the escapes of HTML")
            }
            return words
        }
    }

    /// `isOther`: the source means a host or a port that the scenario does not have.
    private static func value(of expression: String) -> (words: String, isOther: Bool)? {
        let parts = expression.split(separator: "[", omittingEmptySubsequences: false).map { String($0) }
        let indexes = parts.dropFirst().compactMap { $0.hasSuffix("]") ? String($0.dropLast()) : nil }
        guard indexes.count == parts.count - 1 else { return nil }
        switch (parts[0], indexes.count) {
        case ("host", 0), ("browser_host", 0): return ("{{host}}", false)
        case ("domains", 1): return ("{{host}}", !indexes[0].isEmpty)
        case ("hosts", 2): return ("{{host}}", indexes != ["", ""])
        case ("ports", 2): return ("{{port}}", indexes != ["http", "0"])
        case ("uuid()", 0): return ("{{uuid}}", false)
        case ("GET", 1): return isName(indexes[0]) ? ("{{request.query.\(indexes[0])}}", false) : nil
        case ("headers", 1): return isName(indexes[0]) ? ("{{request.header.\(indexes[0])}}", false) : nil
        case ("location", 1):
            let parts = [
                "server": "{{origin}}", "host": "{{authority}}", "hostname": "{{host}}", "port": "{{port}}",
                "path": "{{request.path}}", "pathname": "{{request.path}}", "scheme": "http",
            ]
            return parts[indexes[0]].map { ($0, false) }
        default: return nil
        }
    }

    /// Whether late-bound text can have it behind a point.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    }
}
