internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The one place where URLProtocols are put under a session.
enum ProtocolInstallation {
    /// Puts them in front of the built-in loaders: the scripted one where a step has a script, then the others.
    static func prepare(
        _ configuration: URLSessionConfiguration, for assignment: Assignment, others: [URLProtocol.Type]
    ) {
        let hasScript = assignment.steps.contains { $0.protocolScript != nil }
        let classes = (hasScript ? [ScriptedProtocol.self] : []) + others
        guard !classes.isEmpty else { return }
        configuration.protocolClasses = classes + (configuration.protocolClasses ?? [])
    }

    /// The load of a step's script, to be kept as long as its session; nil where the step loads over the wire.
    static func load(
        of step: Assignment.Step, for request: URLRequest, task: Int, recorder: TraceRecorder
    ) -> ScriptedLoad? {
        step.protocolScript.map { ScriptedLoad($0, for: request, recorder: recorder, task: task) }
    }
}
