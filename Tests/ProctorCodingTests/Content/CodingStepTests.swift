import ProctorCoding
import Testing

struct CodingStepTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let step: CodingStep
    }

    static let refused: [Refused] = [
        Refused(testDescription: "gzip has the levels 0 to 9, not 10", step: CodingStep(.gzip, level: 10)),
        Refused(testDescription: "deflate has the levels 0 to 9, not -1", step: CodingStep(.deflate, level: -1)),
        Refused(testDescription: "br has the levels 0 to 11, not 12", step: CodingStep(.brotli, level: 12)),
        Refused(testDescription: "zstd has the levels 1 to 22, not 0", step: CodingStep(.zstd, level: 0)),
        Refused(testDescription: "identity has no level", step: CodingStep(.identity, level: 1)),
        Refused(
            testDescription: "gzip has one format; raw is only for deflate", step: CodingStep(.gzip, isRaw: true)),
        Refused(
            testDescription: "deflate has no checksum in its raw format; leave raw or the checksum out",
            step: CodingStep(.deflate, isRaw: true, hasWrongChecksum: true)),
        Refused(
            testDescription: "br has no checksum that could be wrong",
            step: CodingStep(.brotli, hasWrongChecksum: true)),
        Refused(
            testDescription: "gzip can miss 0 to 1048576 bytes at its end, not -1",
            step: CodingStep(.gzip, missingByteCount: -1)),
        Refused(
            testDescription: "gzip can miss 0 to 1048576 bytes at its end, not \(Int.max)",
            step: CodingStep(.gzip, missingByteCount: .max)),
        Refused(
            testDescription:
                "zstd is no gzip file; members, name, comment, extra, modified, header-checksum and length are gzip's",
            step: CodingStep(.zstd, gzip: GzipShape(memberSizes: [1]))),
        Refused(
            testDescription: "a gzip member holds 0 bytes or more, not -5",
            step: CodingStep(.gzip, gzip: GzipShape(memberSizes: [1, -5]))),
        Refused(
            testDescription: "a gzip file has at most 1024 members here, not 1025",
            step: CodingStep(.gzip, gzip: GzipShape(memberSizes: [Int](repeating: 1, count: 1_025)))),
        Refused(
            testDescription: "the name in a gzip header ends at its first NUL; leave that byte out",
            step: CodingStep(.gzip, gzip: GzipShape(name: [0x61, 0]))),
        Refused(
            testDescription: "the extra field of gzip has at most 65535 bytes, not 65536",
            step: CodingStep(.gzip, gzip: GzipShape(extra: [UInt8](repeating: 1, count: 65_536)))),
    ]

    @Test(arguments: refused)
    func `an option without a meaning is refused before anything is coded`(row: Refused) throws {
        let failure = try #require(throws: CodingFailure.self) { _ = try CodingEncoder(row.step) }
        #expect(failure.kind == .usage)
        #expect(failure.description == row.testDescription)
        #expect(throws: failure) { try row.step.check() }
    }

    @Test(arguments: Row.wellFormed)
    func `an option that the coding has is taken`(row: Row) throws {
        try row.step.check()
    }
}

struct ContentCodingTests {
    @Test func `a name is taken in any case`() {
        #expect(ContentCoding(name: "GZip") == .gzip)
        #expect(ContentCoding(name: "X-GZIP") == .xGzip)
        #expect(ContentCoding(name: Array("BR".utf8)) == .brotli)
        for coding in ContentCoding.allCases { #expect(ContentCoding(name: coding.rawValue) == coding) }
    }

    @Test(arguments: ["compress", "x-compress", "", "gzip ", "brotli", "dcb", "gz\u{130}p"])
    func `an unsupported name has no coding`(name: String) {
        #expect(ContentCoding(name: name) == nil)
    }
}
