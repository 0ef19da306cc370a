import Foundation
import ProctorProgram
import ProctorTestSupport

/// Runs an adapter as the exam does: in a process of its own, with a bound.
struct Adapter {
    let command: [String]

    static let urlSession = Adapter(command: [
        URL(fileURLWithPath: BuiltProduct.proctor).deletingLastPathComponent()
            .appendingPathComponent("proctor-client-urlsession").path
    ])

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
        _ steps: [Assignment.Step], session: SessionSetup = SessionSetup(), needs: [String]? = nil,
        deadline: Int = 20_000, environment: [String: String] = [:]
    ) async throws -> Report {
        let assignment = Assignment(
            scenario: "tests/any", caseName: "it", base: "http://127.0.0.1", deadline: deadline, session: session,
            steps: steps, needs: needs)
        let input = assignment.json
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

/// The output of an adapter, read by this code only.
struct Report {
    struct Header: Decodable {
        let trace: String
        let version: Int
        let client: String
        let lanes: [String]
        let abilities: [String]?
        let `case`: String?
    }

    struct Line: Decodable {
        let seq: Int
        let ns: UInt64
        let lane: String
        let task: Int?
        let ev: String
        let arg: String?
        let phase: String?
        let queue: String?
        let thread: String?
        let family: String?
        let facts: [String: Fact]?

        /// As an expression writes it.
        var symbol: String { arg.map { "\(ev)(\($0))" } ?? ev }

        func text(_ key: String) -> String? {
            if case .text(let text)? = facts?[key] { return text }
            return nil
        }

        func number(_ key: String) -> Int? {
            if case .number(let number)? = facts?[key] { return number }
            return nil
        }
    }

    enum Fact: Decodable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    let status: Int32
    let header: Header?
    let lines: [Line]
    let errors: String

    init(_ outcome: ChildProcess.Outcome) throws {
        status = outcome.status
        errors = outcome.err
        let rows = outcome.out.split(separator: "\n").map { Data($0.utf8) }
        header = try rows.first.map { try JSONDecoder().decode(Header.self, from: $0) }
        lines = try rows.dropFirst().map { try JSONDecoder().decode(Line.self, from: $0) }
    }

    /// Beginnings of callbacks and acts in a lane, in order; a run of the same event is written once.
    func lane(_ name: String, task: Int? = nil) -> String {
        var symbols: [String] = []
        for line in lines where line.lane == name && line.phase != "exit" {
            if let task, line.task ?? 0 != task { continue }
            if symbols.last != line.symbol { symbols.append(line.symbol) }
        }
        return symbols.joined(separator: " ")
    }

    func first(_ symbol: String, lane: String) -> Line? {
        lines.first { $0.lane == lane && $0.symbol == symbol && $0.phase != "exit" }
    }

    func result(of step: Int = 0) -> Line? {
        lines.first { $0.ev == "result" && $0.task ?? 0 == step }
    }
}
