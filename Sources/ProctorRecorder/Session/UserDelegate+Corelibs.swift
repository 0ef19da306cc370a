#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking

    /// What a delegate is told, passed on where the protocol is conformed to.
    extension UserDelegate {
        func becameInvalid(_ session: URLSession, _ error: (any Error)?) {
            object.urlSession(session, didBecomeInvalidWithError: error)
        }

        func sent(_ session: URLSession, _ task: URLSessionTask, _ count: Int64, _ total: Int64, _ expected: Int64) {
            (object as? any URLSessionTaskDelegate)?.urlSession(
                session, task: task, didSendBodyData: count, totalBytesSent: total, totalBytesExpectedToSend: expected)
        }

        func collected(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
            (object as? any URLSessionTaskDelegate)?.urlSession(session, task: task, didFinishCollecting: metrics)
        }

        func completed(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
            (object as? any URLSessionTaskDelegate)?.urlSession(session, task: task, didCompleteWithError: error)
        }

        func received(_ session: URLSession, _ task: URLSessionDataTask, _ data: Data) {
            (object as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didReceive: data)
        }

        func became(_ session: URLSession, _ task: URLSessionDataTask, _ download: URLSessionDownloadTask) {
            (object as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didBecome: download)
        }

        func became(_ session: URLSession, _ task: URLSessionDataTask, _ stream: URLSessionStreamTask) {
            (object as? any URLSessionDataDelegate)?.urlSession(session, dataTask: task, didBecome: stream)
        }

        func wrote(
            _ session: URLSession, _ task: URLSessionDownloadTask, _ count: Int64, _ total: Int64, _ expected: Int64
        ) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didWriteData: count, totalBytesWritten: total,
                totalBytesExpectedToWrite: expected)
        }

        func finished(_ session: URLSession, _ task: URLSessionDownloadTask, _ location: URL) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didFinishDownloadingTo: location)
        }

        func resumed(_ session: URLSession, _ task: URLSessionDownloadTask, _ offset: Int64, _ expected: Int64) {
            (object as? any URLSessionDownloadDelegate)?.urlSession(
                session, downloadTask: task, didResumeAtOffset: offset, expectedTotalBytes: expected)
        }

        func opened(_ session: URLSession, _ task: URLSessionWebSocketTask, _ subprotocol: String?) {
            (object as? any URLSessionWebSocketDelegate)?.urlSession(
                session, webSocketTask: task, didOpenWithProtocol: subprotocol)
        }

        func closed(
            _ session: URLSession, _ task: URLSessionWebSocketTask,
            _ code: URLSessionWebSocketTask.CloseCode, _ reason: Data?
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

        func captured(_ session: URLSession, _ task: URLSessionStreamTask, _ input: InputStream, _ output: OutputStream)
        {
            (object as? any URLSessionStreamDelegate)?.urlSession(
                session, streamTask: task, didBecome: input, outputStream: output)
        }
    }
#endif
