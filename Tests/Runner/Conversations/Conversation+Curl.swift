import Foundation
import ProctorServer
import ProctorTestSupport

extension Conversation {
    /// `ARGUMENTS => OUTPUT` in each line, with the run's authority trusted; blanks within an argument stand in single quotes.
    mutating func curl(_ block: Block, _ check: inout Check) async throws {
        let trust = try await server.tlsAddress == nil && givenRun?.trust == nil ? nil : server.trust()
        for (index, line) in block.lines.enumerated() where !line.isEmpty {
            let (given, wanted) = line.cut(at: " => ")
            let words = Self.words(check.fill(given))
            let usual = ["/usr/bin/env", "curl", "-q", "-sS", "--max-time", "60"]
            let outcome = try await ChildProcess.run(usual + (trust.map { ["--cacert", $0] } ?? []) + words)
            var out = outcome.output.count > 2_000 ? "\(outcome.output.count) bytes" : ByteText.inLine(outcome.output)
            if outcome.status != 0 { out += (out.isEmpty ? "" : " ") + "exit \(outcome.status)" }
            let shown = Self.unfill(out, check.names)
            let isRight = LinePattern(check.fill(wanted ?? "")).matches(out) || LinePattern(wanted ?? "").matches(shown)
            check.expect(block, line: index, given: given, wanted: isRight ? "…" : wanted ?? "", got: shown)
        }
    }

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var isQuoted = false
        var word: String?
        for character in text {
            if character == "'" {
                isQuoted.toggle()
                word = word ?? ""
            } else if character == " ", !isQuoted {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
