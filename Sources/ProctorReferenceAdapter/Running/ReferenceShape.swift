/// As which API of Foundation the reference client does an assignment; the raw value stands on command lines.
public enum ReferenceShape: String, Sendable, CaseIterable {
    /// URLSession, with a delegate or a completion handler: families US, UD and HT.
    case session
    /// NSURLConnection: family UC.
    case connection
    /// NSURLConnectionDownloadDelegate: family CD.
    case connectionDownload = "connection-download"
    /// NSURLDownload: family DL.
    case download
    /// A URLProtocol under a loading system of ours: families PC and `proto`.
    case urlProtocol = "url-protocol"
}
