internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

extension ScenarioReader {
    static let eventStreamTable = Table("an event stream", EventStreamKeys())
    static let streamItemTable = Table(
        "an event", StreamItemKeys(),
        hints: hintsOfPauses.mapValues { _ in "a pause is an item of its own: { do: wait 100ms }" }
            .merging(["name": "write event: NAME", "type": "write event: NAME", "text": "write data: TEXT"]) { $1 })

    /// The stream as pieces of a body: one for each event, so that each has a chunk of its own.
    func eventStream(_ node: Node) -> [BodyPiece] {
        guard node.entries != nil else { return pieces(of: node, EventStreamWriter()) }
        guard let keys = Self.eventStreamTable.open(node, self) else { return [] }
        let lineEnd = keys[\.lineEnd]
        let hasMark = keys[\.bom]
        return keys[\.list].map { pieces(of: $0, EventStreamWriter(lineEnds: lineEnd.turns, hasMark: hasMark)) } ?? []
    }

    private func pieces(of list: Node, _ start: EventStreamWriter) -> [BodyPiece] {
        var writer = start
        addItems(of: list, to: &writer)
        writer.endPiece()
        if writer.pieces.count > Bounds.chunks {
            sink.report(
                list, "the stream has more than \(Bounds.chunks) pieces",
                hint: "repeat fewer events, or end with do: stall")
            return []
        }
        return writer.pieces
    }

    private func addItems(of list: Node, to writer: inout EventStreamWriter) {
        guard let items = sink.filledList(list, "events", limit: Bounds.chunks) else { return }
        _ = upToEnd(of: "stream", items) { item -> BodyPiece? in
            addItem(item, to: &writer)
            return writer.pieces.last
        } effect: {
            $0.action
        }
    }

    private func addItem(_ node: Node, to writer: inout EventStreamWriter) {
        guard writer.pieces.count <= Bounds.chunks else { return }
        if node.isEffect {
            if let action = inlineEffect(node, "between events") { writer.addPiece(.effect(action)) }
            return
        }
        if node.text != nil { return addEvent([Node.Entry("data", node)], to: &writer) }
        guard let keys = Self.streamItemTable.open(node, self), !keys.hasUnknownKeys else { return }
        let alone = ["raw", "repeat", "events"].filter { name in keys.entries.contains { $0.key == name } }
        if let first = alone.first {
            let allowed = first == "raw" ? ["raw"] : ["repeat", "events"]
            if let other = keys.entries.first(where: { !allowed.contains($0.key) }) {
                return sink.report(other.keyNode, "\(quoted(other.key)) does not go with \(quoted(first))")
            }
            if let raw = keys[\.raw] { return writer.addPiece(.bytes(raw)) }
            return first == "raw" ? () : addRepeated(keys, to: &writer)
        }
        guard keys.entries.contains(where: { $0.key != "closed" }) else {
            return sink.report(
                node, "an event needs one of \(StreamItemKeys.ofEvent.dropLast().joined(separator: ", "))")
        }
        addEvent(keys.entries, of: keys, to: &writer)
    }

    private func addRepeated(_ keys: Mapping<StreamItemKeys>, to writer: inout EventStreamWriter) {
        keys.require("repeat")
        keys.require("events")
        guard let count = keys[\.repeat], let list = keys[\.events] else { return }
        guard !isRepeating else {
            return sink.report(keys.node, "a repeat has no place in another one")
        }
        let known = sink.diagnostics.count
        for number in 1...count {
            repeating(number).addItems(of: list, to: &writer)
            guard sink.diagnostics.count == known, writer.pieces.count <= Bounds.chunks else { return }
            if count > 1, writer.pieces.last?.action?.row.isLast == true {
                return sink.report(
                    keys.node, "this repeats nothing: the stream ends with an effect of its first repetition")
            }
        }
    }

    private func addEvent(
        _ entries: [Node.Entry], of keys: Mapping<StreamItemKeys>? = nil, to writer: inout EventStreamWriter
    ) {
        for entry in entries {
            switch entry.key {
            case "id": if let text = keys?[\.id] { writer.addField("id", [text.parts]) }
            case "event": if let text = keys?[\.event] { writer.addField("event", [text.parts]) }
            case "data": if let lines = lines(entry.value, "the data of an event") { writer.addField("data", lines) }
            case "retry":
                if let time = keys?[\.retry] { writer.addField("retry", [[.literal(Array(String(time).utf8))]]) }
            case "comment": if let lines = lines(entry.value, "a comment") { writer.addField("", lines) }
            case "lines":
                for item in sink.filledList(entry.value, "lines", limit: Bounds.chunks) ?? [] {
                    if let line = verbatim(item, "a line") { writer.addLine(line) }
                }
            default: break
            }
        }
        if keys?[\.closed] ?? true { writer.addLine([]) }
        writer.endPiece()
    }

    /// The lines of a text, a list of texts, JSON, or bytes that are made now.
    private func lines(_ node: Node, _ what: String) -> [[Template.Part]]? {
        if let items = node.items {
            guard !items.isEmpty else { return sink.refuse(node, "\(what) needs at least one line") }
            return sink.list(node, what, limit: Bounds.chunks)?.flatMap { lines($0, "a line of \(what)") ?? [] }
        }
        if let entry = node.entries?.first(where: { $0.key == "json" }) {
            guard node.entries?.count == 1 else { return sink.refuse(node, "nothing stands beside \"json\"") }
            return json(entry.value).map { [$0.inEventData] }
        }
        return verbatim(node, what).map { Template(parts: $0).eventLines }
    }

    private func verbatim(_ node: Node, _ what: String) -> [Template.Part]? {
        guard let text = node.text else {
            return literal(node, what, limit: Bounds.fieldByteCount).map { [.literal($0)] }
        }
        return template(node, text)?.parts
    }
}

extension BodyPiece {
    fileprivate var action: Effect.Action? {
        if case .effect(let action) = self { action } else { nil }
    }
}
