import ProctorDNS
import ProctorDialling
import ProctorLoop
import Testing

struct `Happy eyeballs` {
    private static let four = (1...4).map { SocketAddress.ipv4(host: "127.0.0.\($0)", port: 80) }
    private static let six = SocketAddress.ipv6(host: "::1", port: 80)
    private static let resolver = SocketAddress.ipv4(host: "127.0.0.9", port: 53)
    private static let name = DNSName("home.example.org") ?? .root
    private static let delay = DiallingMachine.attemptDelay

    private static func asked(services: Bool = false) -> HostPlace {
        .asked(HostQuestion(name: name, port: 80, resolver: resolver, asksForServices: services))
    }

    private static func records(_ type: DNSType, _ bytes: [UInt8]...) -> DiallingMachine.Answer {
        .records(bytes.map { DNSRecord(name, type, seconds: 1, .address($0)) })
    }

    private static let aaaa = DNSQuestion(name, .aaaa)
    private static let a = DNSQuestion(name, .a)
    private static let https = DNSQuestion(name, .https)
    private static let ofSix = [UInt8](repeating: 0, count: 15) + [1]

    // MARK: Attempts (RFC 8305 §5)

    @Test func `an attempt begins 250 ms after the one before`() {
        var machine = DiallingMachine(.addresses([Self.four[0], Self.four[1], Self.four[2]]))
        #expect(machine.beginDialling() == [.connect(Self.four[0]), .startTimer(1, Self.delay)])
        #expect(machine.timerFired(1) == [.connect(Self.four[1]), .startTimer(2, Self.delay)])
        #expect(machine.timerFired(1) == [], "a timer that is over")
        #expect(machine.timerFired(2) == [.connect(Self.four[2])])
        #expect(machine.attemptFailed() == [] && machine.attemptFailed() == [])
        #expect(machine.attemptFailed() == [.fail])
    }

    @Test func `behind a failure the next address is tried at once, and its timer counts`() {
        var machine = DiallingMachine(.addresses(Array(Self.four[..<3])))
        _ = machine.beginDialling()
        #expect(machine.attemptFailed() == [.connect(Self.four[1]), .startTimer(2, Self.delay)])
        #expect(machine.timerFired(1) == [], "the timer of the attempt that has failed")
        #expect(machine.timerFired(2) == [.connect(Self.four[2])])
    }

    @Test func `a list begins with the family of its first address, and the families take turns`() {
        var machine = DiallingMachine(.addresses([Self.four[0], Self.four[1], Self.six]))
        #expect(machine.beginDialling().first == .connect(Self.four[0]))
        #expect(machine.timerFired(1).first == .connect(Self.six))
        #expect(machine.timerFired(2).first == .connect(Self.four[1]))
    }

    // MARK: Questions (RFC 8305 §3)

    @Test func `AAAA is asked first, and its answer is tried at once`() {
        var machine = DiallingMachine(Self.asked())
        #expect(machine.beginDialling() == [.ask(Self.aaaa, of: Self.resolver), .ask(Self.a, of: Self.resolver)])
        #expect(machine.answered(Self.aaaa, Self.records(.aaaa, Self.ofSix)) == [.connect(Self.six)])
        #expect(
            machine.answered(Self.a, Self.records(.a, [127, 0, 0, 1])) == [.startTimer(1, Self.delay)],
            "an address that comes later joins the race")
        #expect(machine.timerFired(1) == [.connect(Self.four[0])])
    }

    @Test func `an answer for A waits 50 ms for that for AAAA`() {
        var machine = DiallingMachine(Self.asked())
        _ = machine.beginDialling()
        let actions = machine.answered(Self.a, Self.records(.a, [127, 0, 0, 1]))
        #expect(actions == [.startTimer(1, DiallingMachine.resolutionDelay)])
        var late = machine
        #expect(late.timerFired(1) == [.connect(Self.four[0])])
        #expect(
            machine.answered(Self.aaaa, Self.records(.aaaa, Self.ofSix)) == [
                .connect(Self.six), .startTimer(2, Self.delay),
            ])
    }

    @Test func `without any address the dialling fails when the last answer is there`() {
        var machine = DiallingMachine(Self.asked())
        _ = machine.beginDialling()
        #expect(machine.answered(Self.a, .failed("SERVFAIL")) == [])
        #expect(machine.answered(Self.a, .failed("SERVFAIL")) == [], "an answer that was not asked for")
        #expect(machine.answered(Self.aaaa, .records([])) == [.fail])
        #expect(machine.lookupFailures == ["A home.example.org: SERVFAIL", "AAAA home.example.org: no address"])
    }

    // MARK: HTTPS records (RFC 9460)

    private static func service(
        _ priority: UInt16, target: DNSName = .root, _ parameters: DNSService.Parameter...
    ) -> DNSRecord {
        DNSRecord(
            name, .https, seconds: 1, .service(DNSService(priority: priority, target: target, parameters: parameters)))
    }

    private static func port(_ number: UInt8) -> DNSService.Parameter { .init(DNSService.Key.port, [0, number]) }

    private static func connected(_ records: [DNSRecord], _ fault: DiallingFault? = nil) -> DiallingMachine.Action? {
        var machine = DiallingMachine(asked(services: true), fault: fault)
        _ = machine.beginDialling()
        _ = machine.answered(aaaa, .records([]))
        _ = machine.answered(a, Self.records(.a, [127, 0, 0, 1]))
        return machine.answered(https, .records(records)).first
    }

    @Test func `the usable record with the least number says the port`() {
        #expect(Self.connected([Self.service(2, Self.port(8)), Self.service(1, Self.port(9))]) == .connect(four(9)))
        let unknown = DNSService.Parameter(DNSService.Key.mandatory, [0xFF, 0])
        #expect(Self.connected([Self.service(1, unknown, Self.port(9)), Self.service(2)]) == .connect(four(80)))
        let spoken = DNSService.Parameter(DNSService.Key.alpn, [2, 0x68, 0x33])
        let noDefault = DNSService.Parameter(DNSService.Key.noDefaultALPN, [])
        #expect(Self.connected([Self.service(1, spoken, noDefault, Self.port(9))]) == .connect(four(80)))
        #expect(Self.connected([Self.service(1, spoken, Self.port(9))]) == .connect(four(9)))
        #expect(Self.connected([]) == .connect(four(80)))
    }

    private func four(_ port: UInt16) -> SocketAddress { Self.four[0].with(port: port) }

    @Test func `an alias leads to the addresses of its target, and no chain of them has no end`() throws {
        var machine = DiallingMachine(Self.asked(services: true))
        _ = machine.beginDialling()
        var question = Self.https
        for number in 1...DiallingMachine.mostAliases {
            let target = try #require(DNSName("a\(number).example.org"))
            let actions = machine.answered(question, .records([Self.service(0, target: target)]))
            question = DNSQuestion(target, .https)
            #expect(actions.contains(.ask(question, of: Self.resolver)))
            #expect(actions.contains(.ask(DNSQuestion(target, .a), of: Self.resolver)))
        }
        let last = try #require(DNSName("last.example.org"))
        #expect(machine.answered(question, .records([Self.service(0, target: last)])) == [])
        #expect(machine.answered(Self.a, Self.records(.a, [127, 0, 0, 1])) == [], "the old name counts no more")
    }

    @Test(arguments: [DiallingFault.highestPriority, .ignoresServicePort, .ignoresMandatory])
    func `a fault shows`(fault: DiallingFault) {
        let unknown = DNSService.Parameter(DNSService.Key.mandatory, [0xFF, 0])
        let records = [
            Self.service(1, unknown, Self.port(7)), Self.service(2, Self.port(8)), Self.service(3, Self.port(9)),
        ]
        #expect(Self.connected(records) == .connect(four(8)))
        #expect(Self.connected(records, fault) != .connect(four(8)))
    }
}
