import ProctorBase
import Testing

@testable import ProctorNegotiate

/// Reads a token whole, every beginning of it, every beginning joined to its rest, with each bit changed, and with bytes
/// behind it.
enum SPNEGOVerifier {
    static func reading(of bytes: [UInt8]) -> SPNEGOReading {
        let whole = SPNEGOReader.read(bytes)
        check(whole, of: bytes)
        for count in 0..<bytes.count {
            let part = SPNEGOReader.read(Array(bytes.prefix(count)))
            check(part, of: Array(bytes.prefix(count)))
            #expect(part.message == nil, "the first \(count) bytes")
            // The reader takes one array, so a token that came in two pieces is the same one.
            #expect(SPNEGOReader.read(Array(bytes.prefix(count)) + Array(bytes.dropFirst(count))) == whole)
        }
        for byte in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[byte] ^= 1 << UInt8(bit)
                check(SPNEGOReader.read(changed), of: changed)
            }
        }
        let longer = SPNEGOReader.read(bytes + [0, 1, 2])
        check(longer, of: bytes + [0, 1, 2])
        if whole.message != nil, whole.violations.isEmpty {
            #expect(longer.violations.map(\.kind) == [.trailingBytes] && longer.message == whole.message)
        }
        return whole
    }

    private static func check(_ reading: SPNEGOReading, of bytes: [UInt8]) {
        #expect((reading.message == nil) == reading.violations.contains(where: \.isFatal))
        #expect(reading.violations.count <= SPNEGOReader.violationLimit + 1)
        for violation in reading.violations {
            #expect(violation.offset <= bytes.count && !violation.sentence.isEmpty && !violation.section.isEmpty)
        }
    }
}

struct `The reader of SPNEGO` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: SPNEGOMessage
    }

    static let rows: [Row] = [
        Row(testDescription: "one mechanism", message: .initial(NegTokenInit(mechanisms: [.ntlm]))),
        Row(
            testDescription: "all mechanisms, a token and a MIC",
            message: .initial(
                NegTokenInit(
                    mechanisms: [.kerberos, .oldKerberos, .negoex, .ntlm, .stub], token: [UInt8](0...255), mic: [1, 2]))
        ),
        Row(testDescription: "a response of nothing", message: .response(NegTokenResp())),
        Row(
            testDescription: "a response of everything",
            message: .response(
                NegTokenResp(state: .requestMIC, mechanism: .stub, token: [UInt8](repeating: 7, count: 300), mic: [9]))),
        Row(testDescription: "Kerberos alone", message: .bare(.kerberos)),
    ]

    @Test(arguments: rows)
    func `a token that was written is read back`(row: Row) {
        let reading = SPNEGOVerifier.reading(of: SPNEGOWriter.bytes(of: row.message))
        #expect(reading.message == row.message)
        #expect(reading.violations.isEmpty)
    }

    /// The first token of curl 7.88 with MIT Kerberos 1.20 and gss-ntlmssp 1.2.
    @Test func `the token of a real client is read`() throws {
        let text =
            "604806062b0601050502a03e303ca00e300c060a2b06010401823702020aa22a0428"
            + "4e544c4d5353500001000000178208e200000000000000000000000000000000060200000000000f"
        let bytes = try HexText.decode(Array(text.utf8))
        guard case .initial(let message)? = SPNEGOVerifier.reading(of: bytes).message else {
            Issue.record("no NegTokenInit")
            return
        }
        #expect(message.mechanisms == [.ntlm])
        #expect(message.token?.count == 40 && message.mic == nil)
        #expect(
            MessageFacts.sentence(ofNegotiate: bytes)?.hasPrefix("form init, mechanisms ntlm, mic none, NTLM type 1:")
                == true)
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let hex: String
        let kind: SPNEGOViolation.Kind
        let offset: Int
        var testDescription: String { "\(kind.rawValue) in \(hex)" }
    }

    static let broken: [Broken] = [
        Broken(hex: "", kind: .incomplete, offset: 0),
        Broken(hex: "60", kind: .incomplete, offset: 1),
        Broken(hex: "6080", kind: .indefiniteLength, offset: 1),
        Broken(hex: "6082", kind: .incomplete, offset: 2),
        Broken(hex: "608500000000010000", kind: .lengthOutside, offset: 1),
        Broken(hex: "60ffffffffff", kind: .lengthOutside, offset: 1),
        Broken(hex: "6084ffffffff", kind: .incomplete, offset: 1),
        Broken(hex: "3000", kind: .unexpectedTag, offset: 0),
        Broken(hex: "6000", kind: .incomplete, offset: 2),
        Broken(hex: "60020600", kind: .badIdentifier, offset: 4),
        Broken(hex: "600406022b80", kind: .badIdentifier, offset: 4),
        Broken(hex: "60080606802b06010502", kind: .badIdentifier, offset: 4),
        Broken(hex: "600806062b0601050502", kind: .incomplete, offset: 10),
        Broken(hex: "600a06062b0601050502a100", kind: .unexpectedTag, offset: 10),
        Broken(hex: "600c06062b0601050502a0023000", kind: .missingField, offset: 12),
        Broken(hex: "601006062b0601050502a0063004a0023000", kind: .missingField, offset: 16),
        Broken(hex: "a1073005a0030a0104", kind: .badState, offset: 8),
        Broken(hex: "a1083006a0040a020001", kind: .badState, offset: 8),
        Broken(hex: "a10430020500", kind: .unexpectedTag, offset: 4),
        Broken(hex: "a1063004a2020401", kind: .incomplete, offset: 7),
        Broken(hex: "a10b3009a0020a01a303040100", kind: .lengthOutside, offset: 7),
        Broken(hex: "a10830810530030a0100", kind: .unexpectedTag, offset: 5),
    ]

    @Test(arguments: broken)
    func `what breaks a rule is told with its place`(row: Broken) throws {
        let reading = SPNEGOVerifier.reading(of: try HexText.decode(Array(row.hex.utf8)))
        #expect(reading.message == nil)
        #expect(reading.violations.last?.kind == row.kind && reading.violations.last?.offset == row.offset)
    }

    @Test(arguments: [
        Broken(hex: "a181053003a0010a", kind: .longLength, offset: 1),
        Broken(hex: "a1093007a0030a0100a400", kind: .unknownField, offset: 9),
        Broken(hex: "a10c300aa0030a0100a0030a0101", kind: .fieldOrder, offset: 9),
        Broken(hex: "a1083006a0040a010005", kind: .trailingBytes, offset: 9),
    ])
    func `the rest is read behind what is no more than odd`(row: Broken) throws {
        let reading = SPNEGOReader.read(try HexText.decode(Array(row.hex.utf8)))
        #expect(reading.violations.first?.kind == row.kind && reading.violations.first?.offset == row.offset)
    }

    @Test func `bounds are in the refusal`() {
        let long = SPNEGOReader.read([UInt8](repeating: 0x60, count: SPNEGOReader.byteLimit + 1))
        #expect(long.violations.map(\.kind) == [.tooLong])
        #expect(long.violations[0].sentence.contains("16384"))
        let many = NegTokenInit(mechanisms: [MechanismID](repeating: .ntlm, count: SPNEGOReader.mechanismLimit + 1))
        let reading = SPNEGOReader.read(SPNEGOWriter.bytes(of: .initial(many)))
        #expect(reading.violations.map(\.kind) == [.tooManyMechanisms])
        #expect(reading.violations[0].sentence.contains("32"))
    }

    @Test func `identifiers have names, or numbers`() {
        #expect(MechanismID([0x2B, 6, 1, 5, 5, 2])?.name == "spnego")
        #expect(MechanismID([0x2A, 0x86, 0x48, 1])?.name == "1.2.840.1")
        #expect(MechanismID([0x88, 0x37, 3])?.name == "2.999.3")
        #expect(MechanismID([0x69] + [UInt8](repeating: 0xFF, count: 12) + [0x7F])?.name == "2.25.?")
        #expect(MechanismID([UInt8](repeating: 1, count: 65)) == nil)
    }
}

struct `The messages of the stub mechanism` {
    static let messages: [StubMessage] = [
        .first(
            StubFirst(nonce: [UInt8](0..<16), user: "Jäsøn", target: "HTTP@a", proof: [UInt8](repeating: 3, count: 32))),
        .challenge(nonce: [UInt8](1...16)), .answer(proof: [UInt8](1...32)), .last(proof: [UInt8](2...33)),
    ]

    @Test(arguments: messages)
    func `a message is read back, and no part of it is a message`(message: StubMessage) throws {
        let bytes = message.bytes
        #expect(try StubMessage(bytes) == message)
        for count in 0..<bytes.count {
            let error = #expect(throws: SPNEGOViolation.self) { try StubMessage(Array(bytes.prefix(count))) }
            #expect(error?.kind == .badStub && error?.offset ?? .max <= count)
        }
        let longer = #expect(throws: SPNEGOViolation.self) { try StubMessage(bytes + [0]) }
        #expect(longer?.offset == bytes.count)
        for byte in bytes.indices {
            var changed = bytes
            changed[byte] ^= 0x80
            if let read = try? StubMessage(changed) { #expect(read != message) }
        }
    }

    @Test func `a leg that there is not, and text that is no UTF-8, are told`() {
        let leg = #expect(throws: SPNEGOViolation.self) { try StubMessage(StubMessage.signature + [5]) }
        #expect(leg?.offset == 8)
        let text = StubMessage.signature + [1] + [UInt8](repeating: 0, count: 16) + [0, 1, 0xFF]
        let error = #expect(throws: SPNEGOViolation.self) { try StubMessage(text + [UInt8](repeating: 0, count: 40)) }
        #expect(error?.offset == 27)
    }
}
