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
