/// How a request says where its content ends (RFC 9112 §6.3).
public enum BodyFraming: Sendable, Hashable {
    /// Neither Content-Length nor Transfer-Encoding: no content.
    case none
    /// Content-Length, in bytes; zero is a length too.
    case length(Int)
    /// Transfer-Encoding with `chunked` as its only coding.
    case chunked

    /// How the content is read.
    var content: ContentReader.State {
        switch self {
        case .none: .done
        case .length(let byteCount): .length(byteCount)
        case .chunked: .chunkLine
        }
    }
}
