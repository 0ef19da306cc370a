import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// Questions about TLS against the handshakes of the wire; times are milliseconds.
struct R18HandshakesTests {
    private static func request(at time: UInt64) -> TraceEvent {
        TraceEvent(sequence: -7, time: .monotonic(time), lane: .wire, name: .request, argument: "GET /a")
    }

    private static func handshake(_ begin: UInt64, resumed: Bool = false, request: UInt64? = nil) -> SeenTLSHandshake {
        SeenTLSHandshake(
            connection: 0, begin: begin, isResumed: resumed, request: request.map { Self.request(at: $0) })
    }

    private static func asked(_ kind: String, at time: UInt64, lane: Lane = .task) -> TraceEvent {
        TraceEvent(
            sequence: Int(clamping: time), time: .monotonic(time), lane: lane, name: .challenge, argument: kind)
    }

    private static func hits(
        _ events: [TraceEvent], _ handshakes: [SeenTLSHandshake], isMerged: Bool = true
    ) -> [String] {
        R18Handshakes.hits(events, handshakes, in: LaneID(.task, 0), isMerged: isMerged, platform: .neutral)
            .map { "\($0.weight) \($0.sequence.map(String.init) ?? "end"): \($0.sentence)" }
    }

    @Test func `each handshake may ask once, for each of the two`() {
        let both = [Self.asked("serverTrust", at: 2), Self.asked("clientCert", at: 3)]
        #expect(Self.hits(both, [Self.handshake(1, request: 4)]) == [])
        #expect(Self.hits([], [Self.handshake(1, request: 4)]) == [])
        #expect(Self.hits([Self.asked("serverTrust", at: 2)], [Self.handshake(1), Self.handshake(5)]) == [])
        let session = [Self.asked("serverTrust", at: 2, lane: .session), Self.asked("serverTrust", at: 6)]
        #expect(Self.hits(session, [Self.handshake(1, request: 4), Self.handshake(5, request: 7)]) == [])
    }

    @Test func `more questions than handshakes break it, at the first that is too many`() {
        let twice = [Self.asked("serverTrust", at: 2), Self.asked("serverTrust", at: 3)]
        #expect(
            Self.hits(twice, [Self.handshake(1, request: 4)]) == [
                "failure 3: challenge(serverTrust) came 2 times for 1 handshake; TLS asks once for each handshake"
            ])
        #expect(
            Self.hits([Self.asked("clientCert", at: 2)], []) == [
                "failure 2: challenge(clientCert) came once for 0 handshakes; TLS asks once for each handshake"
            ])
    }

    @Test func `a question for a resumed handshake is noted`() {
        let twice = [Self.asked("serverTrust", at: 2), Self.asked("serverTrust", at: 6)]
        #expect(
            Self.hits(twice, [Self.handshake(1, request: 4), Self.handshake(5, resumed: true, request: 7)]) == [
                "observation 6: challenge(serverTrust) came 2 times for 2 handshakes, 1 of them resumed; the server showed "
                    + "no certificate when a session was resumed"
            ])
        let thrice = twice + [Self.asked("serverTrust", at: 8)]
        let found = Self.hits(thrice, [Self.handshake(1), Self.handshake(5, resumed: true)])
        #expect(found.map { $0.prefix(10) } == ["failure 8:"])
    }

    @Test func `nothing goes out on a connection before its question`() {
        let late = [Self.asked("serverTrust", at: 5)]
        let sentence =
            "failure -7: request(GET /a) went out on a new connection before challenge(serverTrust) was asked; nothing may "
            + "be sent to a server before it is trusted"
        #expect(Self.hits(late, [Self.handshake(1, request: 4)]) == [sentence])
        #expect(Self.hits(late, [Self.handshake(1, request: 4)], isMerged: false) == [])
        let second = [Self.asked("serverTrust", at: 2), Self.asked("serverTrust", at: 9)]
        #expect(Self.hits(second, [Self.handshake(1, request: 3), Self.handshake(4, request: 8)]) == [sentence])
        #expect(Self.hits(second, [Self.handshake(1, request: 3), Self.handshake(4, request: 10)]) == [])
        // A client that asks for some of its connections only may ask for the other one.
        #expect(Self.hits(late, [Self.handshake(1, request: 4), Self.handshake(4, request: 6)]) == [])
        // A resumed handshake needs no question.
        #expect(
            Self.hits(
                [Self.asked("serverTrust", at: 5)], [Self.handshake(1, resumed: true, request: 2), Self.handshake(4)])
                == [])
    }

    @Test func `a platform may weigh it otherwise, and what returns is no question`() {
        var exit = Self.asked("serverTrust", at: 3)
        exit.phase = .exit
        #expect(Self.hits([Self.asked("serverTrust", at: 2), exit], [Self.handshake(1)]) == [])
        var platform = Platform.neutral
        platform.weights = [RuleNumber(18): .observation]
        let hits = R18Handshakes.hits(
            [Self.asked("serverTrust", at: 2)], [], in: LaneID(.task, 0), isMerged: true, platform: platform)
        #expect(hits.map(\.weight) == [.observation])
    }
}
