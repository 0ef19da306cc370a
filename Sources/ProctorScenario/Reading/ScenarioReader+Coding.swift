import ProctorBase
import ProctorCoding
import ProctorDocument

extension ScenarioReader {
    private static let codingKeys = ["apply", "negotiate", "says", "in"]

    /// A step, a list of steps, or what is done, said and where in full.
    func coding(_ node: Node) -> BodyCoding? {
        let isFull = node.entries?.contains { Self.codingKeys.contains($0.key) } == true
        if isFull { return fullCoding(node) }
        return codingSteps(node).map { BodyCoding(plan: .apply($0)) }
    }

    private func fullCoding(_ node: Node) -> BodyCoding? {
        guard let reader = MappingReader(node, "a coding", keys: Self.codingKeys, sink: sink) else { return nil }
        let place = reader["in"].flatMap { sink.choice($0, "a place", among: BodyCoding.Place.self) } ?? .content
        var label = BodyCoding.Label.names
        if let says = reader["says"] {
            guard let read = self.label(says) else { return nil }
            label = read
        }
        if let negotiate = reader.entry("negotiate") {
            if let apply = reader.entry("apply") {
                sink.report(apply.keyNode, "\"apply\" does not go with \"negotiate\": one of them says what is done")
            }
            if let says = reader.entry("says") {
                sink.report(
                    says.keyNode,
                    "\"says\" does not go with \"negotiate\", whose field names the coding that was chosen")
            }
            if let place = reader.entry("in"), place.value.text == BodyCoding.Place.transfer.rawValue {
                sink.report(
                    place.value, "a transfer coding is not negotiated: Accept-Encoding is about content codings",
                    hint: "use apply:")
            }
            guard let steps = codingSteps(negotiate.value) else { return nil }
            checkChoices(steps, at: negotiate.value)
            return BodyCoding(plan: .negotiate(steps))
        }
        guard let apply = reader["apply"] else {
            sink.report(node, "a coding needs \"apply\" or \"negotiate\"")
            return nil
        }
        return codingSteps(apply).map { BodyCoding(plan: .apply($0), place: place, label: label) }
    }

    /// `says:` as text, or null for no field.
    private func label(_ node: Node) -> BodyCoding.Label? {
        if node.isNull { return .absent }
        return line(node, "what the field says").map { .text(Array($0.utf8)) }
    }

    private func checkChoices(_ steps: [CodingStep], at node: Node) {
        var seen: Set<ContentCoding> = []
        for (index, step) in steps.enumerated() {
            let item = node.items.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? node
            if !seen.insert(step.coding).inserted {
                sink.report(item, "\(quoted(step.coding.rawValue)) stands twice: only the first can be chosen")
            } else if step.coding == .identity {
                sink.report(
                    item, "identity is not negotiated: it is what is sent when nothing else is acceptable",
                    hint: "leave it out")
            }
        }
    }

    private func codingSteps(_ node: Node) -> [CodingStep]? {
        guard node.items != nil else { return codingStep(node).map { [$0] } }
        guard let items = sink.list(node, "coding", limit: Bounds.codings) else { return nil }
        guard !items.isEmpty else {
            sink.report(node, "a list of codings needs at least one")
            return nil
        }
        let steps = items.compactMap(codingStep)
        return steps.count == items.count ? steps : nil
    }

    private func codingStep(_ node: Node) -> CodingStep? {
        guard let entries = node.entries else {
            return codingName(node).map { CodingStep($0) }
        }
        guard entries.count == 1, let entry = entries.first else {
            sink.report(node, "a coding with options is a mapping with one key, its name; found \(entries.count) keys")
            return nil
        }
        guard let coding = codingName(entry.keyNode) else { return nil }
        // `gzip:` with nothing after it has no options.
        return entry.value.isNull ? CodingStep(coding) : codingStep(coding, entry.value)
    }

    /// What people call codings that HTTP names otherwise.
    private static let otherNames = ["brotli": "br", "zstandard": "zstd", "zlib": "deflate", "gz": "gzip"]

    private func codingName(_ node: Node) -> ContentCoding? {
        if let text = node.text, let name = Self.otherNames[text] {
            sink.report(node, "unknown coding \(quoted(text))", hint: "HTTP calls it \(quoted(name))")
            return nil
        }
        return sink.choice(node, "a coding")
    }
}
