import ProctorBase

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
