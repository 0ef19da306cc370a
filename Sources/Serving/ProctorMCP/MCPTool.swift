internal import ProctorBase

/// A tool that a client of the Model Context Protocol can call: its declaration, from which schema and checks are made.
package struct MCPTool: Sendable {
    /// Small letters and `_`, unique among the tools of a server.
    package let name: String
    package let title: String
    /// What the tool does and returns, for the model that chooses it.
    package let summary: String
    package let parameters: [MCPParameter]
    /// Whether a call changes nothing that outlives it.
    package let isReadOnly: Bool

    package init(
        _ name: String, title: String, summary: String, parameters: [MCPParameter] = [], isReadOnly: Bool = true
    ) {
        (self.name, self.title, self.summary, self.parameters) = (name, title, summary, parameters)
        self.isReadOnly = isReadOnly
    }
}

/// One argument of a tool.
package struct MCPParameter: Sendable {
    package let name: String
    package let form: Form
    package let isRequired: Bool
    package let summary: String

    package enum Form: Sendable {
        /// A text of at most so many bytes of UTF-8.
        case text(byteLimit: Int)
        /// A whole number of the range.
        case number(ClosedRange<Int>)
        /// A list of one text at least and of so many at most, of at most ``wordByteLimit`` bytes each.
        case words(countLimit: Int)
    }

    /// The most bytes of a text in a list.
    package static let wordByteLimit = 64 << 10

    package init(_ name: String, _ form: Form, isRequired: Bool = false, _ summary: String) {
        (self.name, self.form, self.isRequired, self.summary) = (name, form, isRequired, summary)
    }
}

extension MCPTool {
    /// Appends the tool as `tools/list` has it, its schema in JSON Schema 2020-12.
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("name", name)
            json.member("title", title)
            json.member("description", summary)
            json.object("inputSchema") { json in
                json.member("type", "object")
                json.object("properties") { json in
                    for parameter in parameters {
                        json.element(parameter.name)
                        json.value(complete: [UInt8(ascii: ":")] + parameter.schema)
                    }
                }
                json.texts("required", parameters.filter(\.isRequired).map(\.name))
                json.member("additionalProperties", false)
            }
            json.object("annotations") { json in
                json.member("readOnlyHint", isReadOnly)
                if !isReadOnly { json.member("destructiveHint", true) }
                json.member("openWorldHint", false)
            }
        }
    }
}

extension MCPParameter {
    fileprivate var schema: [UInt8] {
        var json = JSONText()
        json.object { json in
            switch form {
            case .text(let limit):
                json.member("type", "string")
                json.member("maxLength", limit)
            case .number(let range):
                json.member("type", "integer")
                json.member("minimum", range.lowerBound)
                json.member("maximum", range.upperBound)
            case .words(let limit):
                json.member("type", "array")
                json.object("items") { json in
                    json.member("type", "string")
                    json.member("maxLength", Self.wordByteLimit)
                }
                json.member("minItems", 1)
                json.member("maxItems", limit)
            }
            json.member("description", summary)
        }
        return json.bytes
    }

    /// What a value of the form is, half a sentence.
    fileprivate var wanted: String {
        switch form {
        case .text(let limit): "a text of at most \(limit) bytes"
        case .number(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .words(let limit): "a list of 1 to \(limit) texts of at most \(Self.wordByteLimit) bytes"
        }
    }

    /// nil where the value has another form.
    fileprivate func value(of tree: JSONTree) -> MCPArguments.Value? {
        switch (form, tree) {
        case (.text(let limit), .text(let bytes)) where bytes.count <= limit:
            return .text(String(decoding: bytes, as: UTF8.self))
        case (.number(let range), .number(let number)):
            return number.integer.flatMap { range.contains($0) ? .number($0) : nil }
        case (.words(let limit), .list(let items)) where !items.isEmpty && items.count <= limit:
            var words: [String] = []
            for case .text(let bytes) in items where bytes.count <= Self.wordByteLimit {
                words.append(String(decoding: bytes, as: UTF8.self))
            }
            return words.count == items.count ? .words(words) : nil
        default: return nil
        }
    }
}

/// The arguments of a call, checked by the tool's parameters.
package struct MCPArguments: Sendable {
    fileprivate enum Value: Sendable {
        case text(String)
        case number(Int)
        case words([String])
    }

    private let values: [String: Value]

    /// Throws a sentence that names the argument, what was expected, and what to do.
    init(_ members: [String: JSONTree], of tool: MCPTool) throws(MCPRefusal) {
        let names = tool.parameters.map(\.name)
        for name in members.keys.sorted() where !names.contains(name) {
            let hint = NearestName.find(name, in: names).map { "did you mean '\($0)'?" }
            let known = names.isEmpty ? "it takes none" : "there are \(names.joined(separator: ", "))"
            throw MCPRefusal(
                "\(tool.name) has no argument '\(EscapedText.escape(name.utf8, limit: 60))'; \(hint ?? known)")
        }
        var values: [String: Value] = [:]
        for parameter in tool.parameters {
            guard let tree = members[parameter.name] else {
                guard !parameter.isRequired else {
                    throw MCPRefusal("\(tool.name) needs '\(parameter.name)', \(parameter.wanted)")
                }
                continue
            }
            if case .null = tree, !parameter.isRequired { continue }
            guard let value = parameter.value(of: tree) else {
                throw MCPRefusal("'\(parameter.name)' of \(tool.name) is \(parameter.wanted)")
            }
            values[parameter.name] = value
        }
        self.values = values
    }

    package func text(_ name: String) -> String? { if case .text(let text) = values[name] { text } else { nil } }
    package func number(_ name: String) -> Int? { if case .number(let number) = values[name] { number } else { nil } }
    package func words(_ name: String) -> [String]? { if case .words(let words) = values[name] { words } else { nil } }
}

/// Why a tool did not do what it was asked for: a sentence for the model and for people.
package struct MCPRefusal: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
