/// Whom a ``ReferenceDownload`` tells, in the words of NSURLDownload; each method may be left out.
///
/// Of ``LegacyDelegate`` it knows the old methods for challenges alone.
public protocol ReferenceDownloadDelegate: LegacyDelegate {
    /// The first of all, but for the question about stored credentials (R37).
    func downloadDidBegin(_ download: ReferenceDownload)

    /// The definitive head; another one makes what came before it void (R26).
    func download(_ download: ReferenceDownload, didReceive response: LoadResponse)

    /// In place of `didReceive response` where an earlier download is gone on with; byte 0: from the beginning (R36).
    func download(_ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int)

    /// So many bytes came; they are in the file.
    func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int)

    /// Whether a file of that encoding is to be decoded on its way to the disk; asked of encodings alone (R37).
    ///
    /// Yes: the file is what stands in the gzip, MacBinary or BinHex file, of the latter two the data fork; what can't be
    /// decoded fails with `cannotDecodeRawData`, and nothing can be gone on with. Left out: no.
    func download(_ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String) -> Bool

    /// Time for ``ReferenceDownload/setDestination(_:allowingOverwrite:)``; asked where no destination is set.
    ///
    /// The name is one file name, whatever the server said. Left out: that name, in the download's own folder.
    func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String)

    /// The file is there, and still empty.
    func download(_ download: ReferenceDownload, didCreateDestination path: String)

    /// The end, if all went well; the file stays.
    func downloadDidFinish(_ download: ReferenceDownload)

    /// The end, if not; what becomes of the file is said by ``ReferenceDownload/deletesFileUponFailure``.
    func download(_ download: ReferenceDownload, didFailWith error: LoadError)
}

extension ReferenceDownloadDelegate {
    /// Does nothing.
    public func downloadDidBegin(_ download: ReferenceDownload) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didReceive response: LoadResponse) {}

    /// Does nothing.
    public func download(
        _ download: ReferenceDownload, willResumeWith response: LoadResponse, fromByte offset: Int
    ) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didReceiveDataOfLength byteCount: Int) {}

    /// No.
    public func download(
        _ download: ReferenceDownload, shouldDecodeSourceDataOfMIMEType type: String
    ) -> Bool { false }

    /// The name that is offered, in the folder of the configuration.
    public func download(_ download: ReferenceDownload, decideDestinationWithSuggestedFilename name: String) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didCreateDestination path: String) {}

    /// Does nothing.
    public func downloadDidFinish(_ download: ReferenceDownload) {}

    /// Does nothing.
    public func download(_ download: ReferenceDownload, didFailWith error: LoadError) {}
}

/// A call of a ``ReferenceDownloadDelegate``.
package enum DownloadCall: Sendable, Equatable {
    case common(LegacyCall)
    case didBegin
    case didReceiveResponse(LoadResponse)
    case willResume(LoadResponse, fromByte: Int)
    case didReceiveData(byteCount: Int)
    case shouldDecode(type: String)
    case decideDestination(suggestedName: String)
    case didCreateDestination(path: String)
    case didFinish
    case didFail(LoadError)
}
