import ProctorDNS
import ProctorEvents
import ProctorProgram
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What is read of the addresses of names, and of replies of DNS.
struct AddressReadingTests {
    private func scenario(_ origins: String, _ rest: String = "") throws -> Scenario {
        try load(
            "summary: s\norigins: { \(origins) }\n\(rest)exchanges: [{ request: GET /, reply: { status: 200 } }]\n"
                + "cases: { get: { kind: observes, client: { url: / } } }\n")
    }

    private static let home = "main: { host: home.example.org }, second: { }"

    @Test func `addresses are origins in their order, and need an ability`() throws {
        let scenario = try scenario(
            "main: { host: home.example.org, addresses: [gone, six, main] }, gone: { role: closed }, "
                + "six: { role: unreachable, host: ipv6 }")
        #expect(scenario.origins[0].addresses == [1, 2, 0])
        #expect(scenario.cases[0].needs.contains(.addresses))
        #expect(!scenario.cases[0].needs.contains(.dns))
    }

    @Test func `replies of DNS are read, and need an ability`() throws {
        let scenario = try scenario(
            Self.home,
            """
            dns:
              - { name: home.example.org, type: A, over: tcp, on: 1-3, to: [second], fault: wrong-id, after: 20ms }
              - { name: www.example.org, alias: home.example.org }
              - { name: home.example.org, code: SERVFAIL }
              - { name: home.example.org, fault: truncated }
              - name: home.example.org
                type: HTTPS
                https: [{ priority: 3, target: www.example.org, alpn: [h2], no-default-alpn: true, port: second, mandatory: [3, 65280] }]

            """)
        let rules = try #require(scenario.dns?.rules)
        #expect(scenario.cases[0].needs.contains(.dns))
        #expect(rules.map { "\($0.name)" }.first == "home.example.org")
        #expect(rules.map(\.type) == [.a, nil, nil, nil, .https])
        #expect(rules.map(\.transport) == [.tcp, nil, nil, .udp, nil])
        #expect(rules[0].questions == 1...3 && rules[0].origins == [1] && rules[0].delay == .milliseconds(20))
        #expect(rules.map(\.fault) == [.wrongID, nil, nil, .truncated, nil])
        #expect(rules[1].alias == DNSName("home.example.org") && rules[2].code == .serverFailure)
        let service = try #require(rules[4].services.first)
        #expect(service.priority == 3 && service.protocols == ["h2"] && !service.hasDefaultProtocol)
        #expect(service.port == 1 && service.mandatory == [3, 65280])
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let origins: String
        let dns: String
        let message: String

        init(_ origins: String = AddressReadingTests.home, dns: String = "", _ message: String) {
            (self.origins, self.dns, self.message) = (origins, dns, message)
        }

        var testDescription: String { message }
    }

    @Test(arguments: [
        Refused("main: { addresses: [main] }", "\"addresses\" are those of a name over TCP"),
        Refused("main: { host: home.example.org, addresses: [nobody] }", "unknown origin \"nobody\""),
        Refused(
            "main: { host: home.example.org, addresses: [main, main] }", "an origin stands twice among the addresses"),
        Refused(
            "main: { host: home.example.org, addresses: [a, b] }, a: { host: ipv6 }, b: { host: ipv6 }",
            "a machine has one loopback address of IPv6"),
        Refused("main: {}", dns: "dns: []\n", "\"dns\" is about names, and no origin has one"),
        Refused(dns: "dns: [{ type: A }]\n", "\"name\""),
        Refused(dns: "dns: [{ name: www.apple.com }]\n", "may belong to someone"),
        Refused(dns: "dns: [{ name: localhost }]\n", "expected a name"),
        Refused(dns: "dns: [{ name: home.example.org, type: MX }]\n", "unknown type of records \"MX\""),
        Refused(dns: "dns: [{ name: home.example.org, code: BAD }]\n", "unknown code \"BAD\""),
        Refused(dns: "dns: [{ name: home.example.org, fault: slow }]\n", "unknown fault \"slow\""),
        Refused(
            dns: "dns: [{ name: home.example.org, code: SERVFAIL, to: [second] }]\n",
            "\"to\" means nothing beside \"code\""),
        Refused(
            dns: "dns: [{ name: home.example.org, https: [{ priority: 1 }] }]\n", "\"https\" is about HTTPS records"),
        Refused(
            dns: "dns: [{ name: home.example.org, type: HTTPS, https: [{ priority: 70000 }] }]\n", "0 ... 65535"),
    ])
    func `what is wrong is said where it stands`(row: Refused) throws {
        let text =
            "summary: s\norigins: { \(row.origins) }\n\(row.dns)exchanges: [{ request: GET /, reply: { status: 200 } }]\n"
        let (_, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "s", file: "s.yaml")
        #expect(diagnostics.contains { "\($0)".contains(row.message) }, "\(diagnostics)")
    }

    @Test func `facts of DNS need a server of DNS`() throws {
        let text = """
            summary: s
            exchanges: [{ request: GET /, reply: { status: 200 } }]
            cases: { get: { kind: observes, client: { url: / }, facts: { dns.count: 1, "dns[0].violations": odd } } }

            """
        let (_, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "s", file: "s.yaml")
        #expect(diagnostics.contains { "\($0)".contains("this scenario has no server of it") })
        #expect(diagnostics.contains { "\($0)".contains("unknown violation \"odd\" of a question of DNS") })
    }
}
