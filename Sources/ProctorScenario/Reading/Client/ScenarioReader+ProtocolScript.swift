import ProctorDocument

/// What a scripted URLProtocol does, call by call: `response 200`, `data hello`, `finish`.
extension ScenarioReader {
    /// A list of calls; one that cannot be read is reported where it stands.
    func protocolScript(_ node: Node) -> [ProtocolCall] {
        guard let items = sink.list(node, "protocol calls", limit: Bounds.protocolCalls) else { return [] }
        return items.compactMap(protocolCall)
    }

    private enum Thread: String, CaseIterable { case client, other }

    private func protocolCall(_ node: Node) -> ProtocolCall? {
        guard node.entries != nil else { return act(node).map { ProtocolCall($0) } }
        guard let reader = MappingReader(node, "a protocol call", keys: ["call", "thread"], sink: sink) else {
            return nil
        }
        let act = reader.required("call").flatMap(act)
        let thread = reader["thread"].flatMap { sink.choice($0, "a thread", among: Thread.self) } ?? .client
        return act.map { ProtocolCall($0, isOnOtherThread: thread == .other) }
    }

    private static let plain: [(name: String, act: ProtocolCall.Act)] = [
        ("finish", .finish), ("cancel-challenge", .cancelChallenge), ("cached-response-valid", .cachedResponseIsValid),
        ("await-answer", .awaitAnswer), ("await-stop", .awaitStop),
    ]
    private static let calls =
        ["response", "data", "fail", "redirect", "challenge", "wait", "block"] + plain.map(\.name)

    private func act(_ node: Node) -> ProtocolCall.Act? {
        guard let text = sink.text(node, "a protocol call") else { return nil }
        let name = String(text.prefix { $0 != " " })
        let argument = ScalarText(node, text).dropping(name.utf8.count + 1)
        if let call = Self.plain.first(where: { $0.name == name }) {
            guard text == name else {
                return wrong(argument, "\(quoted(name)) stands alone, found \(quoted(text))")
            }
            return call.act
        }
        switch name {
        case "response": return scriptedResponse(argument)
        case "data": return .data(argument.text)
        case "fail": return scriptedFailure(argument)
        case "redirect": return scriptedRedirect(argument)
        case "challenge": return scriptedChallenge(argument)
        case "wait": return delay(argument).map { .wait($0) }
        case "block": return delay(argument).map { .block($0) }
        default:
            sink.report(
                node, "unknown protocol call \(quoted(name))", hint: DiagnosticSink.hint(for: name, among: Self.calls))
            return nil
        }
    }

    private func delay(_ text: ScalarText) -> Duration? {
        if let nanoseconds = DurationText.nanoseconds(text.text), nanoseconds > 0,
            nanoseconds <= Bounds.waitNanoseconds
        {
            return .nanoseconds(nanoseconds)
        }
        return wrong(text, "expected \(DurationText.expected), more than 0 and at most 10m, found \(quoted(text.text))")
    }
}
