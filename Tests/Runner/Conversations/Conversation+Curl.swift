import Foundation
import ProctorServer
import ProctorTestSupport

extension Conversation {
    /// `ARGUMENTS => OUTPUT` in each line, with the run's authority trusted; blanks within an argument stand in single quotes.
    ///
    /// With `by ORIGIN` through that proxy. A block `python NAME` runs that script of `Tests/Clients` in the place of curl.
    mutating func curl(_ block: Block, _ check: inout Check) async throws {
        let trust = try await server.tlsAddress == nil && givenRun?.trust == nil ? nil : server.trust()
        let program: [String]
        if block.name == "python" {
            program = Self.python(block.words.first ?? "")
        } else {
            program =
                ["/usr/bin/env", "curl", "-q", "-sS", "--max-time", "60"] + (trust.map { ["--cacert", $0] } ?? [])
                + (block.value(of: "by").map { ["--noproxy", "", "-x", check.fill("$(origin.\($0))")] } ?? [])
                + (block.has("by") ? trust.map { ["--proxy-cacert", $0] } ?? [] : [])
        }
        for (index, line) in block.lines.enumerated() where !line.isEmpty {
            let (given, wanted) = line.cut(at: " => ")
            let words = Self.words(check.fill(given))
            let outcome = try await ChildProcess.run(program + words)
            var out = outcome.output.count > 2_000 ? "\(outcome.output.count) bytes" : ByteText.inLine(outcome.output)
            if outcome.status != 0 { out += (out.isEmpty ? "" : " ") + "exit \(outcome.status)" }
            let shown = Self.unfill(out, check.names)
            let isRight = LinePattern(check.fill(wanted ?? "")).matches(out) || LinePattern(wanted ?? "").matches(shown)
            check.expect(block, line: index, given: given, wanted: isRight ? "…" : wanted ?? "", got: shown)
        }
    }

    /// A script of `Tests/Clients`, by the Python that has the packages of `Scripts/install-packages.sh`.
    static func python(_ script: String) -> [String] {
        let python = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/" : ""
        return ["/usr/bin/env", "\(python)python3", "-E", "-s", "-B", "\(Project.path)/Tests/Clients/\(script).py"]
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
