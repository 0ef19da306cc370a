internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The roles of all tasks of a recorder, shared by the session's delegate and the tasks' own ones.
final class TaskRoles: Sendable {
    let recorder: TraceRecorder
    /// By what servers are judged, and what is shown to them, where nothing else is said.
    let certificates: SessionCertificates
    private let state = Locked(State())

    private struct State {
        var roles: [Int: TaskRole] = [:]
        /// The role of the step that runs; challenges of a session are answered by it.
        var current: TaskRole?
    }

    init(recorder: TraceRecorder, certificates: SessionCertificates = SessionCertificates()) {
        self.recorder = recorder
        self.certificates = certificates
    }

    /// Registers what runs now; a task that nobody has seen yet takes its number.
    func begin(_ role: TaskRole) {
        recorder.reserveTaskNumbers(below: role.number)
        state.withLock { state in
            state.roles[role.number] = role
            state.current = role
        }
    }

    /// Registers a task that is known before it is made.
    func add(_ role: TaskRole) { state.withLock { $0.roles[role.number] = role } }

    /// Which step runs, where one does.
    var current: TaskRole? { state.withLock { $0.current } }

    func role(of task: URLSessionTask) -> TaskRole {
        let number = recorder.number(ofTask: task)
        let family = Self.family(of: task)
        return state.withLock { state in
            if let role = state.roles[number] { return role }
            let role = TaskRole(number: number, family: family)
            state.roles[number] = role
            return role
        }
    }

    private static func family(of task: URLSessionTask) -> CallbackFamily {
        switch task {
        case is URLSessionDownloadTask: .UD
        case is URLSessionWebSocketTask: .WS
        case is URLSessionStreamTask: .ST
        default: .US
        }
    }
}
