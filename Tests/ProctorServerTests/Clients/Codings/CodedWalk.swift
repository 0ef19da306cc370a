import Foundation
import ProctorScenario
import ProctorServer
import ProctorTestSupport

/// Fetches a coded reply from a server of its own.
enum CodedWalk {
    /// Clients together; more would only wait for the processor.
    private static let gate = Gate(width: 2)

    /// The body as it came, fetched by Python's http.client, which undoes nothing.
    static func raw(_ row: CodedRow) async throws -> [UInt8] {
        try await fetch(row) { url, _ in Tools.script("raw_body.py", [url, row.accepted]) }.output
    }

    /// What curl makes of it when it offers all that it knows: its exit status, and the file.
    static func decoded(_ row: CodedRow) async throws -> (status: Int32, file: [UInt8]?) {
        let outcome = try await fetch(row) { url, file in
            [
                Tools.curl, "-q", "-sS", "--noproxy", "*", "-m", "\(ClientTimes.step)", "--compressed", "-o", file,
            ] + (row.accepted.isEmpty ? [] : ["-H", "Accept-Encoding: \(row.accepted)"]) + [url]
        }
        return (outcome.status, outcome.file)
    }

    private static func fetch(
        _ row: CodedRow, _ words: @Sendable (_ url: String, _ file: String) -> [String]
    ) async throws -> (status: Int32, output: [UInt8], file: [UInt8]?) {
        try await gate.admit {
            let folder = try TestFolder()
            defer { folder.remove() }
            let server = try await Server.start(Catalogue([row.scenario]))
            do {
                let run = try await server.run(row.scenario.id)
                let outcome = try await ChildProcess.run(
                    words(run.base + row.path, "\(folder.path)/file"), within: ClientTimes.whole)
                await server.stop(grace: .zero)
                let file = try? Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/file"))
                return (outcome.status, outcome.output, file.map { [UInt8]($0) })
            } catch {
                await server.stop(grace: .zero)
                throw error
            }
        }
    }
}
