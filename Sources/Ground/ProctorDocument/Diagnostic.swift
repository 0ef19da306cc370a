public import ProctorBase

/// One thing that is wrong with a file, for the person who wrote it.
public struct Diagnostic: Sendable, Equatable, Error, CustomStringConvertible {
    /// Line 0 means the file as a whole.
    public let location: SourceLocation
    /// The error and the expected form; lower case, without a full stop.
    public let sentence: String
    /// What to do about it; nil when unknown.
    public let hint: String?
    /// Whether the file can still be used.
    public let level: Level
    /// Whether the machine failed, and not the file: it had no descriptor, memory or room left, so that reading the file
    /// again may succeed.
    package let isTransient: Bool

    /// How severe a diagnostic is.
    public enum Level: String, Sendable {
        /// The file can't be used.
        case error
        /// The file can be used, but its effect is rarely meant.
        case warning
    }

    /// Escapes control characters of text quoted from the file, so that it cannot control a terminal.
    package init(
        location: SourceLocation, sentence: String, hint: String? = nil, level: Level = .error,
        isTransient: Bool = false
    ) {
        (self.level, self.isTransient, self.location) = (level, isTransient, location)
        self.sentence = sentence.escapingControls
        self.hint = hint?.escapingControls
    }

    package init(path: String, sentence: String, hint: String? = nil) {
        self.init(location: SourceLocation(file: path, line: 0, column: 0), sentence: sentence, hint: hint)
    }

    /// A file or folder that a call of the system did not give.
    package init(unreadable path: String, _ failure: CallFailure) {
        self.init(
            location: SourceLocation(file: path, line: 0, column: 0), sentence: "cannot be read: \(failure.text)",
            isTransient: failure.isTransient)
    }

    /// The form of compilers: `file:line:column: error: sentence; hint`, or `warning` for `error`.
    public var description: String {
        let place = location.line == 0 ? location.file : location.description
        return "\(place): \(level.rawValue): \(sentence)\(hint.map { "; \($0)" } ?? "")"
    }
}

extension String {
    /// Writes C0, DEL and C1 as `\xHH`.
    fileprivate var escapingControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { $0.isControl ? $0.escape : String($0) }.joined()
    }
}

extension Unicode.Scalar {
    /// A control character for a terminal.
    var isControl: Bool { value < 0x20 || 0x7F..<0xA0 ~= value }

    /// `\xHH`.
    var escape: String { "\\x" + String(value + 0x100, radix: 16).dropFirst() }
}

extension Diagnostic: Comparable {
    /// Orders by file, then by place.
    public static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.location.file != right.location.file { return left.location.file < right.location.file }
        return (left.location.line, left.location.column) < (right.location.line, right.location.column)
    }
}

/// Collects the diagnostics of one file while it is read; used by one thread.
///
/// After ``limit`` diagnostics reading stops: readers of mappings and lists return nil, and no more messages are made.
package final class DiagnosticSink {
    /// The most diagnostics of one file.
    package static let limit = 100

    /// In the order they were found.
    package private(set) var diagnostics: [Diagnostic] = []
    /// Whether there was a diagnostic beyond the limit, so that the rest of the file is not read.
    package private(set) var isFull = false

    package init() {}

    /// Reports the diagnostic, unless `limit` is reached.
    package func add(_ diagnostic: @autoclosure () -> Diagnostic) {
        if diagnostics.count < Self.limit { diagnostics.append(diagnostic()) } else { isFull = true }
    }

    /// Reports a diagnostic at a place.
    package func report(
        _ location: @autoclosure () -> SourceLocation, _ sentence: @autoclosure () -> String,
        hint: @autoclosure () -> String? = nil
    ) {
        add(Diagnostic(location: location(), sentence: sentence(), hint: hint()))
    }

    package func report(
        _ node: Node, _ sentence: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        report(node.location, sentence(), hint: hint())
    }

    /// Reports a diagnostic and returns nil, for `return` in a function that could not read the node.
    package func refuse<Value>(
        _ node: Node, _ sentence: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) -> Value? {
        refuse(node.location, sentence(), hint: hint())
    }

    /// Reports a diagnostic at a place and returns nil.
    package func refuse<Value>(
        _ location: @autoclosure () -> SourceLocation, _ sentence: @autoclosure () -> String,
        hint: @autoclosure () -> String? = nil
    ) -> Value? {
        report(location(), sentence(), hint: hint())
        return nil
    }

    /// Reports that a file which the node names can't be used, for the reason of `error`, and returns nil.
    ///
    /// `path` is named before the reason; nil where the node's own place is enough.
    package func refuseFile<Value>(_ node: Node, for error: Diagnostic, of path: String? = nil) -> Value? {
        add(
            Diagnostic(
                location: node.location, sentence: path.map { "\(quoted($0)): \(error.sentence)" } ?? error.sentence,
                hint: error.hint, isTransient: error.isTransient))
        return nil
    }

    /// The diagnostics in the order of the file, without duplicates; a last one says that reading has stopped.
    package func sorted() -> [Diagnostic] {
        // Diagnostics at the same place keep the order in which they were found.
        var result: [Diagnostic] = []
        for diagnostic in diagnostics.enumerated().sorted(by: { ($0.element, $0.offset) < ($1.element, $1.offset) }) {
            if result.last != diagnostic.element { result.append(diagnostic.element) }
        }
        if isFull, let last = result.last {
            result.append(
                Diagnostic(
                    path: last.location.file,
                    sentence: "reading stops after \(Self.limit) mistakes, so the rest of the file was not looked at",
                    hint: "mend these first"))
        }
        return result
    }
}

/// Typed reading of scalars and lists; each function reports what is wrong and then returns nil.
extension DiagnosticSink {
    /// Reads any scalar, also one that YAML would read as a number or `false`.
    ///
    /// `what` is the noun in messages, such as `a summary`.
    package func text(_ node: Node, _ what: String) -> String? {
        if let text = node.text { return text }
        return refuse(node, "expected \(what) as text, found \(node.found)")
    }

    package func nonEmptyText(_ node: Node, _ what: String) -> String? {
        guard let text = text(node, what) else { return nil }
        if !text.isEmpty { return text }
        return refuse(node, "expected \(what), found empty text")
    }

    /// Reads a plain decimal number within bounds.
    package func integer(_ node: Node, _ what: String, in range: ClosedRange<Int>) -> Int? {
        let permitted = "\(range.lowerBound) ... \(range.upperBound)"
        if let text = node.text, node.plainText == nil, Int(text) != nil {
            return refuse(
                node, "expected \(what) as a number \(permitted), found the text \(quoted(text))",
                hint: "take the quotes away")
        }
        guard let text = node.plainText, Self.isDecimal(text) else {
            return refuse(node, "expected \(what) as a whole number \(permitted), found \(node.found)")
        }
        guard let number = Int(text), range.contains(number) else {
            return refuse(node, "\(what.withoutArticle) is \(text); permitted is \(permitted)")
        }
        return number
    }

    package func boolean(_ node: Node, _ what: String) -> Bool? {
        switch node.plainText {
        case "true": return true
        case "false": return false
        default:
            return refuse(node, "expected \(what) as true or false, found \(node.found)")
        }
    }

    /// Reads one of the raw values of an enumeration.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ node: Node, _ what: String, among: Choice.Type = Choice.self
    ) -> Choice? {
        guard let text = text(node, what) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        return refuse(node, "unknown \(what.withoutArticle) \(quoted(text))", hint: Self.hint(for: text, among: names))
    }

    /// Reads one of the words.
    ///
    /// `mappings` are words that are known too, but as keys of a mapping, each with the hint that says so.
    package func word<Value>(
        _ node: Node, _ what: String, among words: [(word: String, value: Value)],
        mappings: [(word: String, hint: String)] = []
    ) -> Value? {
        guard let text = text(node, what) else { return nil }
        if let known = words.first(where: { $0.word == text }) { return known.value }
        return refuse(
            node, "unknown \(what.withoutArticle) \(quoted(text))",
            hint: mappings.first { $0.word == text }?.hint
                ?? Self.hint(for: text, among: words.map(\.word) + mappings.map(\.word)))
    }

    /// `did you mean` and the nearest name, or all names.
    package static func hint(for name: String, among names: [String]) -> String {
        NearestName.find(name, in: names).map { "did you mean \(quoted($0))?" }
            ?? "permitted: \(names.joined(separator: ", "))"
    }

    /// Reads a list of at most `limit` items.
    package func list(_ node: Node, _ what: String, limit: Int) -> [Node]? {
        guard !isFull else { return nil }
        guard let items = node.items else { return refuse(node, "expected \(what) as a list, found \(node.found)") }
        guard items.count <= limit else {
            return refuse(node, "\(what) has \(items.count) items; at most \(limit) are permitted")
        }
        return items
    }

    /// Reads a list of one to `limit` items; `what` is their noun in the plural.
    package func filledList(_ node: Node, _ what: String, limit: Int) -> [Node]? {
        guard let items = list(node, what, limit: limit) else { return nil }
        return items.isEmpty ? refuse(node, "a list of \(what) needs at least one") : items
    }

    /// Reads one text or a list of texts, each with the node that holds it.
    package func texts(_ node: Node, _ what: String, limit: Int) -> [(text: String, node: Node)] {
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
    /// Removes the article: `a role` becomes `role`.
    fileprivate var withoutArticle: String {
        for article in ["a ", "an ", "the "] where hasPrefix(article) { return String(dropFirst(article.count)) }
        return self
    }
}

extension Sequence {
    /// What is read of each element; nil where one can't be read.
    ///
    /// All are read, so that each mistake is reported.
    package func mapAll<Value>(_ read: (Element) throws -> Value?) rethrows -> [Value]? {
        let values = try map(read)
        return values.contains { $0 == nil } ? nil : values.compactMap(\.self)
    }
}
