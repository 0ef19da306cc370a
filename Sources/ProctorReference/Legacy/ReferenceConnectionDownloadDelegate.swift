/// Whom a ``ReferenceConnectionDownload`` tells, in the words of NSURLConnectionDownloadDelegate.
///
/// Each method may be left out. All totals are of the file, in bytes; `expected` is 0 where nobody knows.
public protocol ReferenceConnectionDownloadDelegate: LegacyDelegate {
    /// Bytes were written to the file (R34).
    func connection(_ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int)

    /// The download goes on by itself after a connection broke, from `total` on; 0: from the beginning (R36).
    func connectionDidResumeDownloading(_ connection: ReferenceConnectionDownload, total: Int, expected: Int)

    /// The end, if all went well; the file is there until this returns, unless it is moved away meanwhile.
    func connectionDidFinishDownloading(_ connection: ReferenceConnectionDownload, destination path: String)

    /// The end, if not; there is no file.
    func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError)
}

extension ReferenceConnectionDownloadDelegate {
    /// Does nothing.
    public func connection(
        _ connection: ReferenceConnectionDownload, didWriteData n: Int, total: Int, expected: Int
    ) {}

    /// Does nothing.
    public func connectionDidResumeDownloading(
        _ connection: ReferenceConnectionDownload, total: Int, expected: Int
    ) {}

    /// Does nothing.
    public func connectionDidFinishDownloading(
        _ connection: ReferenceConnectionDownload, destination path: String
    ) {}

    /// Does nothing.
    public func connection(_ connection: ReferenceConnectionDownload, didFailWith error: LoadError) {}
}

/// A call of a ``ReferenceConnectionDownloadDelegate``.
package enum ConnectionDownloadCall: Sendable, Equatable {
    case common(LegacyCall)
    case didWriteData(n: Int, total: Int, expected: Int)
    case didResumeDownloading(total: Int, expected: Int)
    case didFinishDownloading(path: String)
    case didFail(LoadError)
}
