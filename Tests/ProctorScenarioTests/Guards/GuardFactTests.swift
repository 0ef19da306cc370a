import ProctorHTTP
import ProctorScenario
import ProctorTrace
import Testing

struct GuardFactTests {
    private func facts(_ yaml: String) throws -> [Fact] {
        let scenario = try load(
            """
            summary: s
            guards: { lab: { users: { u: p }, schemes: [basic] } }
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: \(yaml) } }
            """)
        return try #require(scenario.cases.first).facts
    }

    @Test func `every name of a fact about guards reads back as it prints`() throws {
        let names: [FactName] =
            FactName.GuardFact.allCases.flatMap { fact -> [FactName] in
                [.guarding(guardName: nil, fact), .guarding(guardName: "exchange 3", fact)]
            } + [
                .wire(index: 0, .guardOutcome), .wire(index: 7, .guardFaults),
                .wire(index: 1, .credentials("scheme", isProxy: false)),
                .wire(index: 2, .credentials("nc", isProxy: true)),
            ]
        for name in names { #expect(try FactName(parsing: name.text) == name) }
        #expect(names.map(\.text).contains("auth[exchange 3].nc"))
        #expect(
            names.suffix(4).map(\.text) == [
                "wire[0].auth", "wire[7].auth.faults", "wire[1].credentials.scheme", "wire[2].proxy-credentials.nc",
            ])
    }

    @Test func `every outcome and every fault is a value`() throws {
        for outcome in GuardVerdict.Outcome.allCases {
            #expect(try facts("{ 'wire[0].auth': \(outcome.rawValue) }").count == 1)
        }
        let kinds = CredentialFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let read = try facts("{ 'wire[0].auth.faults': [\(kinds)], auth.faults: [\(kinds)], 'auth[lab].faults': [] }")
        #expect(
            read.map(\.name) == [
                .wire(index: 0, .guardFaults), .guarding(guardName: nil, .faults), .guarding(guardName: "lab", .faults),
            ])
        for fact in read.dropLast() {
            guard case .list(let items) = fact.expected else {
                Issue.record("\(fact.name.text) is no list")
                continue
            }
            #expect(items.count == CredentialFault.Kind.allCases.count)
        }
    }

    @Test func `counts have bounds, nonce counts are a list, and any parameter may be asked for`() throws {
        let read = try facts(
            """
            { auth.attempts: { min: 1, max: 3 }, auth.failures: 0, auth.challenges: 1, auth.nc: [1, 2], auth.user: "",
              auth.scheme: digest, 'wire[0].auth': null, 'wire[0].auth.faults': wrong-password,
              'wire[1].credentials.username*': null, 'wire[1].proxy-credentials.token68': { same: 'wire[0].credentials.x' } }
            """)
        #expect(read.count == 10)
        #expect(read[0].expected == .range(minimum: 1, maximum: 3))
        #expect(read[9].expected == .same(.wire(index: 0, .credentials("x", isProxy: false))))
    }
}
