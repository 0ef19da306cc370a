import ProctorBase
import ProctorDocument
package import ProctorScenario
import ProctorScript

extension Shape where Value == FixtureScript {
    /// A script: the name of a file that ends in `.lua`, or the text itself.
    package static let script = Shape(
        ["type": "string", "minLength": 1], takes: "the name of a `.lua` file, or Lua as text"
    ) { $1.answerScript($0) }
}

/// The scripts of one file.
///
/// A class, so that all readers of one file share it; used by one thread.
final class ScriptList {
    var libraries: [FixtureScript] = []
    /// Scripts that make replies, match requests, or have a WebSocket.
    var answers: [FixtureScript] = []

    /// Whether any of the scripts contains the word `state`.
    var mayChangeState: Bool {
        let word = Array("state".utf8)
        return (libraries + answers).contains { $0.text.firstRange(ofBytes: word) != nil }
    }
}

extension ScenarioReader {
    /// The libraries at the top of the file.
    static let libraries = Shape<[FixtureScript]>(
        .oneOrMore(Shape<FixtureScript>.script.schema, ["maxItems": .integer(Bounds.libraries)]),
        takes: "the name of a `.lua` file, Lua as text, or a list of them"
    ) { node, reader in
        var named: Set<String> = []
        return reader.oneOrMore(node, "libraries", limit: Bounds.libraries).compactMap { node in
            let script = reader.script(node, .library)
            if let script, script.source.file != reader.file.path, !named.insert(script.source.file).inserted {
                return reader.sink.refuse(node, "the library \(quoted(script.name)) stands here twice")
            }
            return script
        }
    }

    fileprivate func answerScript(_ node: Node) -> FixtureScript? {
        guard let script = script(node, .answer) else { return nil }
        scripts.answers.append(script)
        return script
    }

    /// Compiles a script; its first error is reported at its place in the script's file.
    private func script(_ node: Node, _ role: ScriptSource.Role) -> FixtureScript? {
        guard let text = sink.nonEmptyText(node, "a script") else { return nil }
        let isName = text.hasSuffix(".lua") && !text.utf8.contains { $0 == 0x0A || $0 == 0x20 || $0 == 0x28 }
        return isName ? scriptFile(node, role) : script(Array(text.utf8), writtenAt: node, role)
    }

    private func scriptFile(_ node: Node, _ role: ScriptSource.Role) -> FixtureScript? {
        guard let file = sidecar(node) else { return nil }
        let bytes: [UInt8]
        do throws(Diagnostic) {
            bytes = try FileBytes.read(file.path, limit: ScriptBounds().sourceByteCount)
        } catch {
            return sink.refuseFile(node, for: error, of: file.path)
        }
        // The bytes are compiled now, so other content makes another scenario.
        fingerprint.mix(bytes)
        let source = ScriptSource(text: bytes, file: file.path, role: role)
        if let mistake = source.mistake() {
            sink.report(
                SourceLocation(file: file.path, line: mistake.line, column: mistake.column), mistake.sentence)
            return nil
        }
        return FixtureScript(source: source, location: node.location)
    }

    private func script(_ text: [UInt8], writtenAt node: Node, _ role: ScriptSource.Role) -> FixtureScript? {
        let first = node.location(ofTextOffset: 0)
        let source = ScriptSource(text: text, file: file.path, firstLine: first.line, role: role)
        if let mistake = source.mistake() {
            // Line and column in the text give its offset, and the offset gives the place in the fixture.
            let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
            let before = lines.prefix(max(0, mistake.line - first.line)).reduce(0) { $0 + $1.count + 1 }
            sink.report(
                node.location(ofTextOffset: min(before + mistake.column - 1, text.count)), mistake.sentence)
            return nil
        }
        return FixtureScript(source: source, location: node.location)
    }

    /// Reads `script:`, which stands in place of all keys of a message.
    func scripted(_ entry: Node.Entry, _ keys: Mapping<ReplyKeys>, kind: ReplyKind) -> Reply.Message? {
        guard kind == .own else {
            return sink.refuse(
                entry.keyNode, "\"script\" does not go with a guard's reply, nor with the reply to ranges",
                hint: "write it as a reply of an exchange")
        }
        let beside: Set = ["script", "sets", "weight", "then"]
        for other in keys.entries where !beside.contains(other.key) {
            sink.report(
                other.keyNode, "\(quoted(other.key)) does not go with \"script\": the script says it",
                hint: "return it in the script's table")
        }
        return keys[\.script].map { .script(replyScript($0)) }
    }

    package func replyScript(_ script: FixtureScript) -> ReplyScript {
        ReplyScript(script: script, tables: ReplyTables(file, originNames), libraries: scripts.libraries)
    }
}

/// Reads tables of scripts as replies of the fixture, with the reader of the fixture and its messages.
struct ReplyTables: ScriptTables {
    private let file: FixtureFile
    private let originNames: [String]

    init(_ file: FixtureFile, _ originNames: [String]) {
        (self.file, self.originNames) = (file, originNames)
    }

    /// Keys that a script's table must not have, with the reason.
    private static let refused = [
        "script": "a script answers itself", "sets": "a script calls state.set", "choose": "a script chooses itself",
        "weight": "a script chooses itself", "forward": "the fixture says it", "tunnel": "the fixture says it",
        "opaque": "the fixture says it",
    ]

    func action(of step: ScriptStep, of script: FixtureScript) throws(ScriptFailure) -> Effect.Action? {
        switch step {
        case .send(let bytes): return .send(.literal(bytes))
        case .wait(let duration): return .wait(duration)
        case .await(let event):
            let node = Self.node(.text(Array("await ".utf8) + event), in: Self.source(of: script))
            return try read { $0.action(node) }
        case .close(let abrupt): return .close(abrupt: abrupt, notify: true)
        case .reset(let abrupt): return .reset(abrupt: abrupt)
        case .halfClose: return .halfClose
        case .stall: return .stall
        case .read, .sendMessage, .sendClose, .receive: return nil
        }
    }

    func reply(_ table: ScriptValue, of script: FixtureScript) throws(ScriptFailure) -> Reply {
        let root = Self.node(table, in: Self.source(of: script))
        for entry in root.entries ?? [] {
            guard let reason = Self.refused[entry.key] else { continue }
            throw ScriptFailure("\(quoted(entry.key)) has no place in the table of a script: \(reason)")
        }
        guard let reply = try read({ $0.reply(root) }) else { throw ScriptFailure("the table is no reply") }
        guard reply.webSocket?.scripts.isEmpty ?? true else {
            throw ScriptFailure(
                "\"script\" has no place among the turns in the table of a script: the fixture writes it")
        }
        return reply
    }

    private static func source(of script: FixtureScript) -> SourceFile {
        SourceFile(madeAt: SourceLocation(file: script.source.file, line: 1, column: 1))
    }

    func read<Value>(_ read: (ScenarioReader) -> Value?) throws(ScriptFailure) -> Value? {
        let sink = DiagnosticSink()
        let reader = ScenarioReader(
            file: file, sink: sink, fingerprint: Fingerprint(of: []), literals: LiteralBudget(),
            originNames: originNames)
        defer { reader.secondPass.removeChecks() }
        let value = read(reader)
        guard let first = sink.diagnostics.first else { return value }
        throw ScriptFailure(first.sentence + (first.hint.map { "; \($0)" } ?? ""))
    }

    /// A node of the value; `isExact`: the value of a key in which `{{` has no meaning.
    private static func node(_ value: ScriptValue, in source: SourceFile, isExact: Bool = false) -> Node {
        switch value {
        case .none, .null: return Node(.scalar("null", .plain), madeAt: source)
        case .flag(let flag): return Node(.scalar(flag ? "true" : "false", .plain), madeAt: source)
        case .whole(let number): return Node(.scalar("\(number)", .plain), madeAt: source)
        case .real(let number): return Node(.scalar("\(number)", .plain), madeAt: source)
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            if text.utf8.elementsEqual(bytes) {
                return Node(.scalar(isExact ? text : escaped(text), .doubleQuoted), madeAt: source)
            }
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            return mapping([("hex", Node(.scalar(digits, .doubleQuoted), madeAt: source))], in: source)
        case .list(let items):
            return Node(.sequence(items.map { node($0, in: source) }), madeAt: source)
        case .table(let members):
            return mapping(
                members.map { member in
                    let key = String(decoding: member.key, as: UTF8.self)
                    return (key, node(member.value, in: source, isExact: key == "text"))
                }, in: source)
        }
    }

    private static func mapping(_ members: [(key: String, value: Node)], in source: SourceFile) -> Node {
        Node(.mapping(members.map { Node.Entry($0.key, $0.value) }), madeAt: source)
    }

    /// The text with `{{{{` for `{{`, for places where text is late-bound.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.first {
            if byte == UInt8(ascii: "{"), rest.dropFirst().first == byte {
                bytes += [byte, byte, byte, byte]
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
