internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// One step of a program, from the request to the `result`.
struct StepRun {
    let step: Assignment.Step
    let index: Int
    let session: LiveSession
    /// In nanoseconds of the monotonic clock.
    let end: UInt64
    /// What the step it resumes left behind.
    var resumeData: ResumeData?

    /// How it went on.
    enum Ending {
        /// With the resume data it left behind.
        case finished(ResumeData?)
        case outOfTime, unimplemented
    }

    func run() async -> Ending {
        guard let plain = StepRequest.make(step) else {
            return unimplemented("URL(string:) refuses '\(step.url)'")
        }
        let request = session.scripted(plain, for: step, at: index)
        let role = TaskRole(
            number: index, family: ProgramSupport.family(of: step), step: step, sessionEnd: session.end(atStep: index))
        session.roles.begin(role)
        do {
            let work = try StepWork(self, role, request)
            defer { work.cleanUp() }
            work.start()
            let hasEnded = await waitForEnd(of: role)
            ResultFacts(role).record(to: session.recorder, hasEnded: hasEnded)
            return hasEnded ? .finished(role.snapshot.resumeData.map(ResumeData.init)) : .outOfTime
        } catch let error as StepWork.Failure {
            return unimplemented(error.reason)
        } catch {
            return unimplemented("the body can't be put into a file: \(error)")
        }
    }

    private var left: Duration { .left(until: end) }

    /// False when the time was over first.
    private func waitForEnd(of role: TaskRole) async -> Bool {
        let number = role.number
        let isOfHandler = role.family == .HT
        let event = await session.recorder.event(within: left) { event in
            guard event.task == number, event.phase == .exit else { return false }
            return isOfHandler
                ? event.lane == .handler && (event.name == .handler || event.name == .awaited)
                : event.lane == .task && event.name == .complete
        }
        guard event != nil else { return false }
        if role.snapshot.isResumeDataDue {
            await StepNotes(number, recorder: session.recorder).waitForResumeData(within: min(left, .seconds(1)))
        }
        return true
    }

    private func unimplemented(_ reason: String) -> Ending {
        StepNotes(index, recorder: session.recorder).unimplemented(reason)
        return .unimplemented
    }
}

/// What a cancelled download left behind for another to go on with.
struct ResumeData: Sendable {
    let data: Data
}
