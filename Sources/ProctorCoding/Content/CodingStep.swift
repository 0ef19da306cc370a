/// One coding as it is applied, well or badly on purpose.
public struct CodingStep: Sendable, Equatable {
    /// What is applied, and its name.
    public let coding: ContentCoding
    /// In the library's own scale (gzip and deflate 0...9, br 0...11, zstd 1...22); nil: its default.
    public let level: Int?
    /// Only of gzip and x-gzip.
    public let gzip: GzipShape
    /// Only of deflate: without the zlib header and checksum.
    public let isRaw: Bool
    /// The checksum at the end is wrong; only of gzip, x-gzip, deflate (unless raw) and zstd.
    public let hasWrongChecksum: Bool
    /// Bytes left off at the end of what is coded.
    public let missingByteCount: Int
    /// Put behind what is coded.
    public let trailing: [UInt8]

    /// The defaults are a well-formed coding.
    public init(
        _ coding: ContentCoding, level: Int? = nil, gzip: GzipShape = GzipShape(), isRaw: Bool = false,
        hasWrongChecksum: Bool = false, missingByteCount: Int = 0, trailing: [UInt8] = []
    ) {
        self.coding = coding
        self.level = level
        self.gzip = gzip
        self.isRaw = isRaw
        self.hasWrongChecksum = hasWrongChecksum
        self.missingByteCount = missingByteCount
        self.trailing = trailing
    }
}

/// What can be chosen of a gzip file beside its content (RFC 1952 §2.3); every member has the same header.
public struct GzipShape: Sendable, Equatable {
    /// Bytes of content of each member in order, the last one takes the rest; empty: one member.
    ///
    /// A member is begun only while content is left.
    public let memberSizes: [Int]
    /// FNAME in ISO 8859-1, without its NUL.
    public let name: [UInt8]?
    /// FCOMMENT in ISO 8859-1, without its NUL.
    public let comment: [UInt8]?
    /// FEXTRA, 65,535 bytes at most.
    public let extra: [UInt8]?
    /// MTIME in seconds since 1970; 0: none.
    public let modified: UInt32
    /// Whether FHCRC stands behind the header.
    public let hasHeaderChecksum: Bool
    /// ISIZE is wrong.
    public let hasWrongLength: Bool

    /// The defaults are a file of one member that says nothing of itself.
    public init(
        memberSizes: [Int] = [], name: [UInt8]? = nil, comment: [UInt8]? = nil, extra: [UInt8]? = nil,
        modified: UInt32 = 0, hasHeaderChecksum: Bool = false, hasWrongLength: Bool = false
    ) {
        self.memberSizes = memberSizes
        self.name = name
        self.comment = comment
        self.extra = extra
        self.modified = modified
        self.hasHeaderChecksum = hasHeaderChecksum
        self.hasWrongLength = hasWrongLength
    }
}

extension CodingStep {
    /// The most bytes that can be left off at the end, 1 MiB: so many are held back.
    public static let missingByteBound = 1 << 20

    /// The most members of one gzip file.
    public static let memberBound = 1_024

    /// Refuses what the coding has no place for, without starting its library.
    public func check() throws(CodingFailure) {
        try checkLevel()
        if isRaw, coding != .deflate {
            throw refusal("has one format; raw is only for deflate")
        }
        try checkChecksum()
        guard 0...Self.missingByteBound ~= missingByteCount else {
            throw refusal("can miss 0 to \(Self.missingByteBound) bytes at its end, not \(missingByteCount)")
        }
        if coding.isGzip {
            try gzip.check()
        } else if gzip != GzipShape() {
            throw refusal(
                "is no gzip file; members, name, comment, extra, modified, header-checksum and length are gzip's")
        }
    }

    private func checkLevel() throws(CodingFailure) {
        guard let level else { return }
        guard let levels = coding.levels else { throw refusal("has no level") }
        guard levels ~= level else {
            throw refusal("has the levels \(levels.lowerBound) to \(levels.upperBound), not \(level)")
        }
    }

    private func checkChecksum() throws(CodingFailure) {
        guard hasWrongChecksum else { return }
        switch coding {
        case .brotli, .identity: throw refusal("has no checksum that could be wrong")
        case .deflate where isRaw: throw refusal("has no checksum in its raw format; leave raw or the checksum out")
        case .gzip, .xGzip, .deflate, .zstd: return
        }
    }

    private func refusal(_ sentence: String) -> CodingFailure {
        CodingFailure(.usage, "\(coding.rawValue) \(sentence)")
    }
}

extension GzipShape {
    /// The bounds are those of RFC 1952 §2.3.1.
    fileprivate func check() throws(CodingFailure) {
        guard memberSizes.count <= CodingStep.memberBound else {
            throw CodingFailure(
                .usage, "a gzip file has at most \(CodingStep.memberBound) members here, not \(memberSizes.count)")
        }
        if let size = memberSizes.first(where: { $0 < 0 }) {
            throw CodingFailure(.usage, "a gzip member holds 0 bytes or more, not \(size)")
        }
        for (part, text) in [("name", name), ("comment", comment)] where text?.contains(0) == true {
            throw CodingFailure(.usage, "the \(part) in a gzip header ends at its first NUL; leave that byte out")
        }
        if let extra, extra.count > 65_535 {
            throw CodingFailure(.usage, "the extra field of gzip has at most 65535 bytes, not \(extra.count)")
        }
    }
}
