public import ProctorTrace

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension ProtocolDriver {
    /// Plays the script of a step with a ``ScriptedProtocol`` and answers as the step says; without a session.
    ///
    /// A step without a script makes no object: nobody takes its request. The trace begins its sequence at 1.
    public static func play(_ step: Assignment.Step, deadline: Duration = .seconds(5)) async -> [TraceEvent] {
        await play(step, program: ProtocolProgram(step), deadline: deadline, in: TracePlace())
    }

    /// The request of a step with its body in it, as data or as a stream; nil when the URL is none for Foundation.
    ///
    /// A file comes to a protocol as a stream whose length is told: a request has no place for a file.
    package static func request(of step: Assignment.Step) -> URLRequest? {
        guard var request = StepRequest.make(step) else { return nil }
        guard step.body != nil else { return request }
        let body = BodySource(step.body)
        switch step.bodyForm {
        case "http-body-stream": request.httpBodyStream = body.stream()
        case "file":
            request.httpBodyStream = body.stream()
            request.setValue(String(body.data.count), forHTTPHeaderField: "Content-Length")
        default: request.httpBody = body.data
        }
        return request
    }

    /// The same as a part of a longer trace.
    static func play(
        _ step: Assignment.Step, program: ProtocolProgram, deadline: Duration, in place: TracePlace
    ) async -> [TraceEvent] {
        guard let request = request(of: step) else {
            place.recorder.close(
                with: TraceEvent(
                    lane: .harness, task: place.task, name: .unimplemented,
                    argument: "Foundation cannot read the URL \"\(step.url)\""))
            return place.recorder.events.filter { $0.task == place.task }
        }
        let load = step.protocolScript.map { ScriptedLoad($0, for: request) }
        defer { withExtendedLifetime(load) {} }
        return await ProtocolDriver(ScriptedProtocol.self)
            .run(load?.request ?? request, program: program, deadline: deadline, in: place)
    }
}
