import Dispatch
import Foundation
import ProctorBase
import ProctorTrace
import Testing

@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(2)))
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
            let trace = await DrivenTrace.of(script: "response 200,await-stop", deadline: .seconds(60))
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
        #expect(await gate.wasReached(within: .seconds(20)))
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
