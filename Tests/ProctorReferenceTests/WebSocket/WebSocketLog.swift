import ProctorBase

@testable import ProctorReference

/// The calls of WebSockets' tasks, in order.
final class WebSocketLog: ReferenceSessionDelegate, ReferenceWebSocketDelegate {
    struct Told: Sendable {
        /// For the test to fill.
        var messages: [String] = []
        /// `open PROTOCOL`, `closed CODE REASON`, and `ok` or the kind of the error.
        var calls: [String] = []
    }

    let told = Locked(Told())

    func session(_: ReferenceSession, task _: ReferenceTask, didOpenWebSocketWith protocolName: String?) {
        told.withLock { $0.calls.append("open" + (protocolName.map { " \($0)" } ?? "")) }
    }

    func session(_: ReferenceSession, task _: ReferenceTask, didCloseWebSocketWith close: WebSocketClose) {
        let reason = String(decoding: close.reason, as: UTF8.self)
        told.withLock { $0.calls.append("closed \(close.code)" + (reason.isEmpty ? "" : " \(reason)")) }
    }

    func session(_: ReferenceSession, task _: ReferenceTask, didCompleteWith error: LoadError?) {
        told.withLock { $0.calls.append(error.map { "\($0.kind)" } ?? "ok") }
    }
}
