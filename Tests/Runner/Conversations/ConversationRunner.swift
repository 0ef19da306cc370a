import Foundation
import ProctorBase
import ProctorDocument
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire

/// Plays a scenario, talks to it over sockets, and compares what comes and what the journal says.
///
/// Blocks are acts, done in their order; `Docs/inside/test-data.md` says what each may hold.
struct ConversationRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        if row.block("variants") != nil { return try await runVariants(row, &check) }
        let setting = try Setting(row)
        let server = try await Server.start(Catalogue([setting.scenario]), configuration: setting.configuration)
        do {
            let run = try await server.run(setting.scenario.id, seed: setting.seed)
            var conversation = Conversation(server: server, run: run, row: row)
            conversation.name(&check)
            for block in row.blocks where !Setting.names.contains(block.name) {
                try await conversation.act(block, &check)
            }
            await conversation.end()
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
    }
}

extension ConversationRunner {
    /// Rows whose scenarios differ in one value have no other acts.
    private func runVariants(_ row: Row, _ check: inout Check) async throws {
        let folder = try Setting.folder(row)
        for block in row.blocks where !Setting.names.contains(block.name) {
            guard block.name == "variants" else {
                throw RowError(block.line, "beside \"variants\" stand only scenario, limits, file and slow")
            }
            try await Variants(row: row).run(
                block, configuration: try Setting.configuration(row), folder: folder?.path, &check)
        }
    }
}

/// What stands in a row before the talk begins.
private struct Setting {
    static let names: Set<String> = ["scenario", "reply", "limits", "file", "slow"]

    let scenario: Scenario
    let configuration: ServerConfiguration
    let seed: UInt64?
    /// Kept until the row ends.
    private let folder: TestFolder?

    init(_ row: Row) throws {
        let folder = try Self.folder(row)
        self.folder = folder
        var seed: UInt64?
        if let block = row.block("scenario") {
            seed = try block.number(of: "seed").map { UInt64($0) }
            scenario = try Self.scenario(block.text, of: block, folder: folder)
        } else if let block = row.block("reply") {
            let yaml = """
                summary: answers everything alike
                exchanges:
                  - request: "* /*"
                    reply:
                \(block.lines.map { "      " + $0 }.joined(separator: "\n"))
                """
            scenario = try Self.scenario(yaml, of: block, folder: folder)
        } else {
            throw RowError(row.line, "a conversation needs a block \"scenario\" or \"reply\"")
        }
        self.seed = seed
        configuration = try Self.configuration(row)
    }

    /// A folder with the files of a row; nil without any.
    static func folder(_ row: Row) throws -> TestFolder? {
        var folder: TestFolder?
        for file in row.blocks("file") {
            guard let name = file.words.first else { throw RowError(file.line, "a file needs a name: file NAME") }
            folder = try folder ?? TestFolder()
            try folder?.write(file.text, to: name)
        }
        return folder
    }

    private static func scenario(_ yaml: String, of block: Block, folder: TestFolder?) throws -> Scenario {
        if block.name == "scenario", let id = block.value(of: "id"), yaml.isEmpty {
            return try Fixture.shipped(id, block)
        }
        let id = block.value(of: "id") ?? "test/one"
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(yaml.utf8), id: id, file: "\(id).yaml", folder: folder?.path)
        guard let scenario else {
            throw RowError(block.line, diagnostics.map(\.description).joined(separator: "\n"))
        }
        return scenario
    }

    /// The configuration of a server that is more patient than by itself; `limits` has the last word.
    static func configuration(_ row: Row) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.limits.headDuration = .seconds(300)
        configuration.limits.idleDuration = .seconds(300)
        configuration.limits.progressDuration = .seconds(300)
        configuration.limits.stallDuration = .seconds(300)
        for block in row.blocks("limits") {
            for (index, line) in block.lines.enumerated() {
                try LimitWords.apply(line, at: block.line + index + 1, to: &configuration)
            }
        }
        return configuration
    }
}

enum Fixture {
    /// A scenario of the library, by its id.
    static func shipped(_ id: String, _ block: Block) throws -> Scenario {
        let file = "\(Project.path)/fixtures/\(id).yaml"
        guard let data = FileManager.default.contents(atPath: file) else {
            throw RowError(block.line, "there is no fixture \(id)")
        }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(data), id: id, file: file, folder: folder)
        guard let scenario else { throw RowError(block.line, "\(diagnostics)") }
        return scenario
    }
}
