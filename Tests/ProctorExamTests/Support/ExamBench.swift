import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorServer
import ProctorTrace
import Testing

/// The library of fixtures on a server of this process, and what is needed to set its cases to somebody.
struct ExamBench {
    let server: Server
    let scenarios: [Scenario]

    /// The server stops when `body` is done.
    static func with<Value>(_ body: (ExamBench) async throws -> Value) async throws -> Value {
        let loaded = ScenarioLoader.load(paths: ["\(Checkout.path)/fixtures"])
        try #require(loaded.isClean, "\(loaded.diagnostics)")
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

    /// Of the library.
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
    /// From the text of its file.
    static func of(_ text: String) throws -> Ledger {
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "ledger.yaml")
        return try #require(ledger, "\(diagnostics)")
    }
}
