internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

// Callbacks of every kind of task that only tell.
extension SessionRecorder {
    /// `bodySent`, with the totals as they were given (R23).
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        let call = desk.enter(
            .bodySent, of: task, in: session,
            method: "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)",
            facts: .arithmetic(n: bytesSent, total: totalBytesSent, expected: totalBytesExpectedToSend))
        defer { call.returns() }
        user?.sent(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend)
    }

    /// `metrics`, with the number of transactions (R41).
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        let call = desk.enter(
            .metrics, of: task, in: session, method: "urlSession(_:task:didFinishCollecting:)",
            facts: [EventFact(.transactions, .integer(metrics.transactionMetrics.count))])
        defer { call.returns() }
        user?.collected(session, task, metrics)
    }

    /// `complete`, the last of a task (R39).
    public func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let failure = ErrorFacts(error)
        let role = roles.role(of: task)
        role.ended(with: failure.name, response: task.response)
        if let error { role.keepResumeData(of: error) }
        let call = desk.enter(
            .complete, failure.name, of: task, in: session, method: "urlSession(_:task:didCompleteWithError:)",
            facts: failure.facts)
        user?.completed(session, task, error)
        call.returns()
        // A step tells its own result, with what its program left behind.
        if role.step == nil { ResultFacts(role).record(to: recorder, hasEnded: true) }
    }

    #if canImport(Darwin)
        /// `created`, inside the call that makes the task and off the delegate queue (R46).
        public func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {
            let call = desk.enter(.created, of: task, in: session, method: "urlSession(_:didCreateTask:)")
            defer { call.returns() }
            user?.created(session, task)
        }

        /// `waiting`.
        public func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            let call = desk.enter(
                .waiting, of: task, in: session, method: "urlSession(_:taskIsWaitingForConnectivity:)")
            defer { call.returns() }
            user?.waits(session, task)
        }

        /// `informational`, once for each 1xx (R27).
        public func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            let call = desk.enter(
                .informational, String(response.statusCode), of: task, in: session,
                method: "urlSession(_:task:didReceiveInformationalResponse:)", facts: ResponseFacts(response).facts)
            defer { call.returns() }
            user?.received(session, task, informational: response)
        }
    #endif
}
