import ProctorTestSupport
import Testing

/// Colour is for terminals, and for those who want it.
struct ColourTests {
    private static let red = "\u{1B}[1;31m"

    /// Runs `proctor check` on a terminal of its own and returns what it showed there.
    private func shown(_ environment: [String: String]) async throws -> String? {
        guard let script = Project.tool("script") else { return nil }
        let folder = try TestFolder(["fixtures/a.yaml": "summary: x\n"])
        var arguments = ["-qec", "'\(Child.binary)' check", "/dev/null"]
        #if canImport(Darwin)
            arguments = ["-q", "/dev/null", Child.binary, "check"]
        #endif
        let outcome = try await Child.run(
            arguments, program: script, environment: environment, in: folder)
        #expect(outcome.out.contains("fixtures/a.yaml:1:1: "))
        return outcome.out
    }

    @Test func `on a terminal an error is red`() async throws {
        guard let out = try await shown(["TERM": "xterm", "NO_COLOR": ""]) else { return }
        #expect(out.contains("fixtures/a.yaml:1:1: \(Self.red)error:\u{1B}[0m "))
    }

    @Test(arguments: [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb", "NO_COLOR": ""]])
    func `NO_COLOR and a dumb terminal turn it off`(environment: [String: String]) async throws {
        guard let out = try await shown(environment) else { return }
        #expect(out.contains("fixtures/a.yaml:1:1: error: ") && !out.contains("\u{1B}"))
    }

    @Test func `in a file there is none`() async throws {
        let folder = try TestFolder(["fixtures/a.yaml": "summary: x\n"])
        let outcome = try await Child.run(["check"], environment: ["TERM": "xterm", "NO_COLOR": ""], in: folder)
        #expect(outcome.err.hasPrefix("fixtures/a.yaml:1:1: error: ") && !outcome.err.contains("\u{1B}"))
    }
}
