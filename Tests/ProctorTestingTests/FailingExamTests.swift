import Foundation
import ProctorClientTesting
import ProctorTestSupport
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The report of a failed exam; this bundle runs the failing tests in another process.
struct FailingExamTests {
    /// Set in that process.
    fileprivate static let mark = "PROCTOR_FAIL_ON_PURPOSE"

    #if os(Linux)
        private static var bundle: String {
            get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") }
        }

        @Test func `a failed exam is an issue with what was wanted, what came, and files that tell the rest`()
            async throws
        {
            let outcome = try await ChildProcess.run(
                [try Self.bundle, "--testing-library", "swift-testing", "--filter", "FailsOnPurpose"],
                environment: [Self.mark: "1"])
            let text = outcome.out + outcome.err
            #expect(outcome.status == 1, "\(text)")
            #expect(text.contains("FailingExamTests.swift"), "\(text)")
            #expect(text.contains("fail: redirect/302-post-becomes-get#refuse"), "\(text)")
            #expect(text.contains("got request(GET /form), wanted request(POST /form)"), "\(text)")
            #expect(text.contains("▶"), "\(text)")
            for file in ["trace.jsonl", "journal.jsonl", "timeline.txt"] {
                #expect(text.contains("redirect_302-post-becomes-get_refuse.\(file)"), "\(text)")
            }
            #expect(text.contains("fail: plain/get#get"), "\(text)")
            #expect(text.contains("missing request(GET /hello)"), "\(text)")
        }

        @Test
        func `a body that throws has its verdict, timeline and files told all the same, and a missing folder is made`()
            async throws
        {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let evidence = folder.appendingPathComponent("deep/er").path
            let outcome = try await ChildProcess.run(
                [try Self.bundle, "--testing-library", "swift-testing", "--filter", "ThrowsOnPurpose"],
                environment: [Self.mark: "1", "PROCTOR_EVIDENCE": evidence])
            let text = outcome.out + outcome.err
            #expect(outcome.status == 1, "\(text)")
            #expect(text.contains("Caught error: thrown on purpose"), "\(text)")
            #expect(text.contains("the body threw thrown on purpose, and this is what was seen"), "\(text)")
            #expect(text.contains("fail: plain/get#get") && text.contains("GET /other HTTP/1.1"), "\(text)")
            // A verdict that passes fails nothing, and is told too.
            #expect(text.contains("pass: plain/404#get"), "\(text)")
            for file in ["trace.jsonl", "journal.jsonl", "timeline.txt"] {
                #expect(text.contains("plain_get_get.\(file)"), "\(text)")
                #expect(FileManager.default.fileExists(atPath: "\(evidence)/plain_get_get.\(file)"), "\(text)")
            }
        }
    #endif

    @Test func `a redirect without an answer is a hang with its open question, and cleaning up adds nothing`() async {
        let failure = await Task.detached {
            do {
                try await withScenario(
                    "redirect/302-get-stays-get", case: "follow", within: .seconds(2)
                ) { exam in
                    exam.session(delegate: SilentDelegate()).dataTask(with: exam.url("/start")).resume()
                }
                return ""
            } catch {
                return "\(error)"
            }
        }.value
        #expect(failure.contains("hang: redirect/302-get-stays-get#follow"), "\(failure)")
        #expect(failure.contains("after redirect(302) of task"), "\(failure)")
        #expect(failure.contains("redirect(302) may never have been answered"), "\(failure)")
        #expect(!failure.contains("sessionInvalid("), "\(failure)")
    }

    @Test func `outside of a test the verdict is thrown, with the same text`() async {
        let failure = await Task.detached {
            do {
                try await withScenario("plain/get") { _ in }
                return ""
            } catch {
                return "\(error)"
            }
        }.value
        #expect(failure.contains("missing request(GET /hello)"))
    }
}

/// Not run but by ``FailingExamTests``.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[FailingExamTests.mark] != nil))
struct ThrowsOnPurpose {
    private struct OnPurpose: Error, CustomStringConvertible {
        let description = "thrown on purpose"
    }

    @Test func `a body throws behind a request that nothing expects`() async throws {
        try await withScenario("plain/get") { exam in
            exam.session().dataTask(with: exam.url("/other")).resume()
            await exam.finished()
            throw OnPurpose()
        }
    }

    @Test func `a body throws behind what the case asks for`() async throws {
        try await withScenario("plain/404") { exam in
            _ = try await exam.performProgram()
            throw OnPurpose()
        }
    }
}

/// Not run but by ``FailingExamTests``.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[FailingExamTests.mark] != nil))
struct FailsOnPurpose {
    @Test func `a client does otherwise`() async throws {
        try await withScenario("redirect/302-post-becomes-get", case: "refuse") { exam in
            exam.session().dataTask(with: exam.url("/form")).resume()
        }
    }

    @Test func `a client does nothing at all`() async throws {
        try await withScenario("plain/get") { _ in }
    }
}

/// Never answers the question about a redirect.
private final class SilentDelegate: NSObject, URLSessionDataDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {}
}
