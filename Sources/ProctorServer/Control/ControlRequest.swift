internal import ProctorBase
internal import ProctorDocument
internal import ProctorHTTP

/// The arguments of a call: query items, and the members of a JSON object in the body.
struct ControlRequest {
    let query: [String: String]
    let body: [UInt8]
    /// Where the caller reaches the shared port: `http://127.0.0.1:8088`.
    let base: String
    /// Whether a browser shows the answer to a person.
    var wantsPage = false

    /// Bytes that the body of a call may hold; a trace is longer than other bodies.
    static func bodyLimit(of head: RequestHead) -> Int {
        let isTrace = head.path.map { $0.suffix(6).elementsEqual("/grade".utf8) } ?? false
        return isTrace ? 16 << 20 : 64 << 10
    }

    /// Of items of one name the last counts; what is no UTF-8 becomes U+FFFD.
    init(query: ArraySlice<UInt8>?, body: [UInt8], base: String) {
        let form = try? URLEncodedForm(parsing: query ?? [], pairLimit: .max)
        var items: [String: String] = [:]
        for pair in form?.pairs ?? [] {
            items[String(decoding: pair.name, as: UTF8.self)] = String(decoding: pair.value, as: UTF8.self)
        }
        self.query = items
        self.body = body
        self.base = base
    }

    /// A whole number of the query, or the default.
    func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(ControlError) -> Int {
        guard let text = query[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest(
                "'\(name)' is a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'")
        }
        return number
    }

    /// The body's object.
    ///
    /// JSON is YAML but for one escape, and the YAML reader says where a mistake is.
    func members(allowed: [String]) throws(ControlError) -> [String: Node] {
        guard body.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw .badRequest("a JSON object is expected as the body")
        }
        let document = Document.parse(JSONEscapes.joiningSurrogates(of: body), file: "body")
        if let diagnostic = document.diagnostics.first { throw .badRequest("\(diagnostic)") }
        guard let entries = document.root?.entries else {
            throw .badRequest("a JSON object is expected as the body")
        }
        var members: [String: Node] = [:]
        for entry in entries {
            guard allowed.contains(entry.key) else {
                let hint = NearestName.find(entry.key, in: allowed).map { "did you mean '\($0)'?" }
                throw .badRequest(
                    "unknown member '\(entry.key)'; \(hint ?? "there are \(allowed.joined(separator: ", "))")")
            }
            members[entry.key] = entry.value
        }
        return members
    }
}
