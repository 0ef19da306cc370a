#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking
    internal import ProctorProgram

    extension UserDelegate {
        /// Wraps the recorder in an object that conforms only to those protocols of URLSession to which `self`
        /// conforms.
        func narrowed(_ recorder: SessionCallbacks) -> any URLSessionDelegate {
            guard object is any URLSessionTaskDelegate else { return SessionFront(recorder) }
            return narrowedForTasks(recorder)
        }

        /// Does the same for the delegate of a task.
        func narrowedForTasks(_ recorder: SessionCallbacks) -> any URLSessionTaskDelegate {
            switch (object is any URLSessionDataDelegate, object is any URLSessionDownloadDelegate) {
            case (true, true): recorder
            case (true, false): DataFront(recorder)
            case (false, true): DownloadFront(recorder)
            case (false, false): TaskFront(recorder)
            }
        }
    }

    /// Passes calls to a recorder, and conforms only to the protocols of a user's delegate.
    protocol RecorderFront: URLSessionDelegate {
        var full: SessionCallbacks { get }
    }

    protocol TaskRecorderFront: RecorderFront, URLSessionTaskDelegate {}

    protocol RedirectFront: RecorderFront, URLSessionTaskDelegate {}
    protocol BodyStreamFront: RecorderFront, URLSessionTaskDelegate {}
    protocol BodySentFront: RecorderFront, URLSessionTaskDelegate {}
    protocol DataMethods: RecorderFront, URLSessionDataDelegate {}
    protocol WillCacheFront: RecorderFront, URLSessionDataDelegate {}
    protocol ResponseFront: RecorderFront, URLSessionDataDelegate {}
    protocol DownloadMethods: RecorderFront, URLSessionDownloadDelegate {}

    typealias WholeTaskFront = TaskRecorderFront & RedirectFront & BodyStreamFront & BodySentFront
    /// The protocols of every front for programs.
    private typealias ProgramFront = TaskRecorderFront & DataMethods & DownloadMethods

    private final class FrontWithoutRedirect: NSObject, ProgramFront, BodyStreamFront, BodySentFront, WillCacheFront,
        ResponseFront
    {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    private final class FrontWithoutBodyStream: NSObject, ProgramFront, RedirectFront, BodySentFront, WillCacheFront,
        ResponseFront
    {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    private final class FrontWithoutBodySent: NSObject, ProgramFront, RedirectFront, BodyStreamFront, WillCacheFront,
        ResponseFront
    {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    private final class FrontWithoutWillCache: NSObject, ProgramFront, RedirectFront, BodyStreamFront, BodySentFront,
        ResponseFront
    {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    private final class FrontWithoutResponse: NSObject, ProgramFront, RedirectFront, BodyStreamFront, BodySentFront,
        WillCacheFront
    {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    extension SessionCallbacks {
        /// An object without the one method that the program removes; nil when it removes none.
        var front: (any TaskRecorderFront)? {
            switch without.first {
            case .redirect: FrontWithoutRedirect(self)
            case .needBodyStream: FrontWithoutBodyStream(self)
            case .bodySent: FrontWithoutBodySent(self)
            case .willCache: FrontWithoutWillCache(self)
            case .response: FrontWithoutResponse(self)
            case .askCanAuth, .askCredStore, .shouldDecode, .destination, nil: nil
            }
        }
    }

    private final class SessionFront: NSObject, RecorderFront {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    private final class TaskFront: NSObject, WholeTaskFront {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    private final class DataFront: NSObject, WholeTaskFront, DataMethods, WillCacheFront, ResponseFront {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    extension DataMethods {
        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            full.urlSession(session, dataTask: dataTask, didReceive: data)
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

    extension ResponseFront {
        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            full.urlSession(session, dataTask: dataTask, didReceive: response, completionHandler: completionHandler)
        }
    }

    extension WillCacheFront {
        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
            completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) {
            full.urlSession(
                session, dataTask: dataTask, willCacheResponse: proposedResponse, completionHandler: completionHandler)
        }
    }

    private final class DownloadFront: NSObject, WholeTaskFront, DownloadMethods {
        let full: SessionCallbacks

        init(_ full: SessionCallbacks) { self.full = full }
    }

    extension DownloadMethods {
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

    // Each protocol has the methods that a delegate may lack; a front without the protocol has Foundation's defaults.

    extension RedirectFront {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            full.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: completionHandler)
        }
    }

    extension BodyStreamFront {
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            full.urlSession(session, task: task, needNewBodyStream: completionHandler)
        }
    }

    extension BodySentFront {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            full.urlSession(
                session, task: task, didSendBodyData: bytesSent, totalBytesSent: totalBytesSent,
                totalBytesExpectedToSend: totalBytesExpectedToSend)
        }
    }

    extension TaskRecorderFront {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            full.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willBeginDelayedRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) {
            full.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: completionHandler)
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
