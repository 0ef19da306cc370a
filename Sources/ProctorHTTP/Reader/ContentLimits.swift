/// The most of what stands behind a head, from either direction's limits.
struct ContentLimits: Sendable {
    let bodyByteCount: Int
    let chunkLineByteCount: Int
    let trailers: SectionReader.Rules
}

extension SectionReader.Rules {
    /// Ranges into a section are 32 bits wide with one bit spent on a flag, so it is never longer than 1 GiB.
    init(
        startLine: SectionReader.Bound? = nil, fieldLine: Int, fieldCount: Int, section: Int, named kind: Violation.Kind
    ) {
        self.init(
            startLine: startLine, fieldLine: .init(most: fieldLine, kind: .fieldLineTooLong),
            fieldCount: .init(most: fieldCount, kind: .tooManyFields),
            section: .init(most: min(section, 1 << 30), kind: kind))
    }
}

extension RequestLimits {
    var head: SectionReader.Rules {
        SectionReader.Rules(
            startLine: .init(most: requestLineByteCount, kind: .requestLineTooLong), fieldLine: fieldLineByteCount,
            fieldCount: fieldCount, section: headByteCount, named: .headTooLarge)
    }

    var content: ContentLimits {
        ContentLimits(
            bodyByteCount: bodyByteCount, chunkLineByteCount: chunkLineByteCount,
            trailers: SectionReader.Rules(
                fieldLine: fieldLineByteCount, fieldCount: fieldCount, section: trailerByteCount,
                named: .trailersTooLarge))
    }
}

extension ReplyLimits {
    var head: SectionReader.Rules {
        SectionReader.Rules(
            startLine: .init(most: statusLineByteCount, kind: .statusLineTooLong), fieldLine: fieldLineByteCount,
            fieldCount: fieldCount, section: headByteCount, named: .headTooLarge)
    }

    var content: ContentLimits {
        ContentLimits(
            bodyByteCount: bodyByteCount, chunkLineByteCount: chunkLineByteCount,
            trailers: SectionReader.Rules(
                fieldLine: fieldLineByteCount, fieldCount: fieldCount, section: trailerByteCount,
                named: .trailersTooLarge))
    }
}
