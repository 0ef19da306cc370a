import ProctorBase
package import ProctorDocument
import ProctorRegex
package import ProctorScenario

struct ConditionKeys: Sendable {
    let matches = Key("matches", Shape<RegularExpression>.expression)
    let not = Key("not", Shape<ValueCondition>.condition("what is not wanted"))
    let anyOf = Key<[ValueCondition]>("any of") { node, reader in
        reader.conditionItems(node)?.mapAll { reader.condition($0, "one of the values") }
    }
}

extension Shape where Value == RegularExpression {
    /// A regular expression of PCRE2.
    static var expression: Shape {
        Shape(.named("expression")) { $1.expression($0) }
    }
}

extension Shape where Value == ValueCondition {
    /// A condition that captures nothing; `what` is the noun in messages, `the value of "a"`.
    package static func condition(_ what: String) -> Shape {
        Shape(.named("condition")) { $1.condition($0, what) }
    }
}

extension ScenarioReader {
    static let conditionTable = Table("a condition", ConditionKeys())

    /// The most items of `any of`.
    package static let conditionBound = 100

    /// Text with `*`, `null` for an absent value, or a mapping with one key; captures nothing.
    ///
    /// `what` is the noun in messages: `the value of "a"`.
    package func condition(_ node: Node, _ what: String) -> ValueCondition? {
        if node.isNull { return .absent }
        if node.entries != nil { return conditionMapping(node) }
        return uncapturedText(node, what).map { .text($0) }
    }

    /// A condition that may capture: by `{name}`, and by named groups of an expression outside `not` and `any of`.
    func condition(_ node: Node, _ what: String, captures: inout [String]) -> ValueCondition? {
        if node.isNull { return .absent }
        if node.entries != nil {
            let condition = conditionMapping(node)
            if case .matches(let expression)? = condition { addCaptures(expression, node, &captures) }
            return condition
        }
        guard let text = sink.text(node, what) else { return nil }
        return PatternParser(sink: sink).parse(ScalarText(node, text), captures: &captures).map { .text($0) }
    }

    private func conditionMapping(_ node: Node) -> ValueCondition? {
        guard let keys = Self.conditionTable.open(node, self) else { return nil }
        guard keys.entries.count == 1 else {
            if !keys.hasUnknownKeys {
                sink.report(node, "a condition has exactly one of matches, not and any of")
            }
            return nil
        }
        if keys.has(\.matches) { return keys[\.matches].map { .matches($0) } }
        if keys.has(\.not) { return keys[\.not].map { .not($0) } }
        return keys[\.anyOf].map { .anyOf($0) }
    }

    /// Adds the names of the expression's groups to the captures of the request.
    func addCaptures(_ expression: RegularExpression, _ node: Node, _ captures: inout [String]) {
        for name in expression.groupNames {
            if captures.contains(name) {
                sink.report(node, "{\(name)} stands twice in this request")
            } else if !name.isIdentifier {
                sink.report(
                    node, "\(quoted(name)) cannot name a capture",
                    hint: "use a letter, then letters, digits and '_'")
            } else {
                captures.append(name)
            }
        }
    }

    /// An expression; nil after a diagnostic, at the place in the pattern at which it is wrong.
    func expression(_ node: Node) -> RegularExpression? {
        guard let text = sink.text(node, "a regular expression") else { return nil }
        do throws(RegularExpressionFault) {
            return try RegularExpression(text)
        } catch {
            return sink.refuse(
                node.location(ofTextOffset: error.offset), "this is no regular expression: \(error.sentence)",
                hint: "the syntax is that of PCRE2")
        }
    }

    /// The items of `any of`.
    func conditionItems(_ node: Node) -> [Node]? {
        guard let items = sink.list(node, "any of", limit: Self.conditionBound) else { return nil }
        guard !items.isEmpty else { return sink.refuse(node, "any of needs at least one condition") }
        return items
    }

    /// Text in which `*` matches anything; captures nothing.
    func uncapturedText(_ node: Node, _ what: String) -> BytePattern? {
        guard let text = sink.text(node, what) else { return nil }
        var captures: [String] = []
        let pattern = PatternParser(sink: sink).parse(ScalarText(node, text), captures: &captures)
        guard let name = captures.first else { return pattern }
        return sink.refuse(
            node, "{\(name)} captures nothing here: only the target and the fields of a request are captured from",
            hint: "write * for anything, \\{ for the character itself")
    }
}
