import ProctorBase
import ProctorDNS
import ProctorFixtures
import ProctorJournal
import ProctorLoop
import ProctorProgram
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Names with several addresses, and the server of DNS of a run.
@Suite(.limit(minutes: 5))
struct AddressTests {
    private static let several = """
        summary: s
        origins:
          main: { host: home.example.org, addresses: [gone, second, main] }
          gone: { role: closed }
          second: {}
        exchanges:
          - { request: GET /, reply: { status: 200, body: main } }
          - { request: GET /, origin: second, reply: { status: 200, body: second } }

        """

    private static let asked = """
        summary: s
        origins:
          main: { host: home.example.org }
          second: {}
        dns:
          - { name: home.example.org, type: A, over: udp, on: 0, fault: truncated, to: [second] }
          - { name: www.example.org, alias: home.example.org }
          - { name: late.example.org, to: [second], after: 30ms }
        exchanges:
          - { request: GET /, reply: { status: 200, body: main } }

        """

    @Test func `the addresses of a name differ in their hosts and have one port`() async throws {
        try await withRun(Self.several) { run in
            let named = try #require(run.names.first)
            let places = try #require(named.addresses).compactMap { SocketAddress(table: $0) }
            #expect(named.address == named.addresses?.first)
            #expect(Set(places.compactMap(\.host)).count == 3)
            #expect(Set(places.compactMap(\.port)).count == 1)
            let assignment = try run.assignment(
                for: Case.ofAnyRequests(in: run.scenario))
            #expect(assignment.session.names == run.names)
            #expect(assignment.session.resolver == run.resolver)
            let outcome = try await NamedRun.curl(
                run, "--connect-to", "home.example.org:80:home.example.org:\(places[0].port ?? 0)", "--resolve",
                "home.example.org:\(places[0].port ?? 0):\(places.compactMap(\.host).joined(separator: ","))",
                "http://home.example.org/")
            #expect(outcome.out == "second")
        }
    }

    @Test func `a client that has looked the name up may say the real port in Host`() async throws {
        try await withRun(Self.asked) { run in
            let place = try #require(run.names.first?.address)
            #expect(run.names.first?.addresses == nil)
            let port = try #require(SocketAddress(table: place)?.port)
            for (host, status) in [("home.example.org:\(port)", "200"), ("home.example.org:1", "421")] {
                let outcome = try await NamedRun.curl(
                    run, "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", "http://\(place)/")
                #expect(outcome.out == status)
            }
        }
    }

    @Test func `the server of DNS answers over UDP and TCP, and writes down what it was asked`() async throws {
        try await withRun(Self.asked) { run in
            let resolver = try #require(run.resolver.flatMap { SocketAddress(table: $0) })
            let replies = try await Self.ask(
                [
                    ("home.example.org", .a), ("home.example.org", .aaaa),
                    ("WWW.example.org", .a), ("nowhere.example.org", .a), ("late.example.org", .a),
                ], at: resolver)
            #expect(replies.map(\.flags.isTruncated) == [true, false, false, false, false])
            #expect(replies.map(\.flags.code) == [.noError, .noError, .noError, .nameError, .noError])
            #expect(replies.map(\.answers.count) == [1, 0, 2, 0, 1])
            let home = try #require(run.names.first.flatMap { SocketAddress(table: $0.address)?.hostBytes })
            #expect(replies[2].answers.last?.data == .address(home))
            let byStream = try await Self.askByStream("home.example.org", at: resolver)
            #expect(byStream?.answers.map(\.data) == [.address(home)])
            let sentences = run.journal.snapshot().entries.compactMap { entry in
                if case .dns(let note) = entry.event {
                    note.sentence.split(separator: ",").first.map(String.init)
                } else {
                    nil
                }
            }
            #expect(sentences.first == "question 0 by udp: A home.example.org")
            #expect(sentences.contains("question 0: NOERROR truncated"))
            #expect(sentences.contains("question 3: NXDOMAIN"))
            #expect(sentences.contains("question 5 by tcp: A home.example.org"))
        }
    }

    @Test func `bytes that are no question get no reply, or a code, and are written down`() async throws {
        try await withRun(Self.asked) { run in
            let resolver = try #require(run.resolver.flatMap { SocketAddress(table: $0) })
            let query = DNSMessage.query(DNSQuestion(try #require(DNSName("home.example.org")), .aaaa), id: 3).bytes
            var odd = query
            odd[2] = 0x10
            let replies = try await Self.exchange([[], Array(query.prefix(20)), odd], at: resolver, expected: 1)
            #expect(replies.map(\.flags.code) == [DNSCode(4)])
            let kinds = run.journal.snapshot().entries.compactMap { entry -> String? in
                guard case .dns(let note) = entry.event, case .violation(let violation) = note.event else { return nil }
                return violation.kind
            }
            #expect(kinds == ["header-cut", "cut", "bad-opcode"])
        }
    }

    // MARK: A client of DNS

    private static func ask(_ questions: [(String, DNSType)], at resolver: SocketAddress) async throws -> [DNSMessage] {
        var replies: [DNSMessage] = []
        for (index, (name, type)) in questions.enumerated() {
            let query = DNSMessage.query(DNSQuestion(try #require(DNSName(name)), type), id: UInt16(index))
            replies += try await exchange([query.bytes], at: resolver, expected: 1)
            #expect(replies.last?.id == UInt16(index) && replies.last?.questions == query.questions)
        }
        return replies
    }

    private static func exchange(
        _ messages: [[UInt8]], at resolver: SocketAddress, expected: Int
    ) async throws -> [DNSMessage] {
        try await onOwnLoop { loop in
            let port = try DatagramPort(on: loop, address: .ipv4(host: "127.0.0.1", port: 0))
            defer { port.close() }
            for message in messages { port.send(message, to: resolver) }
            var replies: [DNSMessage] = []
            let end = MonotonicClock.nanoseconds + UInt64(Patience.seconds) * 1_000_000_000
            while replies.count < expected, let datagram = await port.receive(until: end) {
                replies += [DNSReader.read(datagram.bytes).message].compactMap(\.self)
            }
            return replies
        }
    }

    private static func askByStream(_ name: String, at resolver: SocketAddress) async throws -> DNSMessage? {
        let query = DNSMessage.query(DNSQuestion(try #require(DNSName(name)), .a), id: 77)
        return try await onOwnLoop { loop in
            let socket = try await Socket.connect(to: resolver, on: loop)
            defer { socket.close() }
            let limit = UInt64(Patience.seconds) * 1_000_000_000
            try await socket.write(query.streamBytes, within: limit)
            var reader = DNSStreamReader()
            while true {
                var bytes: [UInt8] = []
                let isOpen: Void? = try await socket.read(within: limit) { bytes.append($0) }
                guard isOpen != nil else { return nil }
                if let message = reader.messages(adding: bytes).first { return DNSReader.read(message).message }
            }
        }
    }

    private static func onOwnLoop<Result: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Result
    ) async throws -> Result {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let result = try await loop.run { try await body(loop) }
        group.stop()
        await group.ended()
        return result
    }
}
