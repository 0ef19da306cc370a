package struct CodingStep: Sendable, Equatable {
    package let coding: ContentCoding
    /// On the library's own scale (gzip and deflate 0...9, br 0...11, zstd 1...22); nil means its default.
    package let level: Int?
    /// Only for gzip and x-gzip.
    package let gzip: GzipShape
    /// Whether to leave out the zlib header and checksum; only for deflate.
    package let isRaw: Bool
    /// Whether the checksum at the end is wrong; only for gzip, x-gzip, deflate (unless raw) and zstd.
    package let hasWrongChecksum: Bool
    /// How many bytes to leave out at the end of the coded bytes.
    package let missingByteCount: Int
    package let trailing: [UInt8]

    package init(
        _ coding: ContentCoding, level: Int? = nil, gzip: GzipShape = GzipShape(), isRaw: Bool = false,
        hasWrongChecksum: Bool = false, missingByteCount: Int = 0, trailing: [UInt8] = []
    ) {
        (self.coding, self.level, self.gzip, self.isRaw) = (coding, level, gzip, isRaw)
        (self.hasWrongChecksum, self.missingByteCount, self.trailing) = (hasWrongChecksum, missingByteCount, trailing)
    }
}

/// The options of a gzip file (RFC 1952 §2.3); every member has the same header.
package struct GzipShape: Sendable, Equatable {
    /// The content length of each member in order, and the last member gets the rest; empty means one member.
    ///
    /// A member begins only if there is content left.
    package let memberSizes: [Int]
    /// FNAME in ISO 8859-1, without its NUL.
    package let name: [UInt8]?
    /// FCOMMENT in ISO 8859-1, without its NUL.
    package let comment: [UInt8]?
    /// FEXTRA, at most 65,535 bytes.
    package let extra: [UInt8]?
    /// MTIME in seconds since 1970; 0 means none.
    package let modified: UInt32
    /// Whether FHCRC follows the header.
    package let hasHeaderChecksum: Bool
    package let hasWrongLength: Bool

    /// The defaults give a file of one member without optional fields.
    package init(
        memberSizes: [Int] = [], name: [UInt8]? = nil, comment: [UInt8]? = nil, extra: [UInt8]? = nil,
        modified: UInt32 = 0, hasHeaderChecksum: Bool = false, hasWrongLength: Bool = false
    ) {
        (self.memberSizes, self.name, self.comment, self.extra) = (memberSizes, name, comment, extra)
        (self.modified, self.hasHeaderChecksum, self.hasWrongLength) = (modified, hasHeaderChecksum, hasWrongLength)
    }
}

extension CodingStep {
    /// The most bytes that can be left out at the end, 1 MiB: an encoder must hold them back.
    package static let missingByteBound = 1 << 20

    package static let memberBound = 1_024

    /// Refuses options that the coding does not have, without starting its library.
    package func check() throws(CodingFailure) {
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
