public import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Callbacks of download tasks.
extension SessionRecorder {
    /// `progress`, with the totals as they were given (R34).
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        let call = desk.enter(
            .progress, of: downloadTask, in: session,
            method: "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)",
            facts: .arithmetic(n: bytesWritten, total: totalBytesWritten, expected: totalBytesExpectedToWrite))
        defer { call.returns() }
        user?.wrote(session, downloadTask, bytesWritten, totalBytesWritten, totalBytesExpectedToWrite)
    }

    /// `fileReady`; the file is read here, as it is gone when the callback returns (R35).
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        let file = DownloadedFile(location)
        roles.role(of: downloadTask).received(file, response: downloadTask.response)
        let facts = ([EventFact(.file, .text(location.path))] as EventFacts).appending(file.facts)
        let call = desk.enter(
            .fileReady, of: downloadTask, in: session,
            method: "urlSession(_:downloadTask:didFinishDownloadingTo:)", facts: facts)
        defer { call.returns() }
        user?.finished(session, downloadTask, location)
    }

    /// `downloadResumed`, with the offset; 0 starts over (R36).
    public func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset fileOffset: Int64,
        expectedTotalBytes: Int64
    ) {
        let call = desk.enter(
            .downloadResumed, String(fileOffset), of: downloadTask, in: session,
            method: "urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)",
            facts: [
                EventFact(.offset, .integer(Int(clamping: fileOffset))),
                EventFact(.expected, .integer(Int(clamping: expectedTotalBytes))),
            ])
        defer { call.returns() }
        user?.resumed(session, downloadTask, fileOffset, expectedTotalBytes)
    }
}
