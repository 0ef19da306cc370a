internal import ProctorDocument
public import ProctorGrading

extension Ledger {
    /// A ledger that a test writes down itself, as YAML; throws with every mistake at its place.
    public static func reading(_ text: String, filePath: String = #filePath) throws(ExamFailure) -> Ledger {
        let (ledger, diagnostics) = parse(Array(text.utf8), file: "ledger in \(filePath)")
        if let ledger, diagnostics.isEmpty { return ledger }
        throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n"))
    }
}
