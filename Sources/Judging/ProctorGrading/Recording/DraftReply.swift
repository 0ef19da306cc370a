internal import ProctorBase
internal import ProctorDocument

/// A reply of a draft; its properties are in the order of a fixture's keys.
struct DraftReply: Equatable {
    let status: Int
    var interim: [Interim] = []
    var fields: [Field] = []
    /// The framing; nil when the fields and the content determine how the content ends.
    var framing: String?
    /// The content with its codings.
    var body: [UInt8] = []
    /// Whether the body is text with marks in place of the run's URLs.
    var hasMarks = false

    struct Interim: Equatable {
        let status: Int
        let fields: [Field]
    }

    /// A field line as it was sent.
    struct Field: Equatable {
        let name: String
        let value: [UInt8]

        func isNamed(_ other: String) -> Bool { name.lowercased() == other }

        var isChunked: Bool { value.map { $0 | 0x20 } == Array("chunked".utf8) }
    }

    init(status: Int) {
        self.status = status
    }
}

// MARK: As YAML

extension DraftExchanges.Exchange {
    /// An item of `exchanges:`, with its line end.
    func yaml(_ marks: DraftMarks) -> String {
        var text = ""
        if let body {
            text += "  - request:\n      method: \(YAMLText.quoted(method))\n      path: \(YAMLText.quoted(target))\n"
            text += "      body: \(Self.bytes(body))\n"
        } else {
            text += "  - request: \(YAMLText.quoted("\(method) \(target)"))\n"
        }
        if origin != "main" { text += "    origin: \(YAMLText.quoted(origin))\n" }
        // Equal replies at the end are written once, since the last reply repeats.
        var replies = replies[...]
        while replies.count > 1, replies.last == replies.dropLast().last { replies.removeLast() }
        if replies.count == 1, let reply = replies.first {
            return text + "    reply:\n" + reply.lines(marks).map { "      \($0)\n" }.joined()
        }
        text += "    reply:\n"
        for reply in replies {
            for (index, line) in reply.lines(marks).enumerated() {
                text += "      \(index == 0 ? "- " : "  ")\(line)\n"
            }
        }
        return text
    }

    /// Bytes as a fixture writes them: text in which `{{` has no meaning, or base64.
    static func bytes(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), !text.hasOddScalars else {
            return "{ base64: \(YAMLText.quoted(Base64Text.encode(bytes))) }"
        }
        return text.contains(text: "{{") ? "{ text: \(YAMLText.quoted(text)) }" : YAMLText.quoted(text)
    }
}

extension DraftReply {
    /// The keys of the reply, one line each; nested keys are indented by two spaces.
    fileprivate func lines(_ marks: DraftMarks) -> [String] {
        var lines: [String] = []
        if !interim.isEmpty {
            lines.append("interim:")
            for reply in interim {
                lines.append("  - status: \(reply.status)")
                if !reply.fields.isEmpty {
                    lines += ["    headers:"] + reply.fields.map { "      - \($0.yaml(marks))" }
                }
            }
        }
        lines.append("status: \(status)")
        if !fields.isEmpty { lines += ["headers:"] + fields.map { "  - \($0.yaml(marks))" } }
        if let framing { lines.append("framing: \(framing)") }
        if !body.isEmpty { lines.append("body: \(bodyText(marks))") }
        return lines
    }

    private func bodyText(_ marks: DraftMarks) -> String {
        guard hasMarks, let text = marks.text(body) else { return DraftExchanges.Exchange.bytes(body) }
        return YAMLText.quoted(text)
    }
}

extension DraftReply.Field {
    fileprivate func yaml(_ marks: DraftMarks) -> String {
        let value = marks.text(value).map(YAMLText.quoted) ?? DraftExchanges.Exchange.bytes(value)
        return "\(YAMLText.quoted(name)): \(value)"
    }
}

/// The URLs of a run, with the marks that replace them in a fixture.
struct DraftMarks {
    private let pairs: [(url: String, mark: String)]

    /// The URLs have no slash at their end; empty ones are ignored.
    init(_ pairs: [(url: String, mark: String)]) {
        self.pairs = pairs.filter { !$0.url.isEmpty }
    }

    /// The text with marks in place of the URLs; nil when the bytes can't be written as such text.
    func text(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), !text.hasOddScalars, !text.contains(text: "{{")
        else {
            return nil
        }
        return pairs.reduce(text) { Self.replacing($1.url, by: $1.mark, in: $0) }
    }

    func areIn(_ bytes: [UInt8]) -> Bool {
        text(bytes).map { !bytes.elementsEqual($0.utf8) } ?? false
    }

    private static func replacing(_ url: String, by mark: String, in text: String) -> String {
        var result = ""
        var rest = text[...]
        while let range = rest.firstRange(ofText: url) {
            result += rest[..<range.lowerBound]
            // A longer port number may begin with the same digits.
            let isWhole = rest[range.upperBound...].utf8.first.map { !$0.isASCIIDigit } ?? true
            result += isWhole ? mark : String(rest[range])
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}

extension String {
    /// Whether the text has characters, such as NUL, that YAML can't write without escapes.
    fileprivate var hasOddScalars: Bool {
        unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\r" && $0 != "\t" || $0.value == 0x7F }
    }
}
