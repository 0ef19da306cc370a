import Foundation
import ProctorBase
import ProctorTestSupport

/// A program in the background, such as a server.
final class Job: @unchecked Sendable {
    /// Names of a ready line that stand for places, and so for what varies.
    static let places: Set<String> = ["base", "authority", "pages", "tls", "ca", "place"]

    let line: Int
    private let process: ChildProcess
    /// Whether its last words have been read.
    private(set) var isOver = false

    init(_ process: ChildProcess, line: Int) {
        self.process = process
        self.line = line
    }

    /// Waits for its first line; gives what the ready line of a server names.
    func begin() async throws -> [String: String] {
        let line: [UInt8]
        do {
            line = try await onThread { [self] in try process.readLine() }
        } catch let failure as ChildProcess.Failure where failure.reason == .endedEarly {
            return [:]
        }
        let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        guard let object else {
            let text = String(decoding: line, as: UTF8.self)
            return [
                "first": text, "place": text.matches(of: /http:\/\/[0-9.]+:\d+/).last.map { String($0.output) } ?? "",
            ]
        }
        var names = ["ready": String(decoding: line, as: UTF8.self)]
        for (name, value) in object { names[name] = "\(value)" }
        if let base = names["base"], let place = base.firstRange(of: "://") {
            names["authority"] = String(base[place.upperBound...])
        }
        return names
    }

    /// Sends a signal, if it is one, and waits for the end; gives what it has printed since its first line.
    func end(_ signal: Int32) async throws -> String {
        if signal != 0 { process.send(signal: signal) }
        let status = try await onThread { [self] in try process.waitUntilExit() }
        isOver = true
        return Transcript.render(output: process.output, errors: process.errors, status: status)
    }
}
