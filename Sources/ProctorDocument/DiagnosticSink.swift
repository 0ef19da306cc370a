public import ProctorBase

/// Collects the diagnostics of one file while it is read; used by one thread.
public final class DiagnosticSink {
    /// More are counted but not kept.
    public static let limit = 1000

    /// In the order they were found.
    public private(set) var diagnostics: [Diagnostic] = []
    /// How many were found beyond the limit.
    public private(set) var droppedCount = 0

    /// Empty.
    public init() {}

    /// Keeps one diagnostic, unless there are too many already.
    public func report(_ diagnostic: Diagnostic) {
        if diagnostics.count < Self.limit { diagnostics.append(diagnostic) } else { droppedCount += 1 }
    }

    /// Says what is wrong at a place.
    public func report(_ location: SourceLocation, _ sentence: String, hint: String? = nil) {
        report(Diagnostic(location: location, sentence: sentence, hint: hint))
    }

    /// Says what is wrong with a node.
    public func report(_ node: Node, _ sentence: String, hint: String? = nil) {
        report(Diagnostic(location: node.location, sentence: sentence, hint: hint))
    }

    /// In the order of the file, the same one only once; a last one tells how many more there are.
    public func sorted() -> [Diagnostic] {
        // A stable order for equal places: the order in which they were found.
        var result: [Diagnostic] = []
        for diagnostic in diagnostics.enumerated().sorted(by: { ($0.element, $0.offset) < ($1.element, $1.offset) }) {
            if result.last != diagnostic.element { result.append(diagnostic.element) }
        }
        if droppedCount > 0, let last = result.last {
            result.append(Diagnostic(path: last.location.file, sentence: "\(droppedCount) more errors are not shown"))
        }
        return result
    }
}

/// Typed reading of scalars and lists; each function reports what is wrong and then returns nil.
extension DiagnosticSink {
    /// Text of any look; also what YAML elsewhere takes for a number or for `false`.
    ///
    /// `what` is the noun of the message: `a summary`.
    public func text(_ node: Node, _ what: String) -> String? {
        if let text = node.text { return text }
        report(node, "expected \(what) as text, found \(node.found)")
        return nil
    }

    /// Text that is not empty.
    public func nonEmptyText(_ node: Node, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        if !text.isEmpty { return text }
        report(node, "expected \(what), found empty text")
        return nil
    }

    /// A plain decimal number within bounds.
    public func integer(_ node: Node, _ what: String, in range: ClosedRange<Int>) -> Int? {
        let permitted = "\(range.lowerBound) ... \(range.upperBound)"
        if let text = node.text, node.plainText == nil, Int(text) != nil {
            report(
                node, "expected \(what) as a number \(permitted), found the text \(quoted(text))",
                hint: "take the quotes away")
            return nil
        }
        guard let text = node.plainText, Self.isDecimal(text) else {
            report(node, "expected \(what) as a whole number \(permitted), found \(node.found)")
            return nil
        }
        guard let number = Int(text), range.contains(number) else {
            report(node, "\(what.withoutArticle) is \(text); permitted is \(permitted)")
            return nil
        }
        return number
    }

    /// Plain `true` or `false`.
    public func boolean(_ node: Node, _ what: String) -> Bool? {
        switch node.plainText {
        case "true": return true
        case "false": return false
        default:
            report(node, "expected \(what) as true or false, found \(node.found)")
            return nil
        }
    }

    /// One of the raw values of an enumeration.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: Node, _ what: String, among: Choice.Type = Choice.self
    ) -> Choice? {
        guard let text = text(node, what) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        report(node, "unknown \(what.withoutArticle) \(quoted(text))", hint: Self.hint(for: text, among: names))
        return nil
    }

    /// `did you mean` the nearest name, or all of them.
    public static func hint(for name: String, among names: [String]) -> String {
        NearestName.find(name, in: names).map { "did you mean \(quoted($0))?" }
            ?? "permitted: \(names.joined(separator: ", "))"
    }

    /// A list with at most `limit` items.
    public func list(_ node: Node, _ what: String, limit: Int) -> [Node]? {
        guard let items = node.items else {
            report(node, "expected \(what) as a list, found \(node.found)")
            return nil
        }
        guard items.count <= limit else {
            report(node, "\(what) has \(items.count) items; at most \(limit) are permitted")
            return nil
        }
        return items
    }

    /// One text or a list of texts, each with the node that holds it.
    public func texts(_ node: Node, _ what: String, limit: Int) -> [(text: String, node: Node)] {
        guard node.items != nil else { return text(node, what).map { [($0, node)] } ?? [] }
        return (list(node, what, limit: limit) ?? []).compactMap { item in
            text(item, what).map { ($0, item) }
        }
    }

    private static func isDecimal(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy(\.isASCIIDigit)
    }
}

extension String {
    /// `a role` as `role`.
    fileprivate var withoutArticle: String {
        for article in ["a ", "an ", "the "] where hasPrefix(article) { return String(dropFirst(article.count)) }
        return self
    }
}
