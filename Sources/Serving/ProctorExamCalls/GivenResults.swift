internal import ProctorBase
internal import ProctorEvents
import ProctorServer

/// The results of a client's steps as the body of a call: `{"results": [{"status": 200, "body": "ok"}]}`.
///
/// The members of a result are facts of Docs/judging/traces.md; a body that is no text is `{"base64": "…"}`.
enum GivenResults {
    /// The trace of a client that reports the result of each step; nil where the body is something else.
    ///
    /// `terms` are those of the client's exam, if there is one: they say what its results tell.
    static func trace(of body: [UInt8], under terms: ExamTerms? = nil) throws(ControlError) -> [UInt8]? {
        // A trace has an object a line.
        let line = body.map { $0 == 0x0A ? 0x20 : $0 }
        do throws(LineFault) {
            return try trace(line.span, under: terms)
        } catch {
            throw .badRequest("byte \(error.offset + 1) of the results: \(error.sentence)")
        }
    }

    private static func trace(
        _ line: borrowing Span<UInt8>, under terms: ExamTerms?
    ) throws(LineFault) -> [UInt8]? {
        var cursor = JSONCursor()
        var events = JSONText()
        // Also where none is given: a client that reports results tells errors.
        var names: Set = ["error"]
        cursor.skipBlanks(line)
        if cursor.peek(line) != nil {
            guard cursor.peek(line) == UInt8(ascii: "{") else { return nil }
            try cursor.open(UInt8(ascii: "{"), line, "an object")
            guard (try? cursor.key(line)).flatMap(\.self).map({ name($0, line) }) == "results" else { return nil }
            try cursor.open(UInt8(ascii: "["), line, "a list of results")
            var task = 0
            while try cursor.element(line) {
                names.formUnion(try append(task: task, at: &cursor, line, to: &events))
                task += 1
            }
            guard try cursor.key(line) == nil else { throw cursor.unexpected(line, "the end of the object") }
        } else {
            names = []
        }
        var json = JSONText()
        json.object { json in
            json.member("trace", "proctor")
            json.member("version", 1)
            if let terms {
                json.member("client", terms.client)
                if let version = terms.version { json.member("clientVersion", version) }
                json.texts("abilities", terms.abilities.map(\.rawValue).sorted())
            }
            json.texts("lanes", ["harness"])
            json.texts("facts", terms?.facts ?? names.sorted())
        }
        json.lineEnd()
        json.append(events)
        return json.bytes
    }

    /// The names of the facts of the result.
    private static func append(
        task: Int, at cursor: inout JSONCursor, _ line: borrowing Span<UInt8>, to events: inout JSONText
    ) throws(LineFault) -> Set<String> {
        var names: Set<String> = []
        var facts = JSONText()
        facts.open("{")
        try cursor.open(UInt8(ascii: "{"), line, "an object, a result")
        while let key = try cursor.key(line) {
            let name = name(key, line)
            if name == "body" {
                let content = try content(at: &cursor, line)
                facts.member("bytes", content.count)
                facts.member("body", orBase64: "bodyBase64", content[...])
                names.formUnion(["bytes", "body", "bodyBase64"])
            } else {
                let start = cursor.offset
                try cursor.skipValue(line)
                names.insert(name)
                facts.element()
                facts.string(name)
                facts.value(complete: [UInt8(ascii: ":")] + (start..<cursor.offset).map { line[$0] })
            }
        }
        facts.close("}")
        for event in ["resume", "result"] {
            events.object { json in
                json.member("lane", "harness")
                json.member("ev", event)
                json.member("task", task)
                guard event == "result" else { return }
                json.key("facts")
                json.append(facts)
            }
            events.lineEnd()
        }
        return names
    }

    /// A text, or bytes in base64.
    private static func content(
        at cursor: inout JSONCursor, _ line: borrowing Span<UInt8>
    ) throws(LineFault) -> [UInt8] {
        guard cursor.peek(line) == UInt8(ascii: "{") else {
            return try cursor.text(line, "a text, or an object with 'base64'").unescaped(line)
        }
        try cursor.open(UInt8(ascii: "{"), line, "an object")
        guard let key = try cursor.key(line), name(key, line) == "base64" else {
            throw cursor.unexpected(line, "the member 'base64'")
        }
        let start = cursor.offset
        let text = try cursor.text(line, "a text, base64").unescaped(line)
        guard try cursor.key(line) == nil else { throw cursor.unexpected(line, "the end of the object") }
        do throws(EncodedTextError) {
            return try Base64Text.decode(text)
        } catch {
            throw LineFault(start + error.offset, error.sentence)
        }
    }

    private static func name(_ key: JSONTextRange, _ line: borrowing Span<UInt8>) -> String {
        String(decoding: key.unescaped(line), as: UTF8.self)
    }
}
