internal import Foundation
public import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ProtocolDriver {
    /// Plays the script of a step with a ``ScriptedProtocol`` and answers as the step says; without a session.
    ///
    /// A step without a script makes no object: nobody takes its request. The trace begins its sequence at 1.
    public static func play(_ step: Assignment.Step, deadline: Duration = .seconds(5)) async -> [TraceEvent] {
        await play(step, program: ProtocolProgram(step), deadline: deadline, in: TracePlace())
    }

    /// The same as a part of a longer trace.
    static func play(
        _ step: Assignment.Step, program: ProtocolProgram, deadline: Duration, in place: TracePlace
    ) async -> [TraceEvent] {
        guard var request = StepRequest.make(step) else {
            place.recorder.close(
                with: TraceEvent(
                    lane: .harness, task: place.task, name: .unimplemented,
                    argument: "Foundation cannot read the URL \"\(step.url)\""))
            return place.recorder.events
        }
        if step.body != nil { request.httpBody = BodySource(step.body).data }
        let load = step.protocolScript.map { ScriptedLoad($0, for: request) }
        defer { withExtendedLifetime(load) {} }
        return await ProtocolDriver(ScriptedProtocol.self)
            .run(load?.request ?? request, program: program, deadline: deadline, in: place)
    }
}
