public import ProctorDocument
import ProctorTrace

extension Ledger {
    /// Reads `clients/<client>.yaml`; a file with an error gives no ledger.
    ///
    /// `file` is the name that messages use.
    ///
    ///     client: curl
    ///     version: "7.88"
    ///     deviations:
    ///       redirect/304-with-location#follow:
    ///         rule: RFC 9110 §15.4.5
    ///         because: follows any 3xx with a Location
    ///         wire: request(GET /a) request(GET /b)
    public static func parse(_ bytes: [UInt8], file: String) -> (ledger: Ledger?, diagnostics: [Diagnostic]) {
        let document = Document.parse(bytes, file: file)
        guard let root = document.root else { return (nil, document.diagnostics) }
        let sink = DiagnosticSink()
        for diagnostic in document.diagnostics { sink.report(diagnostic) }
        let ledger = LedgerReader(sink: sink).ledger(root)
        return (sink.diagnostics.isEmpty ? ledger : nil, sink.sorted())
    }
}

/// Turns the nodes of a ledger file into its model, and reports all that is wrong.
private struct LedgerReader {
    let sink: DiagnosticSink

    /// More than the cases of any library of fixtures.
    private static let mostDeviations = 10_000

    func ledger(_ root: Node) -> Ledger? {
        guard let reader = MappingReader(root, "a ledger", keys: ["client", "version", "deviations"], sink: sink) else {
            return nil
        }
        let client = reader.required("client").flatMap { sink.nonEmptyText($0, "the client's name") }
        let version = reader["version"].flatMap { sink.nonEmptyText($0, "a version") }
        let deviations = reader["deviations"].map { self.deviations($0) } ?? []
        return client.map { Ledger(client: $0, version: version, deviations: deviations) }
    }

    private func deviations(_ node: Node) -> [Ledger.Deviation] {
        if node.isNull { return [] }
        guard let entries = node.entries else {
            sink.report(node, "expected deviations as a mapping from case to reason, found \(node.found)")
            return []
        }
        guard entries.count <= Self.mostDeviations else {
            sink.report(node, "there are \(entries.count) deviations; at most \(Self.mostDeviations) are permitted")
            return []
        }
        return entries.compactMap { deviation($0) }
    }

    private func deviation(_ entry: Node.Entry) -> Ledger.Deviation? {
        guard let reader = MappingReader(entry.value, "a deviation", keys: ["rule", "because", "wire"], sink: sink)
        else {
            return nil
        }
        let because = reader.required("because").flatMap { sink.nonEmptyText($0, "a reason") }
        let rule = reader["rule"].flatMap { sink.nonEmptyText($0, "a rule") }
        let wire = reader["wire"].flatMap { notation($0) }
        do throws(LedgerPatternError) {
            return try Ledger.Deviation(
                pattern: entry.key, rule: rule, because: because ?? "", wire: wire, location: entry.keyNode.location)
        } catch {
            sink.report(entry.keyNode, error.sentence)
            return nil
        }
    }

    private func notation(_ node: Node) -> Notation? {
        guard let text = sink.text(node, "an expression") else { return nil }
        do throws(NotationError) {
            return try Notation(parsing: text, lane: .wire)
        } catch {
            sink.report(node.location(ofTextOffset: error.offset), error.sentence)
            return nil
        }
    }
}
