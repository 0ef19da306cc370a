import Foundation
import ProctorRemoteTesting
import ProctorTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if os(Linux)
    /// What a failed exam says; this bundle runs the failing tests in another process, against a server in a third one.
    @Suite(.limit(minutes: 5))
    struct RemoteReportTests {
        /// Set in that process.
        fileprivate static let mark = "PROCTOR_FAIL_REMOTELY"

        private func outcome(of suite: String, _ variables: [String: String]) async throws -> ChildProcess.Outcome {
            let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return try await ChildProcess.run(
                [bundle, "--testing-library", "swift-testing", "--filter", suite],
                environment: variables.merging([Self.mark: "1"]) { $1 })
        }

        @Test func `a failed exam is an issue with its line, what was wanted, what came, and files that tell the rest`()
            async throws
        {
            let server = try await ServerElsewhere.start(token: "secret")
            let folder = try TestFolder()
            let outcome = try await outcome(
                of: "FailsRemotely",
                ["PROCTOR_SERVER": server.base, "PROCTOR_TOKEN": "secret", "PROCTOR_EVIDENCE": folder.path])
            let text = outcome.out + outcome.err
            #expect(outcome.status == 1, "\(text)")
            #expect(text.contains("RemoteReportTests.swift:\(FailsRemotely.line)"), "\(text)")
            #expect(text.contains("fail: redirect/302-post-becomes-get#refuse"), "\(text)")
            #expect(text.contains("got request(GET /form), wanted request(POST /form)"), "\(text)")
            #expect(text.contains("▶"), "\(text)")
            for file in ["trace.jsonl", "journal.jsonl", "timeline.txt"] {
                let name = "redirect_302-post-becomes-get_refuse.\(file)"
                #expect(text.contains(name), "\(text)")
                #expect(FileManager.default.fileExists(atPath: "\(folder.path)/\(name)"))
            }
            // What `proctor grade` reads.
            let graded = try await ChildProcess.run(
                [
                    BuiltProduct.proctor, "grade", "\(folder.path)/redirect_302-post-becomes-get_refuse.trace.jsonl",
                    "--journal",
                    "\(folder.path)/redirect_302-post-becomes-get_refuse.journal.jsonl",
                ], environment: ["PROCTOR_FIXTURES": ServerElsewhere.fixtures])
            #expect(graded.out.contains("fail: redirect/302-post-becomes-get#refuse"), "\(graded.out)\(graded.err)")
            // The trait's test, which passes.
            #expect(text.contains("stands passes") && !text.contains("plain/get#get"), "\(text)")
            #expect(try await server.openRuns().isEmpty)
        }

        // They stand in a target that `make test-all` builds.
        @Test(.wide) func `the tests of Docs/use/swift.md for a device pass with the environment alone`() async throws {
            let server = try await ServerElsewhere.start(token: "secret")
            let outcome = try await outcome(
                of: "DocumentedDeviceTests", ["PROCTOR_SERVER": server.base, "PROCTOR_TOKEN": "secret"])
            let text = outcome.out + outcome.err
            #expect(outcome.status == 0, "\(text)")
            for name in ["ends in its own response", "with the exam around the test"] {
                #expect(text.contains(name), "\(text)")
            }
            #expect(try await server.openRuns().isEmpty)
        }

        @Test func `a body that throws has its verdict and timeline told besides`() async throws {
            let server = try await ServerElsewhere.start()
            let outcome = try await outcome(of: "ThrowsRemotely", ["PROCTOR_SERVER": server.base])
            let text = outcome.out + outcome.err
            #expect(outcome.status == 1, "\(text)")
            #expect(text.contains("Caught error: thrown on purpose"), "\(text)")
            #expect(text.contains("the body threw thrown on purpose, and this is what was seen"), "\(text)")
            #expect(text.contains("fail: plain/get#get") && text.contains("GET /other HTTP/1.1"), "\(text)")
            #expect(try await server.openRuns().isEmpty)
        }
    }

    /// Not run but by ``RemoteReportTests``; the server is that of the environment.
    @Suite(.enabled(if: ProcessInfo.processInfo.environment[RemoteReportTests.mark] != nil))
    struct FailsRemotely {
        static let line = #line + 3

        @Test func `a client does otherwise`() async throws {
            try await withScenario("redirect/302-post-becomes-get", case: "refuse") { exam in
                exam.session().dataTask(with: exam.url("/form")).resume()
            }
        }

        @Test(.scenario("plain/get"))
        func `a test around which an exam stands passes`() async throws {
            let exam = try #require(Exam.current)
            exam.session().dataTask(with: exam.url("/hello")).resume()
        }
    }

    /// Not run but by ``RemoteReportTests``; the server is that of the environment.
    @Suite(.enabled(if: ProcessInfo.processInfo.environment[RemoteReportTests.mark] != nil))
    struct ThrowsRemotely {
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
    }
#endif
