#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking

    extension UserDelegate {
        /// The recorder behind an object that has those protocols of URLSession which decide what it does.
        func narrowed(_ recorder: SessionRecorder) -> any URLSessionDelegate {
            guard object is any URLSessionTaskDelegate else { return NarrowSessionDelegate(recorder) }
            return narrowedForTasks(recorder)
        }

        /// The same for a delegate of a task.
        func narrowedForTasks(_ recorder: SessionRecorder) -> any URLSessionTaskDelegate {
            switch (object is any URLSessionDataDelegate, object is any URLSessionDownloadDelegate) {
            case (true, true): recorder
            case (true, false): NarrowDataDelegate(recorder)
            case (false, true): NarrowDownloadDelegate(recorder)
            case (false, false): NarrowDelegate(recorder)
            }
        }
    }

    /// Conforms to the protocol of data tasks too.
    private final class NarrowDataDelegate: NarrowDelegate, URLSessionDataDelegate, @unchecked Sendable {
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

    /// Conforms to the protocol of download tasks too.
    private final class NarrowDownloadDelegate: NarrowDelegate, URLSessionDownloadDelegate, @unchecked Sendable {
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
#endif
