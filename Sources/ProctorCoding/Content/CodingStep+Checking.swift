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
