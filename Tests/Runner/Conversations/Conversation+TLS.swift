import ProctorProgram
import ProctorScenario
import ProctorServer
import ProctorTestSupport

extension Conversation {
    /// `ORIGIN WORDS => WHAT IS SEEN` in each line, by `Tests/Clients/tls_watch.py`, which asks for `/` and tells of the wire below TLS.
    func tls(_ block: Block, _ check: inout Check) async throws {
        let lines = block.lines.enumerated().filter { !$0.element.isEmpty }
        var input = ""
        for (index, line) in lines {
            let words = line.cut(at: " => ").0.split(separator: " ").map(String.init)
            let place = try place(words.first, at: block.line + index + 1).dropFirst("http://".count)
            input += "\(place.replacing(":", with: " ")) \(try words.dropFirst().map(told).joined(separator: " "))\n"
        }
        let outcome = try await ChildProcess.run(
            Self.python("tls_watch") + [try await server.trust()] + block.words, input: Array(input.utf8))
        let told = outcome.out.split(separator: "\n").map(String.init)
        guard told.count == lines.count else { throw RowError(block.line, "\(outcome.out)\n\(outcome.err)") }
        for ((index, line), got) in zip(lines, told) {
            let (given, wanted) = line.cut(at: " => ")
            check.expect(
                block, line: index, given: given, wanted: wanted ?? Self.unknown, got: Self.unfill(got, check.names))
        }
    }

    /// The files of the first case's identity stand behind that word.
    private func told(_ word: String) throws -> String {
        guard word == "identity", let item = run.scenario.cases.first,
            let own = try run.assignment(for: item).session.identity
        else { return word }
        return "\(word) \(own.certificate) \(own.key)"
    }
}
