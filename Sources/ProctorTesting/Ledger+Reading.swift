internal import Foundation
internal import ProctorDocument
public import ProctorGrading

extension Ledger {
    /// A ledger that a test writes down itself, as YAML; throws with every mistake at its place.
    public static func reading(_ text: String, filePath: String = #filePath) throws(ExamFailure) -> Ledger {
        let (ledger, diagnostics) = parse(Array(text.utf8), file: "ledger in \(filePath)")
        if let ledger, diagnostics.isEmpty { return ledger }
        throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n"))
    }

    /// A ledger that proctor comes with, by its client's name: `urlsession-corelibs` is URLSession on Linux.
    public static func shipped(_ client: String) throws(ExamFailure) -> Ledger {
        guard let fixtures = FixtureFolders.shipped else { throw ExamFailure("proctor's own checkout is gone") }
        let path = "\(fixtures)/../clients/\(client).yaml"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ExamFailure("there is no ledger '\(client)': \(path) can't be read")
        }
        let (ledger, diagnostics) = parse(Array(data), file: path)
        if let ledger, diagnostics.isEmpty { return ledger }
        throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n"))
    }
}
