import ProctorBase
import ProctorHTTP

extension JSONText {
    /// An element: a list of the name and the value.
    @inline(__always)
    mutating func fieldLine(_ name: borrowing Span<UInt8>, _ value: borrowing Span<UInt8>) {
        element()
        open("[")
        element()
        stringOrBase64(name)
        element()
        stringOrBase64(value)
        close("]")
    }
}

extension HTTPVersion {
    /// `HTTP/1.1`, or `HTTP/2` and `HTTP/3`, which have no minor versions.
    package var text: String {
        switch self {
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2"
        case .http3: "HTTP/3"
        default: "HTTP/\(major).\(minor)"
        }
    }
}

extension BodyFraming {
    var word: String {
        switch self {
        case .none: "none"
        case .length: "length"
        case .chunked: "chunked"
        case .frames: "frames"
        }
    }
}
