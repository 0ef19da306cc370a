/// Where a reply's content ends (RFC 9112 §6.3), by method, status and fields together.
public enum ReplyFraming: Sendable, Hashable {
    /// No content whatever the fields say: 1xx, 204, 304, and every reply to HEAD.
    case none
    /// Content-Length, in bytes; zero is a length too.
    case length(Int)
    /// Transfer-Encoding with `chunked` as its only coding.
    case chunked
    /// Neither: the content is whole when the peer closes, and nobody can tell that it was cut.
    case untilClose
    /// HTTP ends with this head: 101, and 2xx to CONNECT.
    case tunnel

    /// How the content is read.
    var content: ContentReader.State {
        switch self {
        case .none: .done
        case .length(let byteCount): .length(byteCount)
        case .chunked: .chunkLine
        case .untilClose: .untilClose(isTunnel: false)
        case .tunnel: .untilClose(isTunnel: true)
        }
    }
}
