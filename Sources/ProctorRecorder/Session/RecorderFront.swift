#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking

    extension UserDelegate {
        /// The recorder behind an object that has those protocols of URLSession which decide what it does.
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

    /// Stands before a recorder and conforms to no more protocols than a user's delegate does.
    protocol RecorderFront: URLSessionDelegate {
        var full: SessionRecorder { get }
    }

    /// Passes on what tasks of every kind tell and ask.
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
