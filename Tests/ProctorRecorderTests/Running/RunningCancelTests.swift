import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

@Suite(.limit(minutes: 5))
struct RunningCancelTests {
    private let server: PlainServer

    init() throws { server = try PlainServer.usual() }

    private func run(
        _ path: String, deadline: Int = 20_000, _ change: (inout Assignment.Step) -> Void
    ) async throws -> Report {
        defer { server.stop() }
        return try await Adapter.urlSession.run([step(server.base + path, "GET", change)], deadline: deadline)
    }

    @Test func `a task that is cancelled before it begins asks for nothing`() async throws {
        let report = try await run("/hello") { $0.cancelAt = Assignment.Moment("before-resume") }
        #expect(report.lane("harness") == "cancel resume result invalidate(finish) delegateReleased")
        #expect(report.lane("task") == "complete(cancelled)")
        #expect(server.requests.isEmpty)
    }

    @Test func `a task is cancelled right after it began`() async throws {
        server.stop()
        // Without an answer the load cannot end before the cancellation counts (R42).
        let gate = DispatchSemaphore(value: 0)
        let silent = try PlainServer { _ in
            _ = gate.wait(timeout: .now() + .seconds(Patience.seconds))
            return nil
        }
        defer {
            gate.signal()
            silent.stop()
        }
        let report = try await Adapter.urlSession.run([
            step(silent.base) { $0.cancelAt = Assignment.Moment("after-resume") }
        ])
        #expect(report.lane("harness").hasPrefix("resume cancel"))
        #expect(report.lane("task").hasSuffix("complete(cancelled)"))
        #expect(report.result()?.text("error") == "cancelled")
    }

    @Test func `a question in whose callback the task is cancelled is not answered`() async throws {
        let report = try await run("/moved") { $0.cancelAt = Assignment.Moment("redirect") }
        #expect(report.lane("task") == "redirect(302) complete(cancelled)")
        #expect(!report.lane("harness").contains("answer"))
    }

    @Test func `the second of an event can be meant`() async throws {
        server.stop()
        let loop = try PlainServer { _ in PlainServer.reply(302, "", "Location: /again") }
        defer { loop.stop() }
        let report = try await Adapter.urlSession.run([
            step(loop.base) { $0.cancelAt = Assignment.Moment("redirect", count: 2) }
        ])
        #expect(loop.requests.count == 2)
        #expect(report.lane("harness").hasPrefix("resume answer(follow) cancel"))
    }

    @Test func `a download is cancelled by producing resume data, and its handler is told`() async throws {
        let report = try await run("/hello") {
            $0.task = .download
            $0.producesResumeData = true
            $0.cancelAt = Assignment.Moment("progress")
        }
        let method = "cancel(byProducingResumeData:)"
        #expect(report.first("cancel", lane: "harness")?.text("sel") == method)
        #expect(report.lines.contains { $0.lane == "handler" && $0.ev == "handler" && $0.text("sel") == method })
    }

    @Test func `a suspended task is resumed after its time`() async throws {
        let report = try await run("/moved") {
            $0.suspendAt = Assignment.Moment("redirect")
            $0.suspendFor = 100
        }
        let suspended = try #require(report.first("suspend", lane: "harness"))
        let resumed = try #require(report.lines.last { $0.ev == "resume" })
        #expect(resumed.ns - suspended.ns >= 100_000_000)
        #expect(report.lane("task").hasSuffix("complete(ok)"))
    }

    @Test func `a question that is never answered ends the program by itself, with a result`() async throws {
        // A machine that does much else begins the load late.
        let report = try await run("/moved", deadline: 10_000) {
            $0.onRedirect = [Assignment.RedirectAnswer.never]
        }
        #expect(report.status == 0)
        #expect(report.lane("task") == "redirect(302)")
        #expect(report.lane("harness") == "resume result")
        #expect(report.result()?.text("message") == "the step did not end in its time")
    }

    #if os(Linux)
        @Test func `a crash leaves everything up to it`() async throws {
            let report = try await run("/moved") { $0.onRedirect = [Assignment.RedirectAnswer.cancelThenFollow] }
            #expect(report.status < 0)
            #expect(report.lane("harness").hasPrefix("resume cancel answer(follow)"))
            #expect(report.errors.contains("Fatal error"))
        }

        @Test func `what Foundation does not have here is said and not replaced`() async throws {
            let report = try await run("/echo") {
                $0.task = .upload
                $0.body = Assignment.Bytes(text: "x")
                $0.bodyForm = .boundPair
            }
            #expect(report.status == 0)
            #expect(report.lines.map(\.ev) == ["unimplemented"])
            #expect(report.lines.first?.arg?.contains("bound pairs") == true)
            #expect(server.requests.isEmpty)
        }
    #endif

    @Test func `a step without resume data to go on with is unimplemented`() async throws {
        defer { server.stop() }
        let report = try await Adapter.urlSession.run([
            step("\(server.base)/hello") { $0.task = .download },
            step("\(server.base)/hello") {
                $0.task = .download
                $0.resume = 0
            },
        ])
        let refusal = report.lines.last(where: { $0.symbol.hasPrefix("unimplemented") })
        #expect(refusal?.symbol == "unimplemented(the step to resume left no resume data)")
        #expect(refusal?.task == 1)
    }
}
