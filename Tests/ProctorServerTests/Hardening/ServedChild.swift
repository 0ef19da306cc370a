import Foundation
import ProctorTestSupport
import Testing

/// The built `proctor`, serving one scenario, so that its descriptors and memory can be seen from outside.
///
/// Not an exit test: that blocks a thread of the pool for as long as its child lives. For one thread.
struct ServedChild {
    let base: String
    let process: pid_t

    /// The parts of the ready line that matter here.
    private struct ReadyLine: Decodable {
        let base: String
        let pid: pid_t
    }

    /// Serves `yaml` as the scenario `one` for the time of `body`, which runs on a thread; the child must end well.
    static func serve<Result: Sendable>(
        _ yaml: String, _ body: @escaping @Sendable (ServedChild) throws -> Result
    ) async throws -> Result {
        try await onThread {
            let folder = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data(yaml.utf8).write(to: URL(fileURLWithPath: "\(folder)/one.yaml"))
            let process = try ChildProcess([BuiltProduct.proctor, "serve", folder, "--port", "0"])
            let line = try process.readLine()
            let ready = try JSONDecoder().decode(ReadyLine.self, from: Data(line))
            let result = try body(ServedChild(base: ready.base, process: ready.pid))
            process.send(signal: SIGTERM)
            let status = try process.waitUntilExit()
            guard status == 0 else { throw WireFailure("the child ended with status \(status): \(process.err)", 0) }
            return result
        }
    }
}
