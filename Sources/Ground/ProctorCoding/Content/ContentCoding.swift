import ProctorBase

/// A content coding by its name in HTTP (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
package enum ContentCoding: String, Sendable, CaseIterable {
    case gzip
    /// Equivalent to gzip (RFC 9110 §8.4.1.3).
    case xGzip = "x-gzip"
    /// The zlib format; some servers send raw DEFLATE under this name.
    case deflate
    case brotli = "br"
    case zstd
    case identity
}

extension ContentCoding {
    /// Parses the name in any letter case (RFC 9110 §8.4.1); nil for an unsupported coding, such as `compress`.
    package init?(name: some Sequence<UInt8>) {
        let lowercased = String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
        guard let coding = ContentCoding(rawValue: lowercased) else { return nil }
        self = coding
    }

    /// Parses the name in any letter case (RFC 9110 §8.4.1); nil for an unsupported coding, such as `compress`.
    package init?(name: String) {
        self.init(name: name.utf8)
    }

    package var isGzip: Bool { self == .gzip || self == .xGzip }

    /// The levels of the library; nil means that the coding has none.
    package var levels: ClosedRange<Int>? {
        switch self {
        case .gzip, .xGzip, .deflate: 0...9
        case .brotli: 0...11
        case .zstd: 1...22
        case .identity: nil
        }
    }
}
