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
