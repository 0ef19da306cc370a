internal import ProctorBase
package import ProctorDocument
internal import ProctorHTTP
package import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
package import ProctorServing

/// The arguments of a control call: the id in its path, query items, and the members of a JSON object in the body.
package struct ControlRequest {
    /// Id of a run or a scenario; empty where the path has none.
    package let id: String
    /// Whether ``id`` is that of a scenario whose standing run is meant.
    var isOfStandingRun = false
    /// The path as it came; empty for a target without one.
    let path: [UInt8]
    package let query: [String: String]
    package let body: [UInt8]
    /// URL by which the caller reaches scenarios of the shared port: `http://127.0.0.1:8088`.
    package let base: String
    let wantsPage: Bool
    /// Last-Event-ID (WHATWG HTML §9.2.4); nil where the field is missing.
    let lastEvent: [UInt8]?
    /// Loop of the caller's connection, for waits.
    package let loop: EventLoop
    /// The caller, who ends its wait by leaving.
    package let peer: LoopBound<WaitingPeer>

    init(
        _ head: RequestHead, id: String, body: [UInt8], base: String, loop: EventLoop, peer: LoopBound<WaitingPeer>
    ) {
        (self.peer, self.id, path) = (peer, id, Array(head.path ?? []))
        query = Self.items(of: head.query ?? [])
        (self.body, self.base) = (body, base)
        wantsPage = head.wantsHTML
        lastEvent = head.fields.first(named: "Last-Event-ID").map { Array($0) }
        self.loop = loop
    }

    /// The most bytes of a call's body; a trace may be longer than other bodies.
    static func bodyLimit(of head: RequestHead) -> Int {
        let path = head.path ?? []
        if ["/grade", "/judge"].contains(where: { path.suffix(6).elementsEqual($0.utf8) }) { return 16 << 20 }
        let call = path.dropFirst(ControlCall.prefix.utf8.count)
        if path.suffix(6).elementsEqual("/state".utf8) { return 4 * StateValues.byteLimit }
        if path.suffix(7).elementsEqual("/ledger".utf8) || path.suffix(9).elementsEqual("/platform".utf8) {
            return textByteLimit
        }
        if call.elementsEqual("/import".utf8) { return 16 << 20 }
        let isText =
            call.elementsEqual("/inline".utf8) || ["/sets/", "/exams/"].contains { call.starts(with: $0.utf8) }
        return isText ? textByteLimit : 64 << 10
    }

    /// The items of a query by name: of items with one name the last counts; invalid UTF-8 becomes U+FFFD.
    static func items(of query: ArraySlice<UInt8>) -> [String: String] {
        let form = try? URLEncodedForm(parsing: query, pairLimit: .max)
        let items = (form?.pairs ?? []).map { pair in
            (String(decoding: pair.name, as: UTF8.self), String(decoding: pair.value, as: UTF8.self))
        }
        return Dictionary(items) { _, last in last }
    }

    /// A whole number of the query; nil: there is no such item.
    func optionalNumber<Number: FixedWidthInteger>(
        _ name: String, in range: ClosedRange<Number>
    ) throws(ControlError) -> Number? {
        guard let text = query[name] else { return nil }
        guard let number = Number(text), range.contains(number) else {
            throw .badRequest("\(range.sentence(about: name)), not '\(EscapedText.escape(text.utf8, limit: 60))'")
        }
        return number
    }

    /// A whole number of the query, or 0.
    package func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int {
        try optionalNumber(name, in: range) ?? 0
    }

    /// An item of the query that has one of these values; nil: there is no such item.
    func choice(_ name: String, among values: [String]) throws(ControlError) -> String? {
        guard let text = query[name] else { return nil }
        guard values.contains(text) else {
            throw .badRequest(
                "'\(name)' is one of \(values.joined(separator: ", ")), not '\(EscapedText.escape(text.utf8, limit: 60))'"
            )
        }
        return text
    }

    /// Whether an item of the query is `yes`.
    package func `switch`(_ name: String) throws(ControlError) -> Bool {
        try choice(name, among: ["yes", "no"]) == "yes"
    }

    /// The entry after which an interrupted stream goes on; nil where the request names none.
    package func lastEventID() throws(ControlError) -> UInt64? {
        guard let lastEvent else { return nil }
        guard let number = UInt64(String(decoding: lastEvent, as: UTF8.self)), number <= Int.max else {
            throw .badRequest(
                "Last-Event-ID is the 'id' of an event, not '\(EscapedText.escape(lastEvent, limit: 40))'")
        }
        return number
    }

    /// The members of the body's object, read as YAML, which includes JSON except for surrogate escapes.
    package func members(allowed: [String]) throws(ControlError) -> [String: Node] {
        let entries = try entries()
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

    /// The members of the body's object, whatever their names.
    func entries() throws(ControlError) -> [Node.Entry] {
        guard body.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw .badRequest("a JSON object is expected as the body")
        }
        let document = Document.parse(JSONEscapes.joiningSurrogates(of: body), file: "body")
        if let diagnostic = document.diagnostics.first { throw .badRequest("\(diagnostic)") }
        guard let entries = document.root?.entries else {
            throw .badRequest("a JSON object is expected as the body")
        }
        return entries
    }
}

extension ClosedRange where Bound: FixedWidthInteger {
    func sentence(about name: String) -> String {
        "'\(name)' is a whole number from \(lowerBound) to \(upperBound)"
    }

    /// The member as a number; nil for anything outside the range.
    func number(_ node: Node) -> Bound? {
        guard let number = node.plainText.flatMap({ Bound($0) }), contains(number) else { return nil }
        return number
    }
}

enum JSONEscapes {
    /// Writes each pair of escaped surrogates (RFC 8259 §7) as the one escape that YAML has for the character.
    static func joiningSurrogates(of json: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(json.count)
        var rest = json[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "\\") else {
                joined.append(byte)
                rest = rest.dropFirst()
                continue
            }
            if let scalar = surrogatePair(at: rest) {
                let digits = String(scalar, radix: 16)
                joined += Array("\\U\(String(repeating: "0", count: 8 - digits.count))\(digits)".utf8)
                rest = rest.dropFirst(12)
            } else {
                // Two at once: an escaped backslash begins no escape.
                joined += rest.prefix(2)
                rest = rest.dropFirst(2)
            }
        }
        return joined
    }

    private static func surrogatePair(at bytes: ArraySlice<UInt8>) -> UInt32? {
        guard let high = unit(at: bytes), (0xD800...0xDBFF).contains(high),
            let low = unit(at: bytes.dropFirst(6)), (0xDC00...0xDFFF).contains(low)
        else { return nil }
        return 0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }

    /// The UTF-16 code unit of `\uXXXX`.
    private static func unit(at bytes: ArraySlice<UInt8>) -> UInt32? {
        let escape = bytes.prefix(6)
        guard escape.count == 6, escape.starts(with: "\\u".utf8) else { return nil }
        var unit: UInt32 = 0
        for digit in escape.dropFirst(2) {
            guard let value = digit.hexadecimalValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }
}
