import Foundation
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorModules
import ProctorReplies
import ProctorRules
import ProctorScenario
import ProctorServer
import Testing

/// The library of fixtures on a server of this process, and what is needed to examine a client with its cases.
struct ExamBench {
    let server: Server
    let scenarios: [Scenario]

    /// Loaded once for all tests of the process.
    static let library = {
        ServerModules.register()
        return ScenarioLoader.load(paths: ["\(Checkout.path)/fixtures"])
    }()

    /// The server stops when `body` is done.
    static func with<Value>(_ body: (ExamBench) async throws -> Value) async throws -> Value {
        let loaded = library
        // Apart, since a failed expectation prints every value in it.
        let isClean = loaded.isClean
        try #require(isClean, "\(loaded.diagnostics)")
        let server = try await Server.start(Catalogue(loaded.scenarios))
        do {
            let value = try await body(ExamBench(server: server, scenarios: loaded.scenarios))
            await server.stop(grace: .zero)
            return value
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }

    /// An adapter that is a shell script; it finds its assignment on standard input, and need not read it.
    func examiner(
        script: String, platform: Platform = .neutral, ledger: Ledger? = nil
    ) -> Examiner {
        let adapter = Adapter(command: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
        return Examiner(server: server, adapter: adapter, platform: platform, ledger: ledger)
    }

    func find(_ scenario: String, _ name: String) throws -> (scenario: Scenario, item: Case) {
        let found = try #require(scenarios.first { $0.id == scenario }, "no scenario \(scenario)")
        return (found, try #require(found.cases.first { $0.name == name }, "no case \(scenario)#\(name)"))
    }

    func sit(_ scenario: String, _ name: String, with examiner: Examiner) async throws -> Sitting {
        let (scenario, item) = try find(scenario, name)
        return await examiner.sit(item, of: scenario)
    }
}

extension Ledger {
    static func of(_ text: String) throws -> Ledger {
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "ledger.yaml")
        return try #require(ledger, "\(diagnostics)")
    }
}

enum Checkout {
    /// The folder that holds `clients` and `fixtures`.
    static let path: String = {
        // .../Tests/ProctorExamTests/Support/Checkout.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/")
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
}
