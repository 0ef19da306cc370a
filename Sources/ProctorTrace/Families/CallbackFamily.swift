/// A family of client API, with the callbacks and the order that belong to it.
public enum CallbackFamily: String, Sendable, CaseIterable {
    /// URLSession data and upload tasks with a delegate.
    case US
    /// URLSession download tasks with a delegate.
    case UD
    /// URLSession tasks with a completion handler or `await` (R54).
    case HT
    /// Tasks of background sessions.
    case BG
    /// NSURLConnection.
    case UC
    /// NSURLConnectionDownloadDelegate.
    case CD
    /// NSURLDownload.
    case DL
    /// What a URLProtocol tells its URLProtocolClient.
    case PC
    /// The life of a URLProtocol object.
    case proto
    /// WebSocket tasks.
    case WS
    /// Stream tasks.
    case ST
}
