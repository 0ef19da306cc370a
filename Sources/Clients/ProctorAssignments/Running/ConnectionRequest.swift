#if canImport(Darwin)
    internal import Foundation
    internal import ProctorEvents
    internal import ProctorRecorder

    /// A request by NSURLConnection's class methods as a step's task; the caller gets only the result (R62).
    final class ConnectionRequest: StepTask {
        private let request: URLRequest
        private let handler: HandlerRecord
        /// nil for a synchronous request.
        private let queue: OperationQueue?
        private let calls: any ConnectionCalls = DeprecatedConnectionCalls()

        /// Records the name of the queue, if there is one, which a trace uses for it.
        init(_ request: URLRequest, _ handler: HandlerRecord, queue: (named: String, OperationQueue)?) {
            (self.request, self.handler) = (request, handler)
            self.queue = queue?.1
            if let queue { handler.record.notes.schedule("queue", at: queue.named) }
        }

        var canBeSuspended: Bool { false }
        var canLeaveResumeData: Bool { false }

        func resume() {
            let notes = handler.record.notes
            if let queue {
                calls.send(request, on: queue) { [handler] in handler.called($0, $1, error: $2) }
                return notes.record(.returned)
            }
            // A thread of its own, since the call blocks it.
            Thread.detachNewThread { [self] in
                let result = calls.send(request)
                notes.record(.returned)
                handler.returned(result.data, result.response, error: result.error)
            }
        }

        func suspend() {}
        func cancel() {}
    }

    /// The calls without their deprecation of macOS 10.11, since the old API itself is tested here.
    private protocol ConnectionCalls: Sendable {
        func send(_ request: URLRequest) -> (data: Data?, response: URLResponse?, error: (any Error)?)

        func send(
            _ request: URLRequest, on queue: OperationQueue,
            _ block: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void)
    }

    private struct DeprecatedConnectionCalls: ConnectionCalls {
        @available(*, deprecated)
        func send(_ request: URLRequest) -> (data: Data?, response: URLResponse?, error: (any Error)?) {
            var response: URLResponse?
            do {
                let data = try unsafe NSURLConnection.sendSynchronousRequest(request, returning: &response)
                return (data, response, nil)
            } catch {
                return (nil, response, error)
            }
        }

        @available(*, deprecated)
        func send(
            _ request: URLRequest, on queue: OperationQueue,
            _ block: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
        ) {
            NSURLConnection.sendAsynchronousRequest(request, queue: queue) { block($1, $0, $2) }
        }
    }
#endif
