import ProctorScenario
import Testing

struct TLSEffectReadingTests {
    /// The effects of one connection, told as texts that can be compared.
    private func effects(_ items: String) throws -> [String] {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https, connections: [\(items)] } }
            exchanges: []
            """)
        return scenario.origins[0].connectionEffects.map { "\($0.position) \(Self.text($0.action))" }
    }

    private static func text(_ action: Effect.Action) -> String {
        switch action {
        case .alert(let number): "alert \(number)"
        case .truncateRecord: "truncate-record"
        case .badMAC: "bad-mac"
        case .close(let abrupt, let notify): "close \(abrupt ? "abrupt " : "")\(notify ? "notify" : "silent")"
        case .stall: "stall"
        default: "other"
        }
    }

    @Test func `a handshake without a moment means before ServerHello`() throws {
        #expect(
            try effects("{ at: handshake, do: stall }, { at: handshake server-hello, do: stall }")
                == ["handshake(ProctorScenario.ConnectionEffect.HandshakePosition.serverHello) stall"] + [
                    "handshake(ProctorScenario.ConnectionEffect.HandshakePosition.serverHello) stall"
                ])
    }

    @Test(arguments: ConnectionEffect.HandshakePosition.allCases)
    func `every moment of a handshake has a name`(moment: ConnectionEffect.HandshakePosition) throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https, connections: [{ at: handshake \(moment.rawValue), do: reset, on: 1 }] } }
            exchanges: []
            """)
        let effect = try #require(scenario.origins[0].connectionEffects.first)
        #expect(effect.position == .handshake(moment) && effect.connections == 1...1)
    }

    @Test func `alerts are named or numbered`() throws {
        let found = try effects(
            """
            { at: handshake, do: alert 40 }, { at: handshake, do: alert handshake_failure },
            { at: handshake, do: alert unrecognized_name }, { at: handshake, do: alert 255 },
            { at: handshake, do: alert certificate_required }, { at: handshake, do: alert close_notify },
            { at: handshake, do: alert no_application_protocol }, { at: handshake, do: alert unknown_ca }
            """)
        #expect(found.map { $0.split(separator: " ").last } == ["40", "40", "112", "255", "116", "0", "120", "48"])
    }

    @Test func `each name of an alert has a number of its own`() {
        let numbers = AlertDescription.names.compactMap { AlertDescription.number(named: $0) }
        #expect(numbers.count == AlertDescription.names.count)
        #expect(Set(numbers).count == numbers.count && numbers == numbers.sorted())
        #expect(AlertDescription.number(named: "alert") == nil)
    }

    @Test func `a close says close_notify unless it is told not to`() throws {
        let exchanges = try load(
            """
            summary: s
            origins: { main: { scheme: https } }
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  body: [a, { do: close, notify: false }]
                  effects: [{ at: head, do: bad-mac }, { at: body 0, do: truncate-record },
                            { at: end, do: close, abrupt: true, notify: false }]
              - request: GET /b
                reply: { effects: [{ at: end, do: close }] }
            """
        ).exchanges
        let effects = exchanges.flatMap(\.replies).flatMap(\.effects).map { Self.text($0.action) }
        #expect(effects == ["bad-mac", "truncate-record", "close abrupt silent", "close notify"])
        guard case .structured(let message)? = exchanges[0].replies[0].message else {
            Issue.record("no message")
            return
        }
        let inline = message.body.compactMap { piece in
            if case .effect(let action) = piece { Self.text(action) } else { nil }
        }
        #expect(inline == ["close silent"])
    }

    @Test func `waits in a handshake count as time for which the server holds back`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https, connections: [{ at: handshake certificate, do: wait 1500ms }] } }
            exchanges: []
            """)
        #expect(scenario.heldMilliseconds == 1500)
    }
}
