import ProctorSOCKS
import Testing

struct `The reader of a proxy of SOCKS` {
    private static let bound: [SOCKSAddress] = [
        .ipv4([192, 0, 2, 1]), .ipv6([UInt8](repeating: 7, count: 16)), .name(Array("proxy.example.org".utf8)),
    ]

    @Test(arguments: bound)
    func `what is written is read back, with each code`(bound: SOCKSAddress) {
        for code: UInt8 in 0...8 {
            let reply = SOCKSReply(code, bound: bound, port: 1080, isOfVersion5: true)
            let input =
                SOCKSWriter.selection(2) + SOCKSWriter.loginReply(status: code) + SOCKSWriter.reply(reply)
            let reading = Verifier.client([.selection(among: [0, 2]), .login, .reply(.five)]).reading(of: input)
            #expect(reading.messages == [.selection(2), .login(status: code), .reply(reply)])
            #expect(reading.byteCount == input.count && reading.end == nil)
            #expect(reply.hasSucceeded == (code == 0))
        }
    }

    @Test func `the replies of SOCKS 4 have eight bytes`() {
        for code: UInt8 in 90...93 {
            let reply = SOCKSReply(code, bound: .ipv4([1, 2, 3, 4]), port: 5, isOfVersion5: false)
            let input = SOCKSWriter.reply(reply)
            #expect(input.count == 8)
            #expect(Verifier.client([.reply(.four)]).reading(of: input + [9]).messages == [.reply(reply)])
            #expect(reply.hasSucceeded == (code == 90))
        }
    }

    struct Violating: Sendable, CustomTestStringConvertible {
        let kind: SOCKSViolation.Kind
        let offset: Int
        let expected: [SOCKSReplyReader.Expected]
        let input: [UInt8]

        var testDescription: String { "\(kind.rawValue) at \(offset)" }
    }

    static let violating: [Violating] = [
        Violating(kind: .badVersion, offset: 0, expected: [.selection(among: [0])], input: [4, 0]),
        Violating(kind: .methodNotOffered, offset: 1, expected: [.selection(among: [0])], input: [5, 2]),
        Violating(kind: .badLoginVersion, offset: 0, expected: [.login], input: [5, 0]),
        Violating(kind: .badVersion, offset: 0, expected: [.reply(.five)], input: [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
        Violating(kind: .unknownCode, offset: 1, expected: [.reply(.five)], input: [5, 9, 0, 1, 0, 0, 0, 0, 0, 0]),
        Violating(kind: .reservedNotZero, offset: 2, expected: [.reply(.five)], input: [5, 0, 1, 1, 0, 0, 0, 0, 0, 0]),
        Violating(kind: .badAddressType, offset: 3, expected: [.reply(.five)], input: [5, 0, 0, 0]),
        Violating(kind: .badVersion, offset: 0, expected: [.reply(.four)], input: [4, 90, 0, 0, 0, 0, 0, 0]),
        Violating(kind: .unknownCode, offset: 1, expected: [.reply(.four)], input: [0, 94, 0, 0, 0, 0, 0, 0]),
    ]

    @Test(arguments: violating)
    func `a violation has its kind and its place`(row: Violating) {
        let messages = Verifier.client(row.expected).reading(of: row.input).messages
        #expect(messages.first == .violation(SOCKSViolation(row.kind, at: row.offset)))
        #expect(messages.count == (SOCKSViolation(row.kind, at: 0).isFatal ? 1 : 2))
    }

    @Test func `that no method is acceptable is a selection`() {
        #expect(Verifier.client([.selection(among: [0])]).reading(of: [5, 0xFF]).messages == [.selection(0xFF)])
    }

    @Test func `a proxy that leaves within a reply is told of`() {
        #expect(
            Verifier.client([.reply(.five)]).reading(of: [5, 0, 0]).end == SOCKSViolation(.incomplete, at: 3))
        #expect(Verifier.client([.reply(.five)]).reading(of: []).end == SOCKSViolation(.incomplete, at: 0))
    }

    @Test func `random bytes are read alike, however they are cut`() {
        var state: UInt64 = 1
        for _ in 0..<300 {
            var input: [UInt8] = []
            for _ in 0..<40 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                input.append(
                    state >> 60 < 10
                        ? UInt8(truncatingIfNeeded: state >> 33) % 6 : UInt8(truncatingIfNeeded: state >> 33))
            }
            _ = Verifier.server(method: UInt8(state >> 61) % 3).reading(of: input)
            _ = Verifier.client([.selection(among: [0, 2]), .login, .reply(.five)]).reading(of: input)
        }
    }
}
