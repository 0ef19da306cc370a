internal import ProctorLoop
internal import ProctorServing

/// The server of DNS of a run with its task, which this owns.
final class RunningResponder: Sendable {
    private let responder: any NameServer
    private let task: Task<Void, Never>

    init(_ responder: any NameServer) {
        self.responder = responder
        task = responder.start()
    }

    var address: String { responder.address.description }

    /// Returns when its sockets are closed.
    func stop() async {
        responder.stop()
        await task.value
    }
}
