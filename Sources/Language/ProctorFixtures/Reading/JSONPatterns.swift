import ProctorBase
package import ProctorDocument
import ProctorRegex
package import ProctorScenario

/// The keys of a mapping that is a condition, and not an object.
struct JSONWordKeys: Sendable {
    let equals = Key<Node>("equals")
    let contains = Key<Node>("contains")
    let at = Key<Node>("at")
    let unordered = Key<Node>("unordered")
    let matches = Key("matches", Shape<RegularExpression>.expression)
    let not = Key<Node>("not")
    let anyOf = Key<Node>("any of")
}

extension Shape where Value == JSONPattern {
    /// Any YAML value, as JSON.
    package static var json: Shape {
        Shape(.named("json")) { node, reader in
            reader.jsonPattern(node)
        }
    }
}

extension ScenarioReader {
    static let jsonWordTable = Table("a condition on JSON", JSONWordKeys())

    /// An exact value with its type, or a mapping with only one of the condition keys.
    package func jsonPattern(_ node: Node) -> JSONPattern? {
        if let entries = node.entries, entries.count == 1,
            Self.jsonWordTable.rows.contains(where: { $0.name == entries[0].key })
        {
            return jsonCondition(node)
        }
        return plainJSON(node)
    }

    private func jsonCondition(_ node: Node) -> JSONPattern? {
        guard let keys = Self.jsonWordTable.open(node, self) else { return nil }
        if let value = keys[\.equals] { return plainJSON(value) }
        if let value = keys[\.contains] { return jsonPattern(value).map { .contains($0) } }
        if let value = keys[\.not] { return jsonPattern(value).map { .not($0) } }
        if let value = keys[\.at] { return jsonPlaces(value).map { .at($0) } }
        if let value = keys[\.anyOf] { return conditionItems(value).flatMap(jsonPatterns).map { .anyOf($0) } }
        if let value = keys[\.unordered] {
            return sink.list(value, "unordered", limit: Self.jsonElementBound).flatMap(jsonPatterns)
                .map { .unordered($0) }
        }
        return keys[\.matches].map { .matches($0) }
    }

    /// The most elements of a list in any order; matching it takes time up to their number squared for each element
    /// received.
    static let jsonElementBound = 200

    private func jsonPatterns(_ nodes: [Node]) -> [JSONPattern]? {
        nodes.mapAll(jsonPattern)
    }

    private func jsonPlaces(_ node: Node) -> [JSONPattern.Place]? {
        guard let entries = node.entries, !entries.isEmpty else {
            return sink.refuse(
                node, "expected at as a mapping from pointer to value, found \(node.found)",
                hint: "like { /items/0: 1 }")
        }
        return entries.mapAll { entry -> JSONPattern.Place? in
            do throws(JSONPointer.Fault) {
                let pointer = try JSONPointer(entry.key)
                return jsonPattern(entry.value).map { JSONPattern.Place(pointer: pointer, value: $0) }
            } catch {
                return sink.refuse(entry.keyNode.location(ofTextOffset: error.offset), error.sentence)
            }
        }
    }

    /// A value in which every mapping is an object, whatever its keys are.
    private func plainJSON(_ node: Node) -> JSONPattern? {
        if let items = node.items { return jsonPatterns(items).map { .list($0) } }
        if let entries = node.entries {
            return entries.mapAll { entry in
                jsonPattern(entry.value).map { JSONPattern.Member(name: Array(entry.key.utf8), value: $0) }
            }.map { .object($0) }
        }
        if node.isNull { return .null }
        guard let plain = node.plainText else { return node.text.map { .text(Array($0.utf8)) } }
        switch plain {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if let kind = plain.dropping(prefix: "any ") {
            if let kind = JSONPattern.Kind(rawValue: kind) { return .any(kind) }
            return sink.refuse(
                node, "\(quoted(plain)) is no kind of value",
                hint: DiagnosticSink.hint(for: kind, among: JSONPattern.Kind.allCases.map(\.rawValue))
                    + ", or quote it where the text itself is meant")
        }
        if let first = plain.utf8.first, first.isASCIIDigit || first == UInt8(ascii: "-") {
            if let number = JSONDecimal(plain.utf8) { return .number(number, text: plain) }
        }
        return .text(Array(plain.utf8))
    }
}
