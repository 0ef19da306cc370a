import ProctorBase

/// A coding of content by the name that HTTP has for it (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
public enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    /// Equivalent to gzip.
    case xGzip = "x-gzip"
    /// The zlib format; some send raw DEFLATE under this name.
    case deflate
    case brotli = "br"
    case zstd
    /// Nothing is changed.
    case identity
}

extension ContentCoding {
    /// By its name in any case (RFC 9110 §8.4.1); nil for what is not decoded here, like `compress`.
    public init?(name: some Sequence<UInt8>) {
        let lowercased = String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
        guard let coding = ContentCoding(rawValue: lowercased) else { return nil }
        self = coding
    }

    /// By its name in any case (RFC 9110 §8.4.1); nil for what is not decoded here, like `compress`.
    public init?(name: String) {
        self.init(name: name.utf8)
    }

    /// Whether the bytes are a gzip file under either name.
    public var isGzip: Bool { self == .gzip || self == .xGzip }

    /// The levels that the library has; nil: the coding knows none.
    public var levels: ClosedRange<Int>? {
        switch self {
        case .gzip, .xGzip, .deflate: 0...9
        case .brotli: 0...11
        case .zstd: 1...22
        case .identity: nil
        }
    }
}
