internal import ProctorAssignments
internal import ProctorBase
import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder
internal import ProctorReference

/// Runs steps as loads whose response is a sequence: family sequence.
final class SequenceSteps: ReferenceClient {
    private let setup: SessionSetup
    private let recorder: TraceRecorder
    private let session: ReferenceSession
    private let fault: SequenceFault?

    init(_ assignment: Assignment, breaking: Breakage?, recordingTo recorder: TraceRecorder) throws(CallFailure) {
        setup = assignment.session
        self.recorder = recorder
        fault = breaking?.asFault()
        var configuration = try ReferenceConfiguration(assignment, breaking: breaking)
        // Parts of multipart content have no heads of their own here (R71).
        configuration.splitsParts = false
        session = try ReferenceSession(configuration: configuration)
    }

    func perform(_ step: Assignment.Step, index: Int, before end: UInt64) async -> AssignmentRunner.Ending {
        let record = StepRecord(step, number: index, family: .sequence, recordingTo: recorder)
        record.keepTrailers([])
        guard let body = record.makeBody() else { return .unimplemented }
        defer { body.cleanUp() }
        let sequence = ReferenceSequence(
            step.request(with: body.body, in: setup), in: session, timeout: step.timeout.map { .milliseconds($0) },
            fault: fault)
        // The label of the task that reads; no other task has it.
        let place = "T\(index)"
        record.notes.schedule("task", at: place)
        let call = AwaitedCall(hasDelegate: false) {
            let reader = currentTask
            await sequence.read { call in record.write(call, on: currentTask == reader ? place : nil) }
        }
        record.start(call)
        let hasEnded = await record.waitForEnd(before: end)
        // What a broken client tells behind the end is recorded, too.
        if hasEnded { await call.waitForReturn() }
        return record.finish(hasEnded: hasEnded, stored: [])
    }

    func finish(before _: UInt64) async -> Bool {
        session.finishTasksAndInvalidate()
        return true
    }

    func abandon() { session.invalidateAndCancel() }
}

/// Tells tasks apart while they run.
private var currentTask: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }

extension StepRecord {
    /// Records what the sequence hands over, with the program's acts in it.
    fileprivate func write(_ call: DelegateCall, on place: String?) {
        let name: EventName
        switch call {
        case .response: name = .response
        case .data: name = .data
        case .trailers(let fields):
            name = .trailers
            keepTrailers(fields.namesAndValues)
        default: name = .complete
        }
        keepResult(of: call, response: nil)
        enter(name, call.detail(asking: fieldNames), queue: place, method: "next()").returns()
    }
}
