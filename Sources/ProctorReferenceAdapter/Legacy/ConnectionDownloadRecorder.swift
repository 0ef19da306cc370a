internal import ProctorRecorder
package import ProctorReference
internal import ProctorTrace

/// The recording delegate of a ``ReferenceConnectionDownload``: family CD.
package final class ConnectionDownloadRecorder: LegacyRecording, ReferenceConnectionDownloadDelegate {
    /// Where it writes.
    package let record: LegacyRecord

    /// Writes nothing yet.
    package init(_ record: LegacyRecord) { self.record = record }

    /// `progress` (R34).
    package func connection(
        _ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int
    ) {
        record.enter(
            .progress, method: ":didWriteData:totalBytesWritten:expectedTotalBytes:",
            facts: .arithmetic(n: n, total: total, expected: expected)
        ).returns()
    }

    /// `downloadResumed`, with the offset; 0 starts over (R36).
    package func connectionDidResumeDownloading(
        _ connection: ReferenceConnectionDownload, total: Int, expected: Int
    ) {
        record.enter(
            .downloadResumed, String(total), method: "DidResumeDownloading:totalBytesWritten:expectedTotalBytes:",
            facts: [EventFact(.offset, .integer(total)), EventFact(.expected, .integer(expected))]
        ).returns()
    }

    /// `fileReady`, the end; the file is read here, as it is gone when the callback returns.
    package func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String) {
        let body = KeptBody(ofFile: path)
        record.step.received(whole: body ?? KeptBody(), of: connection.response)
        record.step.ended(with: nil)
        let facts = ([EventFact(.file, .text(path))] as EventFacts).appending(body?.contentFacts ?? [])
        record.enter(.fileReady, method: "DidFinishDownloading:destinationURL:", facts: facts).returns()
    }

    /// `complete` with the name of an error.
    package func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {
        recordFailure(error)
    }
}
