internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorProtobuf
internal import ProctorScenario

/// `reply: { grpc: … }`.
struct CallKeys: Sendable {
    let message = Key<Node>("message")
    let messages = Key<Node>("messages")
    let dialogue = Key<Node>("dialogue")
    let status = Key<Node>("status")
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
    let trailers = Key("trailers", Shape<[ReplyField]>.fields("trailers"))
    let deadline = UsualKey("deadline", Shape<Deadline>.choice("what becomes of a deadline"), usual: .kept)

    enum Deadline: String, CaseIterable, Sendable {
        /// A call whose time is over ends with DEADLINE_EXCEEDED.
        case kept
        case ignored
    }
}

/// A step of `dialogue:`.
struct CallStepKeys: Sendable {
    let read = Key<Node>("read")
    let write = Key<Node>("write")
    let each = Key<Node>("each")
}

extension ScenarioReader {
    private static let callTable = Table(
        "a call", CallKeys(),
        hints: ["error": "write status: { code: NOT_FOUND, message: … }", "steps": "write dialogue:"])
    private static let callStepTable = Table("a step of a call", CallStepKeys())

    func call(_ node: Node) -> FixtureScript? {
        guard let calls = describedCalls(node) else { return nil }
        if node.text == "reflection" {
            let reflection = Reflection(calls.descriptors, services: calls.services)
            return fixtureScript(node, CallProgram(reflection: reflection, at: node.location))
        }
        guard let method = calls.method(target, node, sink) else { return nil }
        guard let keys = Self.callTable.open(node, self, shape: "like { message: { id: 7 } }, or reflection") else {
            return nil
        }
        let nodes = MessageNodes(descriptors: calls.descriptors, reader: self)
        let contents = [keys.entry(\.message), keys.entry(\.messages), keys.entry(\.dialogue)].compactMap(\.self)
        if contents.count > 1 {
            return sink.refuse(
                contents[1].keyNode, "\(quoted(contents[1].key)) does not go with \(quoted(contents[0].key))")
        }
        let status = keys.has(\.status) ? keys[\.status].flatMap { callStatus($0, nodes) } : .ok
        let reader = CallStepReader(calls: calls, method: method, nodes: nodes)
        let steps: [CallStep]?
        if let message = keys[\.message] {
            steps = nodes.bytes(message, as: method.output).map { [.write(FramedMessages.framed($0))] }
        } else if let messages = keys[\.messages] {
            steps = reader.messages(messages)
        } else if let dialogue = keys[\.dialogue] {
            steps = reader.steps(dialogue, depth: 0)
        } else {
            steps = []
        }
        guard let steps, let status, let headers = metadata(keys[\.headers]), let trailers = metadata(keys[\.trailers])
        else { return nil }
        checkCount(of: steps, status, method, keys)
        return fixtureScript(
            node,
            CallProgram(
                calls: calls, method: method, steps: keys.has(\.dialogue) ? steps : [.readAll] + steps, status: status,
                headers: headers, trailers: trailers, keepsDeadline: keys[\.deadline] == .kept, at: node.location))
    }

    private func fixtureScript(_ node: Node, _ program: CallProgram) -> FixtureScript {
        FixtureScript(
            text: [], name: "grpc", location: node.location, program: program, readsContent: program.readsContent)
    }

    /// Reports a unary reply that has not one message.
    private func checkCount(
        of steps: [CallStep], _ status: CallStatus, _ method: ServiceType.Method, _ keys: Mapping<CallKeys>
    ) {
        guard !method.serverStreams, !keys.has(\.dialogue) else { return }
        let count = steps.count { if case .write = $0 { true } else { false } }
        if count > 1 || (count == 0 && status.code == .ok && !steps.contains(where: \.endsCall)) {
            sink.report(
                keys.node, "\(quoted(method.name)) answers with one message, found \(count)",
                hint: count == 0 ? "write message: {} or a status" : "a dialogue sends what is wrong on purpose")
        }
    }

    /// Fields whose values are known; nil after a diagnostic.
    private func metadata(_ fields: [ReplyField]?) -> [CallField]? {
        (fields ?? []).mapAll { field in
            guard let value = field.value.literalBytes else {
                return sink.refuse(
                    field.location, "metadata has no late-bound parts: the call is made when the file is loaded")
            }
            return CallField(name: field.name, value: value)
        }
    }

    fileprivate func stepKeys(_ node: Node) -> Mapping<CallStepKeys>? { Self.callStepTable.open(node, self) }
}

/// Reads the steps of a call.
private struct CallStepReader {
    let calls: DescribedCalls
    let method: ServiceType.Method
    let nodes: MessageNodes

    private var reader: ScenarioReader { nodes.reader }
    private var sink: DiagnosticSink { nodes.reader.sink }

    /// Messages, and effects between them.
    func messages(_ node: Node) -> [CallStep]? {
        sink.list(node, "messages", limit: Bounds.chunks)?.mapAll { item in
            if item.isEffect { return reader.inlineEffect(item, "between messages").map { .effect($0) } }
            return write(item)
        }
    }

    private func write(_ node: Node) -> CallStep? {
        nodes.bytes(node, as: method.output).map { .write(FramedMessages.framed($0)) }
    }

    func steps(_ node: Node, depth: Int) -> [CallStep]? {
        sink.list(node, "a dialogue", limit: Bounds.chunks)?.mapAll { step($0, depth: depth) }
    }

    private func step(_ node: Node, depth: Int) -> CallStep? {
        if node.text == "head" { return .head }
        if node.isEffect { return reader.inlineEffect(node, "of a dialogue").map { .effect($0) } }
        guard let keys = reader.stepKeys(node), !keys.hasUnknownKeys else { return nil }
        guard keys.entries.count == 1 else {
            return sink.refuse(node, "a step has one of read, write and each, is an effect, or is head")
        }
        if let message = keys[\.write] { return write(message) }
        if let wanted = keys[\.read] { return read(wanted) }
        guard let each = keys[\.each] else { return nil }
        guard depth == 0 else { return sink.refuse(each, "an each has no place in another one") }
        return steps(each, depth: 1).map { .each($0) }
    }

    /// `any`, `end`, or what the message must be.
    private func read(_ node: Node) -> CallStep? {
        switch node.text {
        case "any": return .read(nil, node.location)
        case "end": return .readEnd(node.location)
        default: return nodes.pattern(node, as: method.input).map { .read($0, node.location) }
        }
    }
}
