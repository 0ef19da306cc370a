internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The one place where scripted URLProtocols are put under a session.
enum ProtocolInstallation {
    /// Puts them in front of the built-in loaders, where a step has a script.
    static func prepare(_ configuration: URLSessionConfiguration, for assignment: Assignment) {
        guard assignment.steps.contains(where: { $0.protocolScript != nil }) else { return }
        configuration.protocolClasses = [ScriptedProtocol.self] + (configuration.protocolClasses ?? [])
    }

    /// The load of a step's script, to be kept as long as its session; nil where the step loads over the wire.
    static func load(
        of step: Assignment.Step, for request: URLRequest, task: Int, recorder: TraceRecorder
    ) -> ScriptedLoad? {
        step.protocolScript.map { ScriptedLoad($0, for: request, recorder: recorder, task: task) }
    }
}
