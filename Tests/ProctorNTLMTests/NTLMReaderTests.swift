import ProctorBase
import ProctorNTLM
import Testing

/// Reads a message whole, every beginning of it, and with bytes behind it.
private enum Verifier {
    static func reading(of bytes: [UInt8]) -> NTLMReading {
        let whole = NTLMReader.read(bytes)
        for count in 0..<bytes.count {
            let part = NTLMReader.read(Array(bytes.prefix(count)))
            #expect(part.message != nil || part.violations.last?.isFatal == true, "the first \(count) bytes")
            for violation in part.violations {
                #expect(violation.offset <= count, "\(violation) of the first \(count) bytes")
                #expect(!violation.sentence.isEmpty && !violation.section.isEmpty)
            }
        }
        for byte in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[byte] ^= 1 << UInt8(bit)
                for violation in NTLMReader.read(changed).violations { #expect(violation.offset <= bytes.count) }
            }
        }
        #expect(whole.violations.count <= NTLMReader.violationLimit + 1)
        return whole
    }
}

struct `The reader of NTLM messages` {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: NTLMMessage
    }

    private static let flags: NTLMFlags = [.unicode, .requestTarget, .ntlm, .targetInfo]
    private static let nonce = [UInt8](1...8)
    private static let info = [
        NTLMPair(.domain, NTLMText.utf16("LAB")), NTLMPair(.computer, NTLMText.utf16("SERVER")),
        NTLMPair(.time, [1, 2, 3, 4, 5, 6, 7, 8]), NTLMPair(.flags, NTLMPair.hasMIC),
    ]

    private static func response(_ pairs: [NTLMPair]) -> NTLMResponse {
        let input = NTLMProof.input(time: 7, clientNonce: nonce, pairs: pairs)
        return .new(
            NTLMNewResponse(
                proof: [UInt8](repeating: 9, count: 16), input: input, time: 7, clientNonce: nonce, pairs: pairs))
    }

    static let rows: [Row] = [
        Row(testDescription: "type 1", message: .negotiate(NTLMNegotiate(flags: [.oem, .ntlm]))),
        Row(
            testDescription: "type 1 with names and version",
            message: .negotiate(
                NTLMNegotiate(
                    flags: [.oem, .ntlm, .domainSupplied, .workstationSupplied, .version], domain: "LAB",
                    workstation: "DESK", version: [10, 0, 0, 0, 0, 0, 0, 15]))),
        Row(
            testDescription: "type 2",
            message: .challenge(NTLMChallenge(flags: flags, target: "SÉRVER", nonce: nonce, info: info))),
        Row(
            testDescription: "type 2 without target information",
            message: .challenge(NTLMChallenge(flags: [.oem, .ntlm], target: "SERVER", nonce: nonce))),
        Row(
            testDescription: "type 3",
            message: .authenticate(
                NTLMAuthenticate(
                    flags: flags, domain: "LAB", user: "Jäsøn", workstation: "DESK", lmResponse: [UInt8](1...24),
                    response: response(info)))),
        Row(
            testDescription: "type 3 with a MIC and a session key",
            message: .authenticate(
                NTLMAuthenticate(
                    flags: [.oem, .ntlm], user: "user", response: response([]), sessionKey: [UInt8](1...16),
                    mic: [UInt8](1...16)))),
        Row(
            testDescription: "type 3 of version 1",
            message: .authenticate(
                NTLMAuthenticate(flags: flags, user: "user", response: .old([UInt8](1...24))))),
        Row(
            testDescription: "type 3 of nobody",
            message: .authenticate(NTLMAuthenticate(flags: flags.union(.anonymous), user: "", response: .none))),
    ]

    @Test(arguments: rows)
    func `what is written is read back, and no beginning of it traps`(row: Row) {
        let bytes = NTLMWriter.bytes(of: row.message)
        let reading = Verifier.reading(of: bytes)
        #expect(reading.message == row.message)
        #expect(reading.violations.isEmpty)
        #expect(NTLMReader.read(bytes + [1, 2, 3]).violations.isEmpty)
    }

    struct Violating: Sendable, CustomTestStringConvertible {
        let kind: NTLMViolation.Kind
        let offset: Int
        let row: Int
        let change: @Sendable (inout [UInt8]) -> Void

        var testDescription: String { "\(kind.rawValue) at \(offset)" }

        init(
            _ kind: NTLMViolation.Kind, at offset: Int, of row: Int,
            _ change: @escaping @Sendable (inout [UInt8]) -> Void
        ) {
            self.kind = kind
            self.offset = offset
            self.row = row
            self.change = change
        }
    }

    /// The row is a number of ``rows``.
    static let violating: [Violating] = [
        Violating(.tooLong, at: 16_384, of: 0) { $0 += [UInt8](repeating: 0, count: 16_384) },
        Violating(.badSignature, at: 4, of: 0) { $0[4] = 0x73 },
        Violating(.badSignature, at: 7, of: 0) { $0[7] = 1 },
        Violating(.unknownType, at: 8, of: 0) { $0[8] = 4 },
        Violating(.incomplete, at: 11, of: 0) { $0 = Array($0.prefix(11)) },
        Violating(.incomplete, at: 17, of: 0) { $0 = Array($0.prefix(17)) },
        Violating(.incomplete, at: 31, of: 2) { $0 = Array($0.prefix(31)) },
        Violating(.incomplete, at: 47, of: 2) { $0 = Array($0.prefix(12)) + [0, 0] + Array($0[14..<47]) },
        Violating(.incomplete, at: 51, of: 4) { $0 = Array($0.prefix(51)) },
        Violating(.fieldOutside, at: 12, of: 2) { $0[16] = 0xF0 },
        Violating(.fieldOutside, at: 20, of: 4) { $0[27] = 0xFF },
        Violating(.fieldInHeader, at: 16, of: 1) { $0[20] = 4 },
        Violating(.fieldsOverlap, at: 24, of: 1) { $0[28] = 41 },
        Violating(.oddText, at: 56, of: 2) { $0[12] = 11 },
        Violating(.badText, at: 56, of: 2) { $0.replaceSubrange(56..<58, with: [0, 0xD8]) },
        Violating(.noEncoding, at: 12, of: 0) { $0[12] = 0 },
        Violating(.noNTLM, at: 12, of: 0) { $0[13] = 0 },
        Violating(.reservedFlag, at: 12, of: 0) { $0[12] |= 8 },
        Violating(.reservedFlag, at: 60, of: 4) { $0[63] |= 1 },
        Violating(.reservedNotZero, at: 32, of: 2) { $0[32] = 1 },
        Violating(.badPair, at: 68, of: 2) { $0[70] = 0xFF },
        Violating(.badPair, at: 94, of: 2) { $0[96] = 7 },
        Violating(.repeatedPair, at: 78, of: 2) { $0[78] = 2 },
        Violating(.badResponse, at: 96, of: 4) { $0[20] = 43 },
        Violating(.badResponse, at: 112, of: 4) { $0[112] = 2 },
        Violating(.reservedNotZero, at: 114, of: 4) { $0[115] = 1 },
        Violating(.reservedNotZero, at: 136, of: 4) { $0[136] = 1 },
    ]

    @Test(arguments: violating)
    func `a violation has its kind and its place, and a fatal one ends all reading`(row: Violating) {
        var bytes = NTLMWriter.bytes(of: Self.rows[row.row].message)
        row.change(&bytes)
        let reading = NTLMReader.read(bytes)
        #expect(reading.violations.contains { $0.kind == row.kind && $0.offset == row.offset }, "\(reading.violations)")
        #expect((reading.message == nil) == reading.violations.contains(where: \.isFatal))
    }

    @Test func `every kind of violation has a row`() {
        #expect(Set(Self.violating.map(\.kind)) == Set(NTLMViolation.Kind.allCases))
    }

    @Test func `old clients end early`() {
        let first = NTLMWriter.bytes(of: Self.rows[0].message)
        #expect(NTLMReader.read(Array(first.prefix(16))).violations.isEmpty)
        // Behind 52 bytes the payload begins: no session key, no flags.
        var last = NTLMReaderTestText.signature + [3, 0, 0, 0]
        for (count, offset) in [(0, 0), (24, 60), (0, 0), (8, 52), (0, 0)] as [(UInt8, UInt8)] {
            last += [count, 0, count, 0, offset, 0, 0, 0]
        }
        last += NTLMText.utf16("user") + [UInt8](1...24)
        let reading = NTLMReader.read(last)
        guard case .authenticate(let message)? = reading.message else {
            Issue.record("\(reading)")
            return
        }
        #expect(message.user == "user" && message.response == .old([UInt8](1...24)) && reading.violations.isEmpty)
    }

    @Test func `texts of one byte for each character are UTF-8, or else ISO 8859-1`() {
        var bytes = NTLMWriter.bytes(
            of: .challenge(NTLMChallenge(flags: [.oem, .ntlm], target: "abc", nonce: Self.nonce)))
        bytes[57] = 0xE9
        guard case .challenge(let message)? = NTLMReader.read(bytes).message else {
            Issue.record("no message")
            return
        }
        #expect(message.target == "aéc")
    }
}

private enum NTLMReaderTestText {
    static let signature = Array("NTLMSSP".utf8) + [0]
}
