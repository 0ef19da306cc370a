import Foundation
import ProctorDocument
import ProctorFixtures
import ProctorGrading
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire

/// A block `variants`: many scenarios that differ in one value, each with a run and one connection.
///
/// In each line stands `value for request => reply`; without a request `GET /` is asked. The value stands for `$(value)` in the
/// scenario of the row, or is the reply of one that answers everything; with the word `fixtures` it is the id of one of the library.
struct Variants {
    let row: Row

    func run(_ block: Block, configuration: ServerConfiguration, folder: String?, _ check: inout Check) async throws {
        let form = try ExchangeForm(block)
        var scenarios: [Scenario] = []
        for (index, value) in Self.values(of: block).enumerated() {
            scenarios.append(try scenario(value, index, block, folder))
        }
        var seen: Set<String> = []
        let catalogue = Catalogue(scenarios.filter { seen.insert($0.id).inserted })
        let server = try await Server.start(catalogue, configuration: configuration)
        do {
            var place = 0
            for (index, line) in block.lines.enumerated() where !line.isEmpty {
                let (given, wanted) = line.cut(at: " => ")
                guard wanted != nil || check.isRecording else {
                    throw RowError(block.line + index + 1, "expected value => reply")
                }
                let request = given.cut(at: " for ", last: true).1 ?? "GET /"
                let bytes = try ShortRequest.bytes(request, line: block.line + index + 1)
                let run = try await server.run(scenarios[place].id)
                place += 1
                let place = block.value(of: "to") ?? run.origins[0].name
                guard let base = place == "server" ? server.base : run.origin(place) else {
                    throw RowError(block.line, "there is no such origin")
                }
                var got = try await form.result(
                    of: bytes, at: base, in: run, names: Conversation.names(of: run, server))
                if block.has("verdict"), let item = run.scenario.cases.first {
                    await run.stop(grace: Patience.whole)
                    got += "; " + "\(run.wireVerdict(of: item))".replacing("\n", with: "; ")
                }
                if let events = block.value(of: "entries") {
                    // The reply may come before its end is written down.
                    _ = try await run.journal.lines(untilClosed: 1)
                    got += Conversation.unfill(
                        Conversation.entries(of: run, events.split(separator: ",").map(String.init)).map { "; " + $0 }
                            .joined(), Conversation.names(of: run, server))
                }
                check.expect(block, line: index, given: given, wanted: wanted ?? Conversation.unknown, got: got)
            }
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await server.stop(grace: .zero)
    }

    private static func values(of block: Block) -> [String] {
        block.lines.filter { !$0.isEmpty }.map { $0.cut(at: " => ").0.cut(at: " for ", last: true).0 }
    }

    private func scenario(_ value: String, _ index: Int, _ block: Block, _ folder: String?) throws -> Scenario {
        if block.has("fixtures") { return try ConversationSetting.shipped(value, block) }
        let template = row.block("scenario")
        let text =
            template?.text
            ?? "summary: answers everything alike\nexchanges:\n  - request: \"* /*\"\n    reply: $(value)\n"
        let id = "test/one\(index == 0 ? "" : "\(index)")"
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(text.replacing("$(value)", with: value).utf8), id: id, file: "\(id).yaml", folder: folder)
        guard let scenario else {
            throw RowError(block.line, "\(value): " + diagnostics.map(\.description).joined(separator: "\n"))
        }
        return scenario
    }
}
