internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorScript

/// Reads tables of scripts as replies of the fixture, with the reader of the fixture and its messages.
struct ScriptTables: Sendable {
    private let nodes: MadeNodes
    /// The file of the script, where what is read of its tables is said to stand.
    private let place: SourceLocation

    init(_ nodes: MadeNodes, in file: String) {
        (self.nodes, place) = (nodes, SourceLocation(file: file, line: 1, column: 1))
    }

    /// Keys that a script's table must not have, with the reason.
    private static let refused = [
        "script": "a script answers itself", "sets": "a script calls state.set", "choose": "a script chooses itself",
        "weight": "a script chooses itself", "forward": "the fixture says it", "tunnel": "the fixture says it",
        "opaque": "the fixture says it",
    ]

    /// The effect of a step; nil for a step that is none.
    ///
    /// Throws a sentence without a place.
    func action(of step: ScriptStep) throws(ScriptFailure) -> Effect.Action? {
        switch step {
        case .send(let bytes): return .send(.literal(bytes))
        case .wait(let duration): return .wait(duration)
        case .effect(let text, let isAbrupt):
            let node = Self.node(.text(Array(text.utf8)), in: SourceFile(madeAt: place))
            let action = try read { () throws(MadeNodes.Mistake) in try nodes.action(node) }
            return action?.with(abrupt: isAbrupt, notify: true) ?? action
        case .read, .sendMessage, .sendClose, .receive, .pause: return nil
        }
    }

    /// The reply that a table says, whose text is never late-bound.
    ///
    /// Throws a sentence without a place.
    func reply(_ table: ScriptValue) throws(ScriptFailure) -> Reply {
        let root = Self.node(table, in: SourceFile(madeAt: place))
        for entry in root.entries ?? [] {
            guard let reason = Self.refused[entry.key] else { continue }
            throw ScriptFailure("\(quoted(entry.key)) has no place in the table of a script: \(reason)")
        }
        guard let reply = try read({ () throws(MadeNodes.Mistake) in try nodes.reply(root) }) else {
            throw ScriptFailure("the table is no reply")
        }
        guard reply.webSocket?.scripts.isEmpty ?? true else {
            throw ScriptFailure(
                "\"script\" has no place among the turns in the table of a script: the fixture writes it")
        }
        return reply
    }

    private func read<Value>(_ read: () throws(MadeNodes.Mistake) -> Value) throws(ScriptFailure) -> Value {
        do throws(MadeNodes.Mistake) {
            return try read()
        } catch {
            throw ScriptFailure(error.sentence)
        }
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
