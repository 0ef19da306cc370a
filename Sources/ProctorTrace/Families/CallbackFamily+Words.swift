extension CallbackFamily {
    /// The API by its name, for a person.
    public var words: String {
        switch self {
        case .US: "URLSession data and upload tasks"
        case .UD: "URLSession download tasks"
        case .HT: "tasks with a completion handler or await"
        case .BG: "background sessions"
        case .UC: "NSURLConnection"
        case .CD: "NSURLConnectionDownloadDelegate"
        case .DL: "NSURLDownload"
        case .PC: "URLProtocol to its client"
        case .proto: "the life of a URLProtocol"
        case .WS: "WebSocket tasks"
        case .ST: "stream tasks"
        }
    }
}
