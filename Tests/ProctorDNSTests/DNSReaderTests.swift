import ProctorDNS
import Testing

struct `The reader of DNS` {
    private static let home = DNSName("home.example.org") ?? .root
    private static let other = DNSName("other.Example.org") ?? .root

    /// A message with each kind of record.
    static let full: DNSMessage = {
        var message = DNSMessage(
            id: 0xABCD,
            flags: DNSFlags(isResponse: true, wantsRecursion: true, hasRecursion: true, code: .serverFailure),
            questions: [DNSQuestion(home, .aaaa)],
            answers: [
                DNSRecord(home, .cname, seconds: 70_000, .name(other)),
                DNSRecord(other, .a, seconds: 60, .address([127, 0, 0, 1])),
                DNSRecord(other, .aaaa, seconds: 60, .address([UInt8](repeating: 1, count: 16))),
                DNSRecord(
                    home, .https, seconds: 1,
                    .service(
                        DNSService(
                            priority: 1, target: other,
                            parameters: [
                                .init(DNSService.Key.alpn, [2, 0x68, 0x32]), .init(DNSService.Key.port, [0x20, 0xFB]),
                            ]))),
            ])
        message.additionals = [DNSRecord(.root, DNSType(41), seconds: 0, .other([1, 2, 3]))]
        return message
    }()

    @Test func `what is written is read back, whole, cut at every byte and before other bytes`() {
        let reading = Verifier.reading(of: Self.full.bytes)
        #expect(reading.message == Self.full)
        #expect(reading.violations.isEmpty)
    }

    @Test func `names are compressed, but not in HTTPS records`() {
        // "example" stands in the question, in the target of the record, and nowhere else.
        let text = String(decoding: Self.full.bytes, as: UTF8.self)
        #expect(text.ranges(of: "xample").count == 2)
    }

    @Test func `a query has one question and asks to look further`() throws {
        let query = DNSMessage.query(DNSQuestion(Self.home, .a), id: 7)
        #expect(query.bytes.prefix(12) == [0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        let reading = DNSReader.readQuery(query.bytes)
        #expect(reading.message == query && reading.violations.isEmpty)
    }

    @Test func `every flag has its bit`() {
        for shift in 0..<16 where shift != 6 && shift != 4 && shift != 5 {
            var bytes = DNSMessage(id: 1).bytes
            bytes[2] = UInt8((1 << shift) >> 8 & 0xFF)
            bytes[3] = UInt8(1 << shift & 0xFF)
            #expect(DNSReader.read(bytes).message?.bytes == bytes, "bit \(shift)")
        }
    }

    struct Violating: Sendable, CustomTestStringConvertible {
        let kind: DNSViolation.Kind
        let offset: Int
        let bytes: [UInt8]

        var testDescription: String { "\(kind.rawValue) at \(offset)" }
    }

    private static func message(_ counts: [UInt8], _ rest: [UInt8], flags: [UInt8] = [0, 0]) -> [UInt8] {
        [0, 1] + flags + counts.flatMap { [0, $0] } + rest
    }

    private static let question: [UInt8] = [1, 0x61, 0, 0, 1, 0, 1]

    private static func record(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xC0, 12, 0, type, 0, 1, 0, 0, 0, 9, 0, UInt8(data.count)] + data
    }

    private static let longName = [UInt8]((0..<4).map { _ in [63] + [UInt8](repeating: 0x61, count: 63) }.joined())

    static let violations: [Violating] = [
        Violating(kind: .headerCut, offset: 11, bytes: [UInt8](repeating: 0, count: 11)),
        Violating(kind: .cut, offset: 12, bytes: message([1, 0, 0, 0], [])),
        Violating(kind: .cut, offset: 14, bytes: message([1, 0, 0, 0], [5, 0x61])),
        Violating(kind: .badLabel, offset: 12, bytes: message([1, 0, 0, 0], [0x40, 0, 0, 1, 0, 1])),
        Violating(kind: .badLabel, offset: 12, bytes: message([1, 0, 0, 0], [0x80, 0, 0, 1, 0, 1])),
        Violating(kind: .badPointer, offset: 12, bytes: message([1, 0, 0, 0], [0xC0, 12, 0, 1, 0, 1])),
        Violating(kind: .badPointer, offset: 12, bytes: message([1, 0, 0, 0], [0xC0, 40, 0, 1, 0, 1])),
        Violating(kind: .badPointer, offset: 14, bytes: message([1, 0, 0, 0], [1, 0x61, 0xC0, 12, 0, 1, 0, 1])),
        Violating(kind: .nameTooLong, offset: 12 + 3 * 64, bytes: message([1, 0, 0, 0], longName + [0, 0, 1, 0, 1])),
        Violating(kind: .tooManyRecords, offset: 4, bytes: message([1, 64, 0, 0], question)),
        Violating(kind: .reservedNotZero, offset: 3, bytes: message([1, 0, 0, 0], question, flags: [0, 0x40])),
        Violating(kind: .trailingBytes, offset: 19, bytes: message([1, 0, 0, 0], question + [0])),
        Violating(kind: .badData, offset: 31, bytes: message([1, 1, 0, 0], question + record(1, [1, 2, 3]))),
        Violating(kind: .badData, offset: 31, bytes: message([1, 1, 0, 0], question + record(28, [1, 2, 3, 4]))),
        Violating(kind: .badData, offset: 31, bytes: message([1, 1, 0, 0], question + record(5, [0, 0]))),
        Violating(kind: .badData, offset: 31, bytes: message([1, 1, 0, 0], question + record(65, [0, 1]))),
        Violating(
            kind: .badData, offset: 31,
            bytes: message([1, 1, 0, 0], question + record(65, [0, 1, 0, 0, 1, 0, 9, 1]))),
        Violating(
            kind: .parametersOutOfOrder, offset: 38,
            bytes: message([1, 1, 0, 0], question + record(65, [0, 1, 0, 0, 3, 0, 0, 0, 3, 0, 0]))),
    ]

    @Test(arguments: violations)
    func `a violation has its offset`(row: Violating) {
        let reading = Verifier.reading(of: row.bytes)
        #expect(reading.violations.contains(DNSViolation(row.kind, at: row.offset)), "\(reading.violations)")
    }

    static let queries: [Violating] = [
        Violating(kind: .notAQuery, offset: 2, bytes: message([1, 0, 0, 0], question, flags: [0x80, 0])),
        Violating(kind: .badOpcode, offset: 2, bytes: message([1, 0, 0, 0], question, flags: [0x10, 0])),
        Violating(kind: .badQuestionCount, offset: 4, bytes: message([2, 0, 0, 0], question + question)),
        Violating(kind: .badQuestionCount, offset: 4, bytes: message([0, 0, 0, 0], [])),
        Violating(kind: .badClass, offset: 17, bytes: message([1, 0, 0, 0], [1, 0x61, 0, 0, 1, 0, 3])),
    ]

    @Test(arguments: queries)
    func `a query breaks what holds of queries, and is read all the same`(row: Violating) {
        let reading = DNSReader.readQuery(row.bytes)
        #expect(reading.violations == [DNSViolation(row.kind, at: row.offset)])
        #expect(reading.message != nil)
    }

    @Test func `every kind is shown by a row, and has a sentence and a section`() {
        let shown = Set((Self.violations + Self.queries).map(\.kind))
        for kind in DNSViolation.Kind.allCases {
            let violation = DNSViolation(kind, at: 3)
            #expect(shown.contains(kind), "\(kind)")
            #expect(!violation.sentence.isEmpty && violation.section.hasPrefix("RFC "))
        }
    }

    @Test func `a name at the bound of 255 bytes is read, and one of 256 is not`() {
        let labels = [63, 63, 63, 61].flatMap { [UInt8($0)] + [UInt8](repeating: 0x62, count: $0) }
        let reading = Verifier.reading(of: Self.message([1, 0, 0, 0], labels + [0, 0, 1, 0, 1]))
        #expect(reading.message?.questions.first?.name.byteCount == 255)
        let longer = [63, 63, 63, 62].flatMap { [UInt8($0)] + [UInt8](repeating: 0x62, count: $0) }
        #expect(DNSReader.read(Self.message([1, 0, 0, 0], longer + [0, 0, 1, 0, 1])).message == nil)
    }
}

struct `The reader of DNS over TCP` {
    @Test func `messages come behind their lengths, in whatever pieces`() {
        let one = DNSMessage(id: 1).bytes
        let two = `The reader of DNS`.full.bytes
        let stream = DNSMessage.framed(one) + DNSMessage.framed([]) + DNSMessage.framed(two)
        let (messages, isBetween) = Verifier.messages(inStream: stream)
        #expect(messages == [one, [], two])
        #expect(isBetween)
        #expect(Verifier.messages(inStream: stream + [0]).isBetween == false)
    }
}

struct `A name of DNS` {
    @Test(arguments: [
        ("home.example.org", "home.example.org"), ("HOME.example.org.", "HOME.example.org"), (".", "."),
        ("_x-1.test", "_x-1.test"),
    ])
    func `is read and shown`(text: String, shown: String) throws {
        #expect(try #require(DNSName(text)).description == shown)
    }

    @Test(arguments: ["", "a..b", ".a", "bücher.test", "a b", String(repeating: "a", count: 64)])
    func `is refused`(text: String) {
        #expect(DNSName(text) == nil)
    }

    @Test func `is compared without regard to case, and shows other bytes by their numbers`() throws {
        #expect(DNSName("Home.Example.ORG") == DNSName("home.example.org"))
        #expect(DNSName("home.example.org") != DNSName("home.example.com"))
        let bytes: [UInt8] = [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0x61, 0x2E, 0x07, 0, 0, 1, 0, 1]
        #expect(DNSReader.read(bytes).message?.questions.first?.name.description == "a\\046\\007")
    }

    @Test func `a service says port and protocols, and what a client must know`() {
        let service = DNSService(
            priority: 1, target: .root,
            parameters: [
                .init(DNSService.Key.mandatory, [0, 3]), .init(DNSService.Key.alpn, [2, 0x68, 0x32, 9, 1]),
                .init(DNSService.Key.port, [1, 187]),
            ])
        #expect(service.port == 443)
        #expect(service.protocols == [[0x68, 0x32]])
        #expect(service.isUsable(knowing: [3]))
        #expect(!service.isUsable(knowing: [1]))
        for value: [UInt8] in [[], [0], [0, 3, 0]] {
            let odd = DNSService(priority: 1, target: .root, parameters: [.init(DNSService.Key.mandatory, value)])
            #expect(!odd.isUsable(knowing: [0, 3]))
        }
    }
}
