import Foundation
import ProctorTestSupport
import Testing

/// The shipped pack `llm`, as a program sees it, and the page about it.
@Suite(.limit(minutes: 3))
struct LLMPackTests {
    private static let page = "\(Project.path)/Docs/use/llm.md"

    @Test func `a program gets every answer and every failure, and the commands of the page work`() async throws {
        let child = try await onThread { try ServingChild(nil, ["--pack", "llm"]) }
        let outcome = try await Self.ask([child.base, Self.page])
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains(" questions, 0 wrong answers"))
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `the scenario of the page is a rate limit and an answer whose second word is late`() async throws {
        let text = try String(contentsOfFile: Self.page, encoding: .utf8)
        let block = try #require(text.firstMatch(of: /```yaml\n([\s\S]*?)```/))
        let folder = try TestFolder(["fixtures/late.yaml": String(block.1)])
        let child = try await onThread { try ServingChild(folder) }
        let outcome = try await Self.ask(["\(child.base)/late", "--late"])
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `a server that says something else is found out`() async throws {
        let wrong = #"POST /* -> 200 "data: [DONE]\n\n""#
        let child = try await onThread { try ServingChild(nil, ["--inline", wrong]) }
        let outcome = try await Self.ask([child.base, Self.page])
        #expect(outcome.status == 1 && outcome.out.contains("21 questions, 21 wrong answers"), "\(outcome.out)")
        #expect(try await onThread { try child.end() } == 0)
    }

    private static func ask(_ arguments: [String]) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/usr/bin/env", "python3", "-B", "\(Project.path)/Tests/Clients/llm.py"] + arguments,
            in: NSTemporaryDirectory(),
            within: .seconds(90))
    }
}
