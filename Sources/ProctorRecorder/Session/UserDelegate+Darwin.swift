#if canImport(Darwin)
    internal import Foundation

    /// What a delegate is told, passed on where the method is implemented.
    extension UserDelegate {
        func becameInvalid(_ session: URLSession, _ error: (any Error)?) {
            object.urlSession?(session, didBecomeInvalidWithError: error)
        }

        func finishedBackgroundEvents(_ session: URLSession) {
            object.urlSessionDidFinishEvents?(forBackgroundURLSession: session)
        }

        func sent(_ session: URLSession, _ task: URLSessionTask, count: Int64, total: Int64, expected: Int64) {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
        }

        func collected(_ session: URLSession, _ task: URLSessionTask, metrics: URLSessionTaskMetrics) {
            (object as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
        }

        func completed(_ session: URLSession, _ task: URLSessionTask, error: (any Error)?) {
            (object as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didCompleteWithError: error)
        }

        func created(_ session: URLSession, _ task: URLSessionTask) {
            (object as? any URLSessionTaskDelegate)?.urlSession?(session, didCreateTask: task)
        }

        func waits(_ session: URLSession, _ task: URLSessionTask) {
            (object as? any URLSessionTaskDelegate)?.urlSession?(session, taskIsWaitingForConnectivity: task)
        }

        func received(_ session: URLSession, _ task: URLSessionTask, informational response: HTTPURLResponse) {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, didReceiveInformationalResponse: response)
        }

        func received(_ session: URLSession, _ task: URLSessionDataTask, data: Data) {
            (object as? any URLSessionDataDelegate)?.urlSession?(session, dataTask: task, didReceive: data)
        }

        func became(_ session: URLSession, _ task: URLSessionDataTask, download: URLSessionDownloadTask) {
            (object as? any URLSessionDataDelegate)?.urlSession?(session, dataTask: task, didBecome: download)
        }

        func became(_ session: URLSession, _ task: URLSessionDataTask, stream: URLSessionStreamTask) {
            (object as? any URLSessionDataDelegate)?.urlSession?(session, dataTask: task, didBecome: stream)
        }

        func wrote(
            _ session: URLSession, _ task: URLSessionDownloadTask, count: Int64, total: Int64, expected: Int64
        ) {
            (object as? any URLSessionDownloadDelegate)?.urlSession?(
                session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
                totalBytesExpectedToWrite: expected)
        }

        func finished(_ session: URLSession, _ task: URLSessionDownloadTask, location: URL) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didFinishDownloadingTo: location)
        }

        func resumed(_ session: URLSession, _ task: URLSessionDownloadTask, offset: Int64, expected: Int64) {
            (object as? any URLSessionDownloadDelegate)?.urlSession?(
                session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
        }

        func opened(_ session: URLSession, _ task: URLSessionWebSocketTask, subprotocol: String?) {
            (object as? any URLSessionWebSocketDelegate)?.urlSession?(
                session, webSocketTask: task, didOpenWithProtocol: subprotocol)
        }

        func closed(
            _ session: URLSession, _ task: URLSessionWebSocketTask,
            code: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            (object as? any URLSessionWebSocketDelegate)?.urlSession?(
                session, webSocketTask: task, didCloseWith: code, reason: reason)
        }

        func readClosed(_ session: URLSession, _ task: URLSessionStreamTask) {
            (object as? any URLSessionStreamDelegate)?.urlSession?(session, readClosedFor: task)
        }

        func writeClosed(_ session: URLSession, _ task: URLSessionStreamTask) {
            (object as? any URLSessionStreamDelegate)?.urlSession?(session, writeClosedFor: task)
        }

        func foundBetterRoute(_ session: URLSession, _ task: URLSessionStreamTask) {
            (object as? any URLSessionStreamDelegate)?.urlSession?(session, betterRouteDiscoveredFor: task)
        }

        func captured(_ session: URLSession, _ task: URLSessionStreamTask, input: InputStream, output: OutputStream) {
            (object as? any URLSessionStreamDelegate)?.urlSession?(
                session, streamTask: task, didBecome: input, outputStream: output)
        }
    }

    /// Questions passed on; false where the method is not implemented.
    extension UserDelegate {
        func challenged(
            _ session: URLSession, _ challenge: URLAuthenticationChallenge,
            handler: @escaping ChallengeHandler
        ) -> Bool {
            object.urlSession?(session, didReceive: challenge, completionHandler: handler) != nil
        }

        func redirected(
            _ session: URLSession, _ task: URLSessionTask, response: HTTPURLResponse, request: URLRequest,
            handler: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: handler) != nil
        }

        func challenged(
            _ session: URLSession, _ task: URLSessionTask, challenge: URLAuthenticationChallenge,
            handler: @escaping ChallengeHandler
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, didReceive: challenge, completionHandler: handler) != nil
        }

        func needsBodyStream(
            _ session: URLSession, _ task: URLSessionTask, handler: @escaping @Sendable (InputStream?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, needNewBodyStream: handler) != nil
        }

        func needsBodyStream(
            _ session: URLSession, _ task: URLSessionTask, from offset: Int64,
            handler: @escaping @Sendable (InputStream?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, needNewBodyStreamFrom: offset, completionHandler: handler) != nil
        }

        func willBegin(
            _ session: URLSession, _ task: URLSessionTask, request: URLRequest,
            handler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, willBeginDelayedRequest: request, completionHandler: handler) != nil
        }

        func received(
            _ session: URLSession, _ task: URLSessionDataTask, response: URLResponse,
            handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) -> Bool {
            (object as? any URLSessionDataDelegate)?.urlSession?(
                session, dataTask: task, didReceive: response, completionHandler: handler) != nil
        }

        func willCache(
            _ session: URLSession, _ task: URLSessionDataTask, proposed: CachedURLResponse,
            handler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) -> Bool {
            (object as? any URLSessionDataDelegate)?.urlSession?(
                session, dataTask: task, willCacheResponse: proposed, completionHandler: handler) != nil
        }
    }
#endif
