import ProctorSOCKS
import Testing

struct `The reader of a client of SOCKS` {
    private static let name = SOCKSAddress.name(Array("home.example.org".utf8))

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: SOCKSRequest
    }

    static let rows: [Row] = [
        Row(testDescription: "version 5, a name", request: SOCKSRequest(.five, name, port: 80)),
        Row(testDescription: "version 5, IPv4", request: SOCKSRequest(.five, .ipv4([127, 0, 0, 1]), port: 65_535)),
        Row(
            testDescription: "version 5, IPv6",
            request: SOCKSRequest(.five, .ipv6([UInt8](repeating: 0, count: 15) + [1]), port: 1)),
        Row(testDescription: "version 5, BIND", request: SOCKSRequest(.five, command: 2, name, port: 80)),
        Row(testDescription: "version 5, UDP", request: SOCKSRequest(.five, command: 3, name, port: 0)),
        Row(
            testDescription: "version 5, 255 bytes of a name",
            request: SOCKSRequest(.five, .name([UInt8](repeating: 0x61, count: 255)), port: 80)),
        Row(testDescription: "version 4", request: SOCKSRequest(.four, .ipv4([10, 0, 0, 1]), port: 80)),
        Row(
            testDescription: "version 4 with a user",
            request: SOCKSRequest(.four, command: 2, .ipv4([10, 0, 0, 1]), port: 80, user: Array("user".utf8))),
        Row(
            testDescription: "version 4a", request: SOCKSRequest(.fourWithName, name, port: 443, user: Array("u".utf8))),
    ]

    @Test(arguments: rows)
    func `what is written is read back, however it is cut`(row: Row) {
        let isNew = row.request.version == .five
        let start = isNew ? SOCKSWriter.greeting(methods: [0, 2]) : []
        let input = start + SOCKSWriter.request(row.request)
        let reading = Verifier.server().reading(of: input)
        #expect(reading.messages == (isNew ? [.greeting(methods: [0, 2])] : []) + [.request(row.request)])
        #expect(reading.end == nil)
        #expect(reading.byteCount == input.count)
    }

    @Test func `user and password are read between greeting and request`() {
        let request = SOCKSRequest(.five, Self.name, port: 80)
        let input =
            SOCKSWriter.greeting(methods: [2])
            + SOCKSWriter.login(user: Array("user".utf8), password: [UInt8](repeating: 0xFF, count: 255))
            + SOCKSWriter.request(request)
        let reading = Verifier.server(method: SOCKSMethod.password).reading(of: input)
        #expect(
            reading.messages == [
                .greeting(methods: [2]),
                .login(user: Array("user".utf8), password: [UInt8](repeating: 0xFF, count: 255)), .request(request),
            ])
    }

    @Test func `bytes behind the request are left`() {
        let request = SOCKSWriter.request(SOCKSRequest(.fourWithName, Self.name, port: 80))
        #expect(Verifier.server().reading(of: request + Array("GET".utf8)).byteCount == request.count)
    }

    struct Violating: Sendable, CustomTestStringConvertible {
        let kind: SOCKSViolation.Kind
        let offset: Int
        let input: [UInt8]
        var method = SOCKSMethod.none

        var testDescription: String { "\(kind.rawValue) at \(offset)" }
    }

    static let violating: [Violating] = [
        Violating(kind: .badVersion, offset: 0, input: Array("GET".utf8)),
        Violating(kind: .badVersion, offset: 3, input: [5, 1, 0, 4]),
        Violating(kind: .noMethods, offset: 1, input: [5, 0]),
        Violating(kind: .methodUnacceptable, offset: 3, input: [5, 2, 0, 0xFF]),
        Violating(kind: .badLoginVersion, offset: 3, input: [5, 1, 2, 5], method: SOCKSMethod.password),
        Violating(kind: .emptyUser, offset: 4, input: [5, 1, 2, 1, 0, 1, 0x61], method: SOCKSMethod.password),
        Violating(kind: .emptyPassword, offset: 6, input: [5, 1, 2, 1, 1, 0x61, 0], method: SOCKSMethod.password),
        Violating(kind: .unknownCommand, offset: 4, input: [5, 1, 0, 5, 9, 0, 1, 1, 2, 3, 4, 0, 80]),
        Violating(kind: .unknownCommand, offset: 1, input: [4, 3, 0, 80, 1, 2, 3, 4, 0]),
        Violating(kind: .reservedNotZero, offset: 5, input: [5, 1, 0, 5, 1, 7, 1, 1, 2, 3, 4, 0, 80]),
        Violating(kind: .badAddressType, offset: 6, input: [5, 1, 0, 5, 1, 0, 2]),
        Violating(kind: .emptyName, offset: 7, input: [5, 1, 0, 5, 1, 0, 3, 0, 0, 80]),
        Violating(kind: .badName, offset: 9, input: [5, 1, 0, 5, 1, 0, 3, 3, 0x61, 0x20, 0x61, 0, 80]),
        Violating(kind: .emptyName, offset: 9, input: [4, 1, 0, 80, 0, 0, 0, 1, 0, 0]),
        Violating(kind: .badName, offset: 10, input: [4, 1, 0, 80, 0, 0, 0, 1, 0, 0x61, 0x0D, 0]),
        Violating(
            kind: .userTooLong, offset: 263, input: [4, 1, 0, 80, 1, 2, 3, 4] + [UInt8](repeating: 1, count: 256)),
        Violating(
            kind: .nameTooLong, offset: 264, input: [4, 1, 0, 80, 0, 0, 0, 4, 0] + [UInt8](repeating: 0x61, count: 256)),
    ]

    @Test(arguments: violating)
    func `a violation has its kind and its place, and a fatal one ends all reading`(row: Violating) {
        let messages = Verifier.server(method: row.method).reading(of: row.input).messages
        let violations = messages.compactMap { if case .violation(let violation) = $0 { violation } else { nil } }
        let expected = SOCKSViolation(row.kind, at: row.offset)
        #expect(violations == [expected])
        #expect(!expected.isFatal || messages.last == .violation(expected))
        #expect(!expected.section.isEmpty && !expected.sentence.isEmpty)
    }

    @Test func `a client that leaves within a message is told of`() {
        for input: [UInt8] in [[5], [5, 2, 0], [5, 1, 0, 5, 1, 0, 3, 4, 0x61], [4, 1, 0, 80, 1, 2, 3, 4, 0x61]] {
            #expect(Verifier.server().reading(of: input).end == SOCKSViolation(.incomplete, at: input.count))
        }
        #expect(Verifier.server().reading(of: []).end == nil)
        #expect(Verifier.server().reading(of: [5, 1, 0]).end == nil)
    }

    @Test func `an address of IPv6 is told in its canonical form`() {
        func text(_ bytes: [UInt8]) -> String { String(decoding: SOCKSAddress.ipv6(bytes).hostText, as: UTF8.self) }
        #expect(text([UInt8](repeating: 0, count: 16)) == "[::]")
        #expect(text([UInt8](repeating: 0, count: 15) + [1]) == "[::1]")
        #expect(
            text([0x20, 1, 0xD, 0xB8, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7]) == "[2001:db8:0:1::7]")
        #expect(text([0, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]) == "[1:0:1:1:1:1:1:1]")
    }
}
