import ProctorBase

/// The parts of a request's name in expressions: `GET /a?b`.
struct RequestParts {
    private let method: Substring
    /// `http://host`; empty for a target in origin-form.
    private let authority: Substring
    private let path: Substring
    private let query: Substring?

    /// nil when there is no space between method and target.
    init?(_ text: String) {
        guard let space = text.firstIndex(of: " ") else { return nil }
        method = text[..<space]
        var target = text[text.index(after: space)...]
        if target.first != "/", let mark = target.firstRange(ofText: "://") {
            let end = target[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
            authority = target[..<end]
            target = target[end...]
        } else {
            authority = ""
        }
        let mark = target.firstIndex(of: "?")
        path = target[..<(mark ?? target.endIndex)]
        query = mark.map { target[$0...] }
    }

    /// The names of the parts that differ; empty when all are equal.
    func differences(from wanted: RequestParts) -> [String] {
        var names: [String] = []
        if method != wanted.method { names.append("method") }
        if authority.isEmpty != wanted.authority.isEmpty {
            names.append("form of target")
        } else if authority != wanted.authority {
            names.append("authority")
        }
        if path != wanted.path { names.append("path") }
        if query != wanted.query { names.append("query") }
        return names
    }

    /// The name of the only part; `request` for several parts.
    static func name(of parts: [String]) -> String { parts.count == 1 ? parts[0] : "request" }
}
