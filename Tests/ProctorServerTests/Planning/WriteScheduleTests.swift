import ProctorScenario
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Where a reply is cut, as the plan says; how the peer gets the slices is another test.
struct WriteScheduleTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let slicing: Slicing
        /// With a bar at every cut.
        let wire: String
        var testDescription: String { "\(slicing): \(wire.debugDescription)" }
    }

    private static let parts = "HTTP/1.1 200 OK|\r\n|A: b|\r\n|\r\n"

    @Test(arguments: [
        Row(
            slicing: .midCRLF,
            wire: "HTTP/1.1 200 OK\r|\nA: b\r|\n\r|\na\r|\n0123456789\r|\n1\r|\nx\r|\n0\r|\nT: u\r|\n\r|\n"),
        Row(
            slicing: .midChunkSize,
            wire: "HTTP/1.1 200 OK\r\nA: b\r\n\r\na|\r\n0123456789\r\n1|\r\nx\r\n0|\r\nT: u\r\n\r\n"),
    ])
    func `framing is cut where the fixture says`(_ row: Row) throws {
        let bytes = Self.bytes(of: row.wire)
        var finder = try #require(CutFinder(row.slicing))
        // The parts as the planner tells them.
        var offset = 0
        func lines(_ text: String) {
            finder.seeLines(Array(text.utf8), at: offset)
            offset += text.utf8.count
        }
        func chunk(_ head: String, _ content: String) {
            finder.seeChunkHead(Array(head.utf8), digitCount: 1, at: offset)
            offset += head.utf8.count + content.utf8.count
        }
        lines("HTTP/1.1 200 OK\r\nA: b\r\n\r\n")
        chunk("a\r\n", "0123456789")
        lines("\r\n")
        chunk("1\r\n", "x")
        lines("\r\n")
        chunk("0\r\n", "")
        lines("T: u\r\n\r\n")
        #expect(offset == bytes.count)
        #expect(finder.offsets == Self.cuts(of: row.wire))
    }

    @Test func `a chunk size of several digits is cut within`() throws {
        var finder = try #require(CutFinder(.midChunkSize))
        finder.seeChunkHead(Array("00ff;a=b\r\n".utf8), digitCount: 4, at: 100)
        finder.seeChunkHead(Array("1f\r\n".utf8), digitCount: 2, at: 200)
        finder.seeChunkHead(Array("f;a=b\r\n".utf8), digitCount: 1, at: 300)
        #expect(finder.offsets == [102, 201, 305])
    }

    @Test(arguments: ["aé|é€|😀|z", "é", "plain", "\u{FFFD}a"])
    func `every character of two bytes or more is cut after its first byte`(marked: String) throws {
        let text = marked.filter { $0 != "|" }
        var finder = try #require(CutFinder(.midUTF8))
        let content = ReplyContent(pieces: text.utf8.map { ContentPiece([$0]) })
        finder.seeContent(0..<content.byteCount, of: content, at: 10)
        var wanted: [Int] = []
        var offset = 10
        for scalar in text.unicodeScalars {
            if scalar.utf8.count > 1 { wanted.append(offset + 1) }
            offset += scalar.utf8.count
        }
        #expect(finder.offsets == wanted)
    }

    @Test func `bytes that are no characters are not cut`() throws {
        var finder = try #require(CutFinder(.midUTF8))
        let content = ReplyContent(pieces: [ContentPiece([0xC3, 0x41, 0xFF, 0x80, 0xC0, 0x80])])
        finder.seeContent(0..<6, of: content, at: 0)
        #expect(finder.offsets == [])
    }

    @Test func `raw bytes are cut as far as a chunked reply can be made out`() throws {
        let wire =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1|a;x\r\n\("x".repeated(26))\r\n5|\r\nhello\r\n0|\r\n\r\n"
        let content = ReplyContent(pieces: [ContentPiece(Self.bytes(of: wire))])
        var finder = try #require(CutFinder(.midChunkSize))
        finder.seeRaw(content)
        #expect(finder.offsets == Self.cuts(of: wire))
        for broken in [
            "", "\r\n\r\n", "a\r\n\r\nzz\r\n", "a\r\n\r\nffffffffffffffffffff\r\n", "a\r\n\r\n7fffffffffffffff\r\nx",
        ] {
            var finder = try #require(CutFinder(.midChunkSize))
            finder.seeRaw(ReplyContent(pieces: [ContentPiece(Array(broken.utf8))]))
            #expect(finder.offsets.count <= 1)
        }
    }

    @Test func `a seed says the same cuts everywhere`() throws {
        let schedule = try #require(WriteSchedule(.random(seed: 7, count: 12), byteCount: 1000))
        guard case .at(let offsets) = schedule.cuts else {
            Issue.record("random cuts are not offsets: \(schedule.cuts)")
            return
        }
        #expect(offsets == [17, 104, 135, 250, 328, 390, 413, 452, 468, 583, 900])
        #expect(WriteSchedule(.random(seed: 7, count: 12), byteCount: 1)?.cuts == .at([]))
        #expect(WriteSchedule(.random(seed: 7, count: 1), byteCount: 99)?.cuts == .at([]))
        #expect(WriteSchedule(nil, byteCount: 99) == nil)
        // The first number that others publish for this seed.
        var random = SplitMix64(seed: 1_234_567)
        #expect(random.next() == 6_457_827_717_110_365_317)
    }

    @Test func `a run that is cut anew cuts every reply otherwise, and always alike`() {
        let all = (0..<50).map { Slicing.again(seed: 3, reply: $0) }
        #expect(Set(all.map { "\($0)" }).count == 50)
        #expect(all == (0..<50).map { Slicing.again(seed: 3, reply: $0) })
        #expect(Slicing.again(seed: 4, reply: 0) != all[0])
    }

    @Test func `cuts follow one another and end`() {
        var index = 0
        #expect(WriteSchedule.Cuts.every(1).next(after: 0, index: &index) == 1)
        #expect(WriteSchedule.Cuts.every(100).next(after: 100, index: &index) == 200)
        #expect(WriteSchedule.Cuts.none.next(after: 5, index: &index) == .max)
        let cuts = WriteSchedule.Cuts.at([1, 7])
        #expect(cuts.next(after: 0, index: &index) == 1)
        #expect(cuts.next(after: 1, index: &index) == 7)
        #expect(cuts.next(after: 7, index: &index) == .max)
    }

    private static func bytes(of marked: String) -> [UInt8] { Array(marked.utf8).filter { $0 != UInt8(ascii: "|") } }

    private static func cuts(of marked: String) -> [Int] {
        var offsets: [Int] = []
        var count = 0
        for byte in marked.utf8 {
            if byte == UInt8(ascii: "|") { offsets.append(count) } else { count += 1 }
        }
        return offsets
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
