import Foundation
import ProctorGrading

/// The ledgers of the clients that the tests drive themselves, in `Tests/Clients/`, read once.
enum LedgerFile {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The ledger of a client; throws everything that is wrong with its file.
    static func ledger(of client: String) throws -> Ledger {
        guard let result = results[client] else { throw Failure(description: "there is no ledger for \(client)") }
        return try result.get()
    }

    private static let results: [String: Result<Ledger, any Error>] = Dictionary(
        uniqueKeysWithValues: [Exam.curl, .urllib, .httpClient].map { exam in
            (exam.adapter.name, Result { try read(exam.adapter.name) })
        })

    private static func read(_ client: String) throws -> Ledger {
        let file = "Tests/Clients/\(client).yaml"
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Tools.project)/\(file)")))
        let (ledger, diagnostics) = Ledger.parse(bytes, file: file)
        guard let ledger else { throw Failure(description: diagnostics.map { "\($0)" }.joined(separator: "\n")) }
        return ledger
    }
}
