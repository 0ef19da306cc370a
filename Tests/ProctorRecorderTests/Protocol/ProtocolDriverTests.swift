import Dispatch
import Foundation
import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorTestSupport
import Testing

@testable import ProctorAssignments
@testable import ProctorRecorder
@testable import ProctorRules

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limit(minutes: 5))
struct ProtocolDriverTests {
    @Test(arguments: ProtocolRow.legal)
    func `a well-behaved protocol breaks no rule`(_ row: ProtocolRow) async {
        let trace = await judge(row)
        #expect(trace.report().grammarCount == 0, "\(trace.text)")
    }

    @Test(arguments: ProtocolRow.illegal)
    func `a protocol that breaks a rule is caught at that rule`(_ row: ProtocolRow) async { await judge(row) }

    @discardableResult
    private func judge(_ row: ProtocolRow) async -> DrivenTrace {
        let trace =
            if let event = row.hangsAfter {
                await DrivenTrace.of(script: row.script, program: row.program, givenUpAfter: event)
            } else {
                await DrivenTrace.of(script: row.script, program: row.program)
            }
        let isHung = row.hangsAfter != nil
        #expect(trace.lane(.protocolClient, 0) == row.client, "\(trace.text)")
        #expect(trace.lane(.protocolClient, 1) == row.second ?? "", "\(trace.text)")
        #expect(trace.lane(.harness) == (row.harness.isEmpty ? "result" : "\(row.harness) result"), "\(trace.text)")
        let numbers = trace.rules(isHung: isHung)
        #expect(numbers == row.rules, "\(trace.report(isHung: isHung))\n\(trace.text)")
        if !isHung { expectOrderlyLives(trace) }
        return trace
    }

    /// R49 and R52, which the driver itself owes: stopped once after its start, on that thread, and then let go.
    private func expectOrderlyLives(_ trace: DrivenTrace) {
        let objects = Set(trace.events.filter { $0.lane == .proto }.compactMap(\.object))
        for object in objects {
            let isStarted = trace.first(.pStart, of: object) != nil
            #expect(
                trace.lane(.proto, object) == (isStarted ? "p.init p.start p.stop p.deinit" : "p.init p.deinit"),
                "\(trace.text)")
            #expect(trace.first(.pStart, of: object)?.thread == trace.first(.pStop, of: object)?.thread)
        }
        #expect(trace.lane(.proto).hasPrefix("p.canInit p.canonical p.canonical p.canonical p.init"))
    }

    @Test func `each call of a client has a return on the same thread`() async {
        let trace = await DrivenTrace.of(script: "response 200,other: data x,finish")
        let calls = trace.events.filter { $0.lane == .protocolClient }
        #expect(calls.map(\.phase) == [.enter, .exit, .enter, .exit, .enter, .exit])
        #expect(calls[0].thread == calls[1].thread)
        #expect(calls[2].thread == calls[3].thread)
        #expect(calls[0].thread != calls[2].thread)
        #expect(calls[0].thread == trace.first(.pStart)?.thread)
    }

    @Test func `facts tell what the client was told`() async {
        let trace = await DrivenTrace.of(
            script: "challenge basic,await-answer,response 200 text/plain memory,data hello,finish",
            program: .patient.challenged("use"))
        let response = trace.first(.response)
        #expect(response?.facts.text(.url) == "http://example.test/a")
        #expect(response?.facts.integer(.status) == 200)
        #expect(response?.facts.text(.mime) == "text/plain")
        #expect(response?.facts.text(.storage) == "memory")
        #expect(response?.facts.text(.sel) == "urlProtocol(_:didReceive:cacheStoragePolicy:)")
        #expect(trace.first(.data)?.facts.integer(.bytes) == 5)
        let challenge = trace.first(.challenge)
        #expect(challenge?.facts.text(.host) == "example.test")
        #expect(challenge?.facts.text(.realm) == "proctor")
        #expect(challenge?.facts.integer(.port) == 80)
        #expect(trace.first(.answer)?.facts.text(.to) == "challenge")
        #expect(trace.first(.answer)?.object == 0)
        let result = trace.events.last
        #expect(result?.name == .result)
        #expect(result?.facts.text(.body) == "hello")
        #expect(result?.facts.integer(.bytes) == 5)
    }

    @Test func `a redirect tells where to, and the next object loads that`() async {
        let trace = await DrivenTrace.of(script: "redirect 301 /b?c,await-stop,response 200,finish")
        #expect(trace.first(.redirect)?.facts.text(.url) == "http://example.test/b?c")
        #expect(trace.first(.pInit, of: 1)?.facts.text(.request) == "GET http://example.test/b?c")
        #expect(trace.first(.pStop, of: 0)?.thread == trace.first(.pStart, of: 1)?.thread)
    }

    @Test func `a changed redirect loads what the program says`() async {
        var program = ProtocolProgram.patient
        program.onRedirect = [
            Assignment.RedirectAnswer.change(method: "HEAD", url: "/c", headers: [["X-A", "1"]])
        ]
        let trace = await DrivenTrace.of(script: "redirect /b,await-stop,response 200,finish", program: program)
        #expect(trace.lane(.harness) == "answer(change) result")
        #expect(trace.first(.pInit, of: 1)?.facts.text(.request) == "HEAD http://example.test/c")
    }

    @Test func `redirects are followed up to the limit`() async {
        var program = ProtocolProgram.patient
        program.redirectLimit = 2
        let script = String(repeating: "redirect /b,await-stop,", count: 3) + "response 200,finish"
        let trace = await DrivenTrace.of(script: script, program: program)
        #expect(trace.lane(.protocolClient) == "redirect(302) redirect(302) redirect(302)")
        #expect(trace.events.last?.facts.text(.message) == "more than 2 redirects")
    }

    @Test func `an answer that a redirect cannot have is reported`() async {
        let trace = await DrivenTrace.of(
            script: "redirect /b,wait 20,response 302,finish", program: .patient.redirecting("twice"))
        #expect(trace.lane(.harness).hasPrefix("unimplemented("))
    }
}

@Suite(.limit(minutes: 5))
struct ProtocolLivenessTests {
    /// Long enough for the onlooker of a crowded machine to see it more than once.
    private static let block = 1_500

    private var watchful: ProtocolProgram {
        var program = ProtocolProgram.patient
        program.blockedThreshold = .milliseconds(300)
        return program
    }

    /// Silences that a crowded machine cannot have made by itself.
    private func longBlocks(_ trace: DrivenTrace) -> [TraceEvent] {
        trace.events.filter { $0.name == .blocked && ($0.facts.integer(.ms) ?? 0) >= Self.block - 10 }
    }

    @Test(arguments: ["response 200,block 1500,data x,finish", "response 200,wait 10,block 1500,wait 10,finish"])
    func `a protocol that blocks the client thread is noticed, with how long`(_ script: String) async {
        let trace = await DrivenTrace.of(script: script, program: watchful)
        #expect(longBlocks(trace).count == 1, "\(trace.text)")
        #expect(longBlocks(trace).first?.object == 0)
        #expect(trace.rules() == [48], "\(trace.report())")
    }

    @Test func `a protocol that blocks its own thread and not the client's is no trouble`() async {
        let trace = await DrivenTrace.of(script: "response 200,other: block 1500,data x,finish", program: watchful)
        #expect(longBlocks(trace).isEmpty, "\(trace.text)")
        #expect(trace.lane(.protocolClient) == "response(200) data complete(ok)")
    }

    @Test func `a deadline ends a trace without a terminal event and without a stop`() async {
        let trace = await DrivenTrace.of(script: "response 200,await-stop", deadline: .seconds(2))
        #expect(trace.lane(.protocolClient) == "response(200)")
        #expect(trace.lane(.proto, 0) == "p.init p.start")
        #expect(trace.events.last?.name == .result)
        #expect(trace.events.last?.facts.text(.message)?.hasPrefix("no end within") == true)
        #expect(trace.rules(isHung: true) == [45], "\(trace.report(isHung: true))")
    }

    @Test func `a client thread that is blocked for good does not hold the caller`() async {
        let gate = Gate.make()
        let begin = MonotonicClock.nanoseconds
        let trace = await DrivenTrace.of(
            StuckProtocol.self, gate.request(stage: "start"), program: watchful, deadline: .seconds(3))
        #expect(MonotonicClock.nanoseconds - begin < 120_000_000_000)
        #expect(trace.lane(.proto, 0) == "p.init p.start", "\(trace.text)")
        #expect(longBlocks(trace).count == 1, "\(trace.text)")
        gate.open()
    }

    @Test func `a class that never says whether it wants the request does not hold the caller`() async {
        let gate = Gate.make()
        let trace = await DrivenTrace.of(
            StuckProtocol.self, gate.request(stage: "canInit"), deadline: .milliseconds(300))
        #expect(trace.lane(.proto).isEmpty, "\(trace.text)")
        #expect(trace.lane(.harness) == "result")
        gate.open()
    }

    @Test func `a cancelled task gets its trace at once`() async {
        let recorder = Locked(false)
        let run = Task {
            let trace = await DrivenTrace.of(script: "response 200,await-stop", deadline: Patience.whole)
            recorder.withLock { $0 = true }
            return trace
        }
        run.cancel()
        let trace = await run.value
        #expect(recorder.withLock { $0 })
        #expect(trace.events.last?.facts.text(.message) == "the test was cancelled", "\(trace.text)")
    }

    @Test func `an object is stopped behind the end of its trace`() async {
        let gate = Gate.make()
        _ = await DrivenTrace.of(
            StuckProtocol.self, gate.request(stage: "stop"), deadline: .seconds(2))
        #expect(await gate.wasReached(within: Patience.whole))
        gate.open()
    }

    @Test func `many loads at once do not mix`() async {
        await withTaskGroup(of: Void.self) { group in
            for number in 1...24 {
                group.addTask {
                    let chunks = String(repeating: "data x,wait 5,", count: number % 5)
                    let trace = await DrivenTrace.of(script: "response 2\(number + 10),\(chunks)finish")
                    let expected =
                        "response(2\(number + 10)) " + String(repeating: "data ", count: number % 5) + "complete(ok)"
                    #expect(trace.lane(.protocolClient) == expected)
                }
            }
        }
    }
}
