import ProctorHTTP
import Testing

struct MultipartFuzzTests {
    @Test(arguments: 0..<8)
    func `bodies of boundaries in pieces are read alike however they are cut`(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let scraps = [
            "--part", "--part\r\n\r\n", "--", "-", "part", "\r\n", "\r", "\n", "A: b\r\n", "\r\n\r\n", "x", ":", " ",
            "\u{0}",
        ]
        var partCount = 0
        for _ in 0..<200 {
            var body = random.next() % 2 == 0 ? "--part\r\n" : ""
            for _ in 0...(random.next() % 20) { body += scraps[Int(random.next() % UInt64(scraps.count))] }
            let events = try MultipartSplits.events(of: bytes(body), headByteLimit: 24)
            var isOpen = false
            for event in events.dropLast() {
                switch event {
                case .partBegan:
                    #expect(!isOpen)
                    isOpen = true
                    partCount += 1
                case .content: #expect(isOpen)
                case .partEnded:
                    #expect(isOpen)
                    isOpen = false
                case .ended, .refused: Issue.record("\(event) is not the last of \(events)")
                }
            }
            switch events.last {
            case .ended: #expect(!isOpen)
            case .refused(let violation): #expect(0...body.utf8.count ~= violation.offset)
            case .partBegan, .content, .partEnded, nil: Issue.record("no end in \(events)")
            }
        }
        #expect(partCount > 50)
    }

    @Test(arguments: 0..<8)
    func `parts written are parts read`(_ seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let letters = bytes("\r\n-part\u{0}\u{FF}")
        for _ in 0..<60 {
            var body: [UInt8] = []
            var contents: [[UInt8]] = []
            for _ in 0...(random.next() % 3) {
                let content = (0..<(random.next() % 12)).map { _ in letters[Int(random.next() % UInt64(letters.count))]
                }
                contents.append(content)
                body += bytes("--boundary\r\nA: b\r\n\r\n") + content + bytes("\r\n")
            }
            body += bytes("--boundary--\r\n")
            let events = try MultipartSplits.events(of: body, boundary: "boundary")
            let read = events.split(omittingEmptySubsequences: false) { $0 == .partEnded }.dropLast().map { part in
                part.flatMap { event -> [UInt8] in if case .content(let piece) = event { piece } else { [] } }
            }
            #expect(read == contents)
        }
    }
}
