import ProctorBase
import ProctorHTTP

/// What a file beside a scenario holds.
package enum DraftFile: Sendable {
    case bytes([UInt8])
    case stored(StoredContent)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .stored(let stored): stored.byteCount
        }
    }
}

/// A draft as the text of a fixture and the files beside it.
package struct ScenarioText: Sendable {
    package let text: String
    /// Paths relative to the folder of the fixture.
    package let files: [(path: String, content: DraftFile)]

    /// Text of a body up to this length, and this many lines, stands in the fixture itself.
    private static let inlineByteCount = 600
    private static let inlineLineCount = 12
    private static let inlineBinaryCount = 60

    /// `name` is the last part of the id; `head` the first line, which names the schema.
    ///
    /// With `isAlone` there are no files: all bodies stand in the text.
    package init(_ draft: Draft, name: String, head: String, isAlone: Bool = false) {
        var builder = Builder(folder: "\(name).bodies", isAlone: isAlone)
        var writer = YAMLWriter()
        writer.writeComment(draft.comments.joined(separator: "\n"))
        var members = [YAMLTree.Member("summary", .text(draft.summary))]
        let declared = draft.origins.enumerated().filter { $0.offset > 0 || !$0.element.settings.isEmpty }
        if let expected = draft.expectation, let description = draft.description {
            let file = description.name(beside: name)
            builder.files.append((file, .bytes(description.bytes)))
            var keys: [YAMLTree.Member] = [.init("openapi", .text(file))]
            if let base = description.base { keys.append(.init("base", .text(base))) }
            if !expected.replies { keys.append(.init("replies", .plain("false"))) }
            members.append(.init("expect", .map(keys)))
        }
        if !declared.isEmpty {
            members.append(.init("origins", .map(declared.map { .init($0.element.name, .map($0.element.settings)) })))
        }
        if !draft.guards.isEmpty { members.append(.init("guards", .map(draft.guards))) }
        if !draft.state.isEmpty { members.append(.init("state", .map(draft.state))) }
        members.append(.init("exchanges", .list(draft.exchanges.map { builder.exchange($0) })))
        if !draft.cases.isEmpty { members.append(.init("cases", .map(draft.cases))) }
        writer.write(members)
        text = "\(head)\n\(writer.text)"
        files = builder.files
    }

    private struct Builder {
        let folder: String
        var files: [(path: String, content: DraftFile)] = []
        private var names: [[UInt8]: String] = [:]
        private var paths: Set<String> = []
        /// How many files have the name before its number.
        private var counts: [String: Int] = [:]

        private let isAlone: Bool

        init(folder: String, isAlone: Bool) {
            (self.folder, self.isAlone) = (folder, isAlone)
        }

        mutating func exchange(_ exchange: DraftExchange) -> YAMLTree {
            var members = [YAMLTree.Member("request", Self.request(exchange.request))]
            if let origin = exchange.origin { members.append(.init("origin", .text(origin))) }
            members += exchange.more
            let hint = Self.hint(exchange.request)
            let replies = exchange.replies.map { reply($0, hint: hint) }
            members.append(.init("reply", replies.count == 1 ? replies[0] : .list(replies)))
            return .map(members)
        }

        private static func request(_ request: DraftRequest) -> YAMLTree {
            let conditions = [("headers", request.headers), ("cookies", request.cookies)].filter { !$0.1.isEmpty }
            if case .text(let path) = request.path, conditions.isEmpty, request.content.isEmpty, request.query == nil {
                return .text("\(request.method) \(path)")
            }
            var members = [YAMLTree.Member("method", .text(request.method)), .init("path", request.path)]
            if let query = request.query { members.append(.init("query", .map(query))) }
            return .map(members + conditions.map { .init($0.0, .map($0.1)) } + request.content)
        }

        private mutating func reply(_ reply: DraftReply, hint: String) -> YAMLTree {
            if reply.isRaw { return .map(reply.more) }
            var members: [YAMLTree.Member] = [.init("status", .plain(String(reply.status)))]
            if let reason = reply.reason { members.append(.init("reason", .text(reason))) }
            if let version = reply.version { members.append(.init("version", .text(version))) }
            if !reply.interim.isEmpty { members.append(.init("interim", .list(reply.interim))) }
            if !reply.headers.isEmpty { members.append(.init("headers", Self.fields(reply.headers))) }
            if let framing = reply.framing { members.append(.init("framing", .text(framing))) }
            if let coding = reply.coding.first {
                members.append(.init("coding", reply.coding.count == 1 ? coding : .list(reply.coding)))
            }
            let type = reply.headers.first { $0.key.utf8.isSame("content-type") }?.value
            let body = body(reply.body, hint: hint, type: type)
            if let ending = reply.ending {
                let end: YAMLTree = ["do": .text(ending)]
                members.append(.init("body", .list([body, end].compactMap(\.self))))
            } else if let body {
                members.append(.init("body", body))
            }
            if !reply.trailers.isEmpty { members.append(.init("trailers", Self.fields(reply.trailers))) }
            return .map(members + reply.more)
        }

        /// A mapping where no name comes twice.
        private static func fields(_ fields: [YAMLTree.Member]) -> YAMLTree {
            let names = Set(fields.map { $0.key.lowercased() })
            return names.count == fields.count ? .map(fields) : .list(fields.map { .map([$0]) })
        }

        private mutating func body(_ body: DraftBody, hint: String, type: YAMLTree?) -> YAMLTree? {
            switch body {
            case .none: return nil
            case .made(let tree): return tree
            case .stored(let stored): return file(.stored(stored), hint, type)
            case .late(let text): return .text(text)
            case .text(let text):
                if text.isEmpty { return nil }
                let isShort =
                    text.utf8.count <= inlineByteCount && text.utf8.count(where: { $0 == 0x0A }) <= inlineLineCount
                return isShort || isAlone ? .text(LiteralText.late(text)) : file(Array(text.utf8), hint, type)
            case .bytes(let bytes):
                if bytes.count <= inlineBinaryCount || isAlone {
                    return .base64(bytes)
                }
                return file(bytes, hint, type)
            }
        }

        /// The file of a body; equal bodies share one.
        private mutating func file(_ bytes: [UInt8], _ hint: String, _ type: YAMLTree?) -> YAMLTree {
            if let name = names[bytes] { return ["file": .text(name)] }
            let name = name(hint, type)
            names[bytes] = name
            files.append((name, .bytes(bytes)))
            return ["file": .text(name)]
        }

        private mutating func file(_ content: DraftFile, _ hint: String, _ type: YAMLTree?) -> YAMLTree {
            let name = name(hint, type)
            files.append((name, content))
            return ["file": .text(name)]
        }

        private mutating func name(_ hint: String, _ type: YAMLTree?) -> String {
            var media: MediaType?
            if case .text(let text)? = type { media = MediaType(Array(text.utf8)) }
            let suffix = Self.suffix(media)
            // Another hint may end in the same number.
            var name: String
            repeat {
                let number = counts["\(hint)\(suffix)", default: 0] + 1
                counts["\(hint)\(suffix)"] = number
                name = "\(folder)/\(hint)\(number == 1 ? "" : "-\(number)")\(suffix)"
            } while !paths.insert(name).inserted
            return name
        }

        /// A name made of the last words of the path.
        private static func hint(_ request: DraftRequest) -> String {
            var path = "body"
            if case .text(let text) = request.path { path = text }
            let words = path.utf8.prefix { $0 != UInt8(ascii: "?") }.split { !($0.isASCIILetter || $0.isASCIIDigit) }
            let name = words.suffix(3).map { String($0.prefix(24)) ?? "" }.joined(separator: "-").lowercased()
            return name.isEmpty ? "root" : name
        }

        private static func suffix(_ type: MediaType?) -> String {
            guard let type else { return ".bin" }
            switch type.essence {
            case "text/html": return ".html"
            case "text/css": return ".css"
            case "text/csv": return ".csv"
            case "image/svg+xml": return ".svg"
            case "application/pdf": return ".pdf"
            case _ where type.isJSON: return ".json"
            case _ where type.subtype == "xml" || type.subtype.hasSuffix("+xml"): return ".xml"
            case _ where type.subtype.hasSuffix("javascript"): return ".js"
            case _ where type.type == "text": return ".txt"
            case _ where type.type == "image" && type.subtype.utf8.allSatisfy(\.isASCIILetter):
                return ".\(type.subtype)"
            default: return ".bin"
            }
        }
    }
}
