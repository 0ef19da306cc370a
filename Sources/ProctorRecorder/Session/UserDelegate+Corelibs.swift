#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking
    internal import ProctorBase

    /// What a delegate is told, passed on where the protocol is conformed to.
    extension UserDelegate {
        func becameInvalid(_ session: URLSession, _ error: (any Error)?) {
            object.urlSession(session, didBecomeInvalidWithError: error)
        }

        func sent(_ session: URLSession, _ task: URLSessionTask, count: Int64, total: Int64, expected: Int64) {
            (object as? any URLSessionTaskDelegate)?.urlSession(
                session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
        }

        func collected(_ session: URLSession, _ task: URLSessionTask, metrics: URLSessionTaskMetrics) {
            (object as? any URLSessionTaskDelegate)?.urlSession(session, task: task, didFinishCollecting: metrics)
        }

        func completed(_ session: URLSession, _ task: URLSessionTask, error: (any Error)?) {
            (object as? any URLSessionTaskDelegate)?.urlSession(session, task: task, didCompleteWithError: error)
        }

        func received(_ session: URLSession, _ task: URLSessionDataTask, data: Data) {
            (object as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didReceive: data)
        }

        func became(_ session: URLSession, _ task: URLSessionDataTask, download: URLSessionDownloadTask) {
            (object as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didBecome: download)
        }

        func became(_ session: URLSession, _ task: URLSessionDataTask, stream: URLSessionStreamTask) {
            (object as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didBecome: stream)
        }

        func wrote(
            _ session: URLSession, _ task: URLSessionDownloadTask, count: Int64, total: Int64, expected: Int64
        ) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
                totalBytesExpectedToWrite: expected)
        }

        func finished(_ session: URLSession, _ task: URLSessionDownloadTask, location: URL) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didFinishDownloadingTo: location)
        }

        func resumed(_ session: URLSession, _ task: URLSessionDownloadTask, offset: Int64, expected: Int64) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
        }

        func opened(_ session: URLSession, _ task: URLSessionWebSocketTask, subprotocol: String?) {
            (object as? any URLSessionWebSocketDelegate)?.urlSession(
                session, webSocketTask: task, didOpenWithProtocol: subprotocol)
        }

        func closed(
            _ session: URLSession, _ task: URLSessionWebSocketTask,
            code: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            (object as? any URLSessionWebSocketDelegate)?.urlSession(
                session, webSocketTask: task, didCloseWith: code, reason: reason)
        }

        func readClosed(_ session: URLSession, _ task: URLSessionStreamTask) {
            (object as? any URLSessionStreamDelegate)?.urlSession(session, readClosedFor: task)
        }

        func writeClosed(_ session: URLSession, _ task: URLSessionStreamTask) {
            (object as? any URLSessionStreamDelegate)?.urlSession(session, writeClosedFor: task)
        }

        func foundBetterRoute(_ session: URLSession, _ task: URLSessionStreamTask) {
            (object as? any URLSessionStreamDelegate)?.urlSession(session, betterRouteDiscoveredFor: task)
        }

        func captured(_ session: URLSession, _ task: URLSessionStreamTask, input: InputStream, output: OutputStream) {
            (object as? any URLSessionStreamDelegate)?.urlSession(
                session, streamTask: task, didBecome: input, outputStream: output)
        }
    }

    /// Questions passed on; false where the user's delegate can not have been meant to answer.
    ///
    /// A protocol's default answers for a method that is not implemented, as it would without a recorder.
    extension UserDelegate {
        func challenged(
            _ session: URLSession, _ challenge: URLAuthenticationChallenge,
            handler: @escaping ChallengeHandler
        ) -> Bool {
            object.urlSession(session, didReceive: challenge, completionHandler: handler)
            return true
        }

        func redirected(
            _ session: URLSession, _ task: URLSessionTask, response: HTTPURLResponse, request: URLRequest,
            handler: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: handler)
            return true
        }

        func challenged(
            _ session: URLSession, _ task: URLSessionTask, challenge: URLAuthenticationChallenge,
            handler: @escaping ChallengeHandler
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: handler)
            return true
        }

        func needsBodyStream(
            _ session: URLSession, _ task: URLSessionTask, handler: @escaping @Sendable (InputStream?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(session, task: task, needNewBodyStream: handler)
            return true
        }

        func willBegin(
            _ session: URLSession, _ task: URLSessionTask, request: URLRequest,
            handler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: handler)
            return true
        }

        /// The default answers nothing, so that only the release of the handler shows that the method is not there.
        func received(
            _ session: URLSession, _ task: URLSessionDataTask, response: URLResponse,
            handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionDataDelegate else { return false }
            var lent = LentHandler()
            lent.lend { hold in
                delegate.urlSession(session, dataTask: task, didReceive: response) { answer in
                    hold.isUsed.withLock { $0 = true }
                    handler(answer)
                }
            }
            return !lent.isReleased
        }

        func willCache(
            _ session: URLSession, _ task: URLSessionDataTask, proposed: CachedURLResponse,
            handler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionDataDelegate else { return false }
            delegate.urlSession(session, dataTask: task, willCacheResponse: proposed, completionHandler: handler)
            return true
        }
    }

    /// Notices whether a handler that was lent for a call is kept when the call is over.
    private struct LentHandler: ~Copyable {
        private let isUsed = Locked(false)
        private weak var hold: Hold?

        /// What the lent handler keeps alive.
        final class Hold: Sendable {
            let isUsed: Locked<Bool>

            init(_ isUsed: Locked<Bool>) { self.isUsed = isUsed }
        }

        /// Runs `body` with the one reference there is besides its own.
        mutating func lend(_ body: (Hold) -> Void) {
            let hold = Hold(isUsed)
            self.hold = hold
            body(hold)
        }

        /// Whether the handler was not called and no longer can be.
        var isReleased: Bool { hold == nil && !isUsed.withLock { $0 } }
    }
#endif
