#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking

    /// Stands before a recorder and conforms to the protocol of sessions alone, as a user's delegate may.
    class NarrowSessionDelegate: NSObject, URLSessionDelegate, @unchecked Sendable {
        let full: SessionRecorder

        init(_ full: SessionRecorder) { self.full = full }

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

    /// Conforms to the protocol of tasks too.
    class NarrowDelegate: NarrowSessionDelegate, URLSessionTaskDelegate, @unchecked Sendable {
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
