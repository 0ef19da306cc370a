internal import ProctorBase
internal import ProctorRecorder
package import ProctorReference
internal import ProctorTrace

/// The recording delegate of a ``ReferenceDownload``: family DL.
package final class DownloadRecorder: LegacyRecording, ReferenceDownloadDelegate {
    /// Where it writes.
    package let record: LegacyRecord
    /// Where files are put.
    private let folder: String
    private let destination: Locked<String?>

    /// Writes nothing yet; `destination` is the file of a download that goes on.
    package init(_ record: LegacyRecord, folder: String, destination: String? = nil) {
        self.record = record
        self.folder = folder
        self.destination = Locked(destination)
    }

    /// Of the file; nil before it is made.
    package var path: String? { destination.withLock { $0 } }

    /// `downloadBegin`, the first (R37).
    package func downloadDidBegin(_ download: ReferenceDownload) {
        record.enter(.downloadBegin, method: "DidBegin:").returns()
    }

    /// `response`.
    package func download(_ download: ReferenceDownload, didReceive response: LoadResponse) {
        record.step.received(response)
        let facts = ReplyFacts(response)
        record.enter(.response, facts.status, method: ":didReceiveResponse:", facts: facts.facts).returns()
    }

    /// `downloadResumed`, in place of `response`, with the offset; 0 starts over (R36).
    package func download(
        _ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int
    ) {
        record.step.received(response)
        var facts = ReplyFacts(response).facts
        facts.add(.offset, offset)
        record.enter(
            .downloadResumed, String(offset), method: ":willResumeWithResponse:fromByte:", facts: facts
        ).returns()
    }

    /// `progress`, with the bytes that came.
    package func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int) {
        record.enter(
            .progress, method: ":didReceiveDataOfLength:", facts: [EventFact(.n, .integer(byteCount))]
        ).returns()
    }

    /// `shouldDecode`; yes, as no program has a say in it.
    package func download(
        _ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String
    ) -> Bool {
        record.enter(
            .shouldDecode, type, method: ":shouldDecodeSourceDataOfMIMEType:",
            facts: [EventFact(.accepts, .flag(true))]
        ).returns()
        return true
    }

    /// `destination`, with the name that was offered; it is taken.
    package func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String) {
        let call = record.enter(
            .destination, name, method: ":decideDestinationWithSuggestedFilename:",
            facts: [EventFact(.suggestedName, .text(name))])
        defer { call.returns() }
        if !call.isCancelled { download.setDestination("\(folder)/\(name)", allowingOverwrite: false) }
    }

    /// `destinationCreated`.
    package func download(_ download: ReferenceDownload, didCreateDestination path: String) {
        destination.withLock { $0 = path }
        record.enter(
            .destinationCreated, method: ":didCreateDestination:", facts: [EventFact(.file, .text(path))]
        ).returns()
    }

    /// `complete(ok)`; the file stays.
    package func downloadDidFinish(_ download: ReferenceDownload) {
        if let path { record.step.received(whole: KeptBody(ofFile: path) ?? KeptBody(), of: nil) }
        record.step.ended(with: nil)
        record.enter(.complete, FailureFacts(nil).name, method: "DidFinish:").returns()
    }

    /// `complete` with the name of an error.
    package func download(_ download: ReferenceDownload, didFailWith error: LoadError) { recordFailure(error) }
}
