import ProctorBase
import ProctorProgram
import Testing

@testable import ProctorAssignments
@testable import ProctorRecorder

/// Steps of an assignment that begin together, with a client that only notes what it is asked for.
struct StepsTogetherTests {
    /// Each step begins, and ends when the steps that it waits for have begun.
    private struct Client: StepClient {
        let recorder: TraceRecorder
        let notes: Locked<[String]>
        /// By the number of a step, the step whose beginning ends it.
        var waits: [Int: Int] = [:]
        var failing: Int?

        func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
            notes.withLock { $0.append("begins \(index)") }
            if failing == index { return .unimplemented }
            recorder.startedSteps.add(index)
            if let other = waits[index] { await recorder.startedSteps.wait(for: other) }
            notes.withLock { $0.append("ends \(index)") }
            return .finished
        }

        func finish(before end: UInt64) async -> Bool {
            notes.withLock { $0.append("finished") }
            return true
        }
    }

    private static func assignment(together: [Bool]) -> Assignment {
        Assignment(
            scenario: "a", caseName: "b", base: "http://127.0.0.1:1",
            steps: together.map {
                var step = Assignment.Step(url: "/")
                step.isTogether = $0
                return step
            })
    }

    private func run(
        _ together: [Bool], waits: [Int: Int] = [:], failing: Int? = nil
    ) async -> (AssignmentRunner.Ending, [String]) {
        let recorder = TraceRecorder()
        let notes = Locked<[String]>([])
        let client = Client(recorder: recorder, notes: notes, waits: waits, failing: failing)
        let ending = await Self.assignment(together: together).perform(
            with: client, recordingTo: recorder, before: .max)
        return (ending, notes.withLock { $0 })
    }

    @Test func `steps alone follow one another`() async {
        let (ending, notes) = await run([false, false])
        #expect(ending == .finished)
        #expect(notes == ["begins 0", "ends 0", "begins 1", "ends 1", "finished"])
    }

    @Test func `a step that begins together begins before the end of the one before`() async {
        let (ending, notes) = await run([false, true, true], waits: [0: 2, 1: 2])
        #expect(ending == .finished)
        #expect(notes.prefix(3) == ["begins 0", "begins 1", "begins 2"])
        #expect(Set(notes.dropFirst(3)) == ["ends 0", "ends 1", "ends 2", "finished"])
    }

    @Test func `the step behind them begins when all have ended`() async {
        let (_, notes) = await run([false, true, false], waits: [0: 1])
        #expect(notes.prefix(2) == ["begins 0", "begins 1"])
        #expect(notes.suffix(3) == ["begins 2", "ends 2", "finished"])
    }

    @Test func `a step that cannot begin holds up no other, and ends the program`() async {
        let (ending, notes) = await run([false, true, true, false], failing: 1)
        #expect(ending == .unimplemented)
        #expect(notes.contains("ends 0") && notes.contains("ends 2"))
        #expect(!notes.contains("begins 3") && !notes.contains("finished"))
    }
}
