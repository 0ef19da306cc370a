import Foundation
import ProctorTestSupport
import ProctorTrace

/// Runs an adapter as the exam does: in a process of its own, with a bound.
struct Adapter {
    let command: [String]

    /// The one of this package.
    static let urlSession = Adapter(command: [
        URL(fileURLWithPath: BuiltProduct.proctor).deletingLastPathComponent()
            .appendingPathComponent("proctor-client-urlsession").path
    ])

    /// The script of this repository.
    static let curl = Adapter(command: [
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../clients/adapters/curl").standardized.path
    ])

    /// A script of this repository, under the system's own Python, which has the packages that the tests install.
    static func python(_ name: String, _ options: [String] = []) -> Adapter {
        let folder = URL(fileURLWithPath: curl.command[0]).deletingLastPathComponent()
        let system = "/usr/bin/python3"
        let python =
            FileManager.default.isExecutableFile(atPath: system) ? [system] : ["/usr/bin/env", "python3"]
        return Adapter(command: python + ["-E", "-s", "-B", folder.appendingPathComponent(name).path] + options)
    }

    /// A script of the tests that is no client.
    static func nobody(_ name: String) -> Adapter {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Clients/null_\(name).py").standardized
        return Adapter(command: ["/usr/bin/env", "python3", file.path])
    }

    func run(
        _ steps: [Assignment.Step], session: SessionSetup = SessionSetup(), deadline: Int = 20_000,
        environment: [String: String] = [:]
    ) async throws -> Report {
        let assignment = Assignment(
            scenario: "tests/any", caseName: "it", base: "http://127.0.0.1", deadline: deadline, session: session,
            steps: steps)
        let input = [UInt8](try JSONEncoder().encode(assignment))
        return try Report(await run(input: input, environment: environment))
    }

    func run(
        input: [UInt8], arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        // A crash is expected of some; its backtrace would take a second each.
        let quiet = ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 }
        return try await ChildProcess.run(command + arguments, environment: quiet, input: input)
    }
}

/// A step with some of its parts set.
func step(
    _ url: String, _ method: String = "GET", _ change: (inout Assignment.Step) -> Void = { _ in }
) -> Assignment.Step {
    var step = Assignment.Step(method: method, url: url)
    change(&step)
    return step
}
