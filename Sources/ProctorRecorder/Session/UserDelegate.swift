internal import Foundation
internal import ProctorBase

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A user's own delegate, which gives the answers as without a recorder.
struct UserDelegate: Sendable {
    let object: any URLSessionDelegate

    var tasks: (any URLSessionTaskDelegate)? { object as? any URLSessionTaskDelegate }
    var data: (any URLSessionDataDelegate)? { object as? any URLSessionDataDelegate }
    var downloads: (any URLSessionDownloadDelegate)? { object as? any URLSessionDownloadDelegate }
    var webSockets: (any URLSessionWebSocketDelegate)? { object as? any URLSessionWebSocketDelegate }
    var streams: (any URLSessionStreamDelegate)? { object as? any URLSessionStreamDelegate }

    /// Asks about a response; false where the delegate does not implement the method.
    func answers(
        _ response: URLResponse, of task: URLSessionDataTask, in session: URLSession,
        by handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) -> Bool {
        guard let ask = implemented(data?.urlSession(_:dataTask:didReceive:completionHandler:)) else { return false }
        #if canImport(Darwin)
            ask(session, task, response, handler)
            return true
        #else
            // The protocol's default calls no handler: only the handler's release shows that the method is missing.
            var lent = LentHandler()
            lent.lend { hold in
                ask(session, task, response) { answer in
                    hold.isUsed.withLock { $0 = true }
                    handler(answer)
                }
            }
            return !lent.isReleased
        #endif
    }
}

/// A delegate's method, if the delegate implements it.
///
/// On Darwin a method can be missing. On Linux each protocol has defaults that answer like URLSession, so the result is
/// nil only where the delegate does not conform.
func implemented<Method>(_ method: Method?) -> Method? { method }

#if !canImport(Darwin)
    /// Finds out whether a handler is still held after a call.
    private struct LentHandler: ~Copyable {
        private let isUsed = Locked(false)
        private weak var hold: Hold?

        final class Hold: Sendable {
            let isUsed: Locked<Bool>

            init(_ isUsed: Locked<Bool>) { self.isUsed = isUsed }
        }

        /// Runs `body` with the only other reference.
        mutating func lend(_ body: (Hold) -> Void) {
            let hold = Hold(isUsed)
            self.hold = hold
            body(hold)
        }

        /// Whether the handler was not called and can no longer be.
        var isReleased: Bool { hold == nil && !isUsed.withLock { $0 } }
    }
#endif

#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking

    extension UserDelegate {
        /// Wraps the recorder in an object with only those protocols of URLSession that `self` conforms to.
        func narrowed(_ recorder: SessionRecorder) -> any URLSessionDelegate {
            guard object is any URLSessionTaskDelegate else { return SessionFront(recorder) }
            return narrowedForTasks(recorder)
        }

        /// The same for a delegate of a task.
        func narrowedForTasks(_ recorder: SessionRecorder) -> any URLSessionTaskDelegate {
            switch (object is any URLSessionDataDelegate, object is any URLSessionDownloadDelegate) {
            case (true, true): recorder
            case (true, false): DataFront(recorder)
            case (false, true): DownloadFront(recorder)
            case (false, false): TaskFront(recorder)
            }
        }
    }

    /// Passes calls to a recorder and conforms only to the protocols of a user's delegate.
    protocol RecorderFront: URLSessionDelegate {
        var full: SessionRecorder { get }
    }

    protocol TaskRecorderFront: RecorderFront, URLSessionTaskDelegate {}

    private final class SessionFront: NSObject, RecorderFront {
        let full: SessionRecorder

        init(_ full: SessionRecorder) { self.full = full }
    }

    private final class TaskFront: NSObject, TaskRecorderFront {
        let full: SessionRecorder

        init(_ full: SessionRecorder) { self.full = full }
    }

    private final class DataFront: NSObject, TaskRecorderFront, URLSessionDataDelegate {
        let full: SessionRecorder

        init(_ full: SessionRecorder) { self.full = full }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            full.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            full.urlSession(session, dataTask: dataTask, didReceive: data)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            full.urlSession(
                session, dataTask: dataTask, willCacheResponse: proposedResponse, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didBecome downloadTask: URLSessionDownloadTask
        ) {
            full.urlSession(session, dataTask: dataTask, didBecome: downloadTask)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didBecome streamTask: URLSessionStreamTask
        ) {
            full.urlSession(session, dataTask: dataTask, didBecome: streamTask)
        }
    }

    private final class DownloadFront: NSObject, TaskRecorderFront, URLSessionDownloadDelegate {
        let full: SessionRecorder

        init(_ full: SessionRecorder) { self.full = full }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            full.urlSession(session, downloadTask: downloadTask, didFinishDownloadingTo: location)
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            full.urlSession(
                session, downloadTask: downloadTask, didWriteData: bytesWritten, totalBytesWritten: totalBytesWritten,
                totalBytesExpectedToWrite: totalBytesExpectedToWrite)
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
            expectedTotalBytes: Int64
        ) {
            full.urlSession(
                session, downloadTask: downloadTask, didResumeAtOffset: fileOffset,
                expectedTotalBytes: expectedTotalBytes)
        }
    }

    extension RecorderFront {
        func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
            full.urlSession(session, didBecomeInvalidWithError: error)
        }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            full.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        }
    }

    extension TaskRecorderFront {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            full.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            full.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            full.urlSession(session, task: task, needNewBodyStream: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) {
            full.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            full.urlSession(
                session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            full.urlSession(session, task: task, didFinishCollecting: metrics)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            full.urlSession(session, task: task, didCompleteWithError: error)
        }
    }
#endif
