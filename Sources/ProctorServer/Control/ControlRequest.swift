internal import ProctorBase
internal import ProctorDocument
internal import ProctorHTTP

/// The arguments of a call: query items, and the members of a JSON object in the body.
struct ControlRequest {
    let query: [String: String]
    let body: [UInt8]

    /// Bytes that the body of a call may hold; a trace is longer than other bodies.
    static func bodyLimit(of head: RequestHead) -> Int {
        let isTrace = head.path.map { $0.suffix(6).elementsEqual("/grade".utf8) } ?? false
        return isTrace ? 16 << 20 : 64 << 10
    }

    init(query: ArraySlice<UInt8>?, body: [UInt8]) {
        var items: [String: String] = [:]
        for pair in (query ?? []).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            items[Self.decoded(parts[0])] = parts.count == 2 ? Self.decoded(parts[1]) : ""
        }
        self.query = items
        self.body = body
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

    /// Percent-escapes and `+` undone; what is no UTF-8 becomes U+FFFD.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
