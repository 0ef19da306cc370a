import Foundation
import ProctorBook
import ProctorDocument
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorProving
import ProctorScenario
import ProctorServer
import ProctorTestSupport

/// What stands in a row before the talk begins.
struct ConversationSetting {
    static let names: Set<String> = ["scenario", "reply", "server", "limits", "file", "made", "slow"]

    /// Of several with the same id the last one counts, so that a row may replace one of its page.
    let scenarios: [Scenario]
    let catalogue: Catalogue
    let configuration: ServerConfiguration
    private let seed: UInt64?
    /// The scenario that the row's run is of; nil: the row has no run but those that it makes by calls.
    private let playedID: String?
    private let wantedProtocol: RunProtocol
    private let bounds: RunBounds?
    private let recutting: Recutting?
    /// Kept until the row ends.
    let folder: TestFolder?

    init(_ row: Row) async throws {
        let folder = try await Self.folder(row)
        self.folder = folder
        var scenarios: [Scenario] = []
        for block in row.blocks where block.name == "scenario" || block.name == "reply" {
            let scenario = try Self.scenario(block, folder: folder)
            if let index = scenarios.firstIndex(where: { $0.id == scenario.id }) {
                scenarios[index] = scenario
            } else {
                scenarios.append(scenario)
            }
        }
        let isLate = row.blocks("server").contains { $0.lines.contains("late") }
        guard let firstID = scenarios.first?.id ?? (isLate ? "" : nil) else {
            throw RowError(row.line, "a conversation needs a block \"scenario\" or \"reply\"")
        }
        self.scenarios = scenarios
        seed = try row.block("scenario")?.number(of: "seed").map { UInt64($0) }
        var configuration = try Self.configuration(row)
        var words = ServerWords(playedID: firstID)
        if row.block("server") != nil { words.playedID = nil }
        for block in row.blocks("server") {
            for (index, line) in block.lines.enumerated() {
                try words.apply(line, at: block.line + index + 1, to: &configuration, firstID: firstID)
            }
        }
        ServedBook(folder: words.hasBook ? folder?.path : "\(Project.path)/Docs").register(in: &configuration)
        configuration.calls += ImportCalls.ofServer()
        if words.readsLate, let folder {
            catalogue = Catalogue(
                ScenarioReading(of: ScenarioLoader.find(paths: [folder.path]), check: { _ in [] }, report: { _ in }))
        } else {
            catalogue = Catalogue(scenarios)
        }
        bounds = words.bounds
        playedID = words.playedID
        wantedProtocol = words.wantedProtocol
        recutting = words.recutting
        self.configuration = configuration
    }

    func run(on server: Server) async throws -> Run? {
        guard let playedID else { return nil }
        return try await server.run(
            playedID, speaking: wantedProtocol, recutting: recutting, bounds: bounds, seed: seed)
    }

    /// A folder with the files of a row, and those that its blocks `made` make there; nil without any.
    static func folder(_ row: Row) async throws -> TestFolder? {
        var folder: TestFolder?
        for file in row.blocks("file") {
            guard let name = file.words.first else { throw RowError(file.line, "a file needs a name: file NAME") }
            folder = try folder ?? TestFolder()
            try folder?.write(file.decodedBytes() ?? Array(file.text.utf8), to: name)
        }
        for block in row.blocks("made") {
            let place = try folder ?? TestFolder()
            folder = place
            let made = try await ChildProcess.run(["/bin/sh", "-ec", block.text], in: place.path)
            guard made.status == 0 else {
                throw RowError(block.line, "the commands of \"made\" ended with \(made.status): \(made.err)")
            }
        }
        return folder
    }

    static func scenario(_ block: Block, folder: TestFolder?) throws -> Scenario {
        let id = block.value(of: "id") ?? "test/one"
        if block.name != "reply", block.has("id"), block.text.isEmpty { return try shipped(id, block) }
        let text =
            block.name != "reply"
            ? block.text
            : """
            summary: answers everything alike
            exchanges:
              - request: "* /*"
                reply:
            \(block.lines.map { "      " + $0 }.joined(separator: "\n"))
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(text.utf8), id: id, file: "\(id).yaml", folder: folder?.path)
        guard let scenario else {
            throw RowError(block.line, diagnostics.map(\.description).joined(separator: "\n"))
        }
        return scenario
    }

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
