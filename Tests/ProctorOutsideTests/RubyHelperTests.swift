import Foundation
import ProctorTestSupport
import Testing

/// The helper for RSpec and Minitest in `helpers/ruby`, by its example: skipped where Ruby or RSpec is not installed.
@Suite(.limit(minutes: 10))
struct RubyHelperTests {
    private static let home = "\(Project.path)/helpers/ruby"

    private func run(_ words: [String], in folder: String? = nil) async throws -> ChildProcess.Outcome {
        let found = try await Child.run(["-c", "command -v rspec"], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("RSpec is not installed: apt-get install ruby-rspec") }
        return try await ChildProcess.run(
            ["/usr/bin/env"] + words, environment: HelperTrial.environment, in: folder ?? "\(Self.home)/example",
            within: HelperTrial.patience)
    }

    @Test func `the clients of the example pass`() async throws {
        let spec = try await run(["rspec", "-I", "\(Self.home)/lib", "five_spec.rb"])
        #expect(spec.status == 0 && spec.out.contains("5 examples, 0 failures"), "\(spec.out)\(spec.err)")
        let test = try await run(["ruby", "-w", "-I", "\(Self.home)/lib", "five_test.rb"])
        #expect(
            test.status == 0 && test.out.contains("1 runs, 1 assertions, 0 failures, 0 errors"),
            "\(test.out)\(test.err)")
    }

    @Test func `clients that are wrong fail with the timeline`() async throws {
        let outcome = try await run(["rspec", "-I", "\(Self.home)/lib", "misbehaving_spec.rb"])
        #expect(outcome.status == 1 && outcome.out.contains("3 examples, 3 failures"), "\(outcome.out)\(outcome.err)")
        let text = outcome.out
        #expect(text.contains("the second request was POST /done; wanted GET /done, by RFC 9110 §15.4.4"), "\(text)")
        #expect(text.contains(/▶ .*POST \/done HTTP\/1\.1, 6 fields   wanted: GET \/done/), "\(text)")
        // Where the example failed for its own reason, both are told.
        #expect(text.contains("expected: \"200\"") && text.contains("target: wanted /page, got /pages"), "\(text)")
        #expect(text.contains("the client made no connection to 127."), "\(text)")
    }

    @Test func `the first test of the README passes, and what it has wrong is told`() async throws {
        let first = try HelperTrial.block("ruby", of: "helpers/ruby/README.md")
        let folder = try TestFolder([
            "first_spec.rb": first, "wrong_spec.rb": first.replacing("302-get-stays-get", with: "302-get-stay-get"),
        ])
        defer { folder.remove() }
        let right = try await run(["rspec", "-I", "\(Self.home)/lib", "first_spec.rb"], in: folder.path)
        #expect(right.status == 0 && right.out.contains("1 example, 0 failures"), "\(right.out)\(right.err)")
        let wrong = try await run(["rspec", "-I", "\(Self.home)/lib", "wrong_spec.rb"], in: folder.path)
        #expect(wrong.status == 1 && wrong.out.contains("did you mean 'redirect/302-get-stays-get'?"), "\(wrong.out)")
    }

    @Test func `the server ends with the process of the tests`() async throws {
        let folder = try TestFolder([
            "killed_spec.rb": """
            require "proctor/rspec"
            RSpec.describe("killed") { it("is") { proctor.run("plain/get") && Process.kill(:KILL, Process.pid) } }
            """
        ])
        defer { folder.remove() }
        let binary = try HelperTrial.makeTracedBinary(in: folder)
        let outcome = try await run(
            ["PROCTOR_BINARY=\(binary)", "rspec", "-I", "\(Self.home)/lib", "killed_spec.rb"], in: folder.path)
        #expect(outcome.status != 0, "\(outcome.out)\(outcome.err)")
        try await HelperTrial.expectEnd(in: folder)
    }
}
