import ProctorDocument
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// `tolerates:` of scenarios and cases, and the cases that a departure needs.
struct ToleranceReadingTests {
    private func scenario(_ top: String = "", case keys: String = "") throws -> Scenario {
        try load(
            """
            summary: s
            \(top)
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              joined:
                client: { url: /a }
            \(keys.isEmpty ? "" : "    \(keys)")
            """)
    }

    @Test func `a file that says nothing tolerates every departure`() throws {
        let plain = try scenario()
        #expect(plain.tolerated == Set(Departure.allCases) && plain.untolerated == [])
        #expect(plain.cases.map(\.untolerated) == [[]])
    }

    @Test func `what a scenario does not tolerate fails all its cases, and each has its own beside it`() throws {
        let none = try scenario("tolerates: none")
        #expect(none.tolerated == [] && none.cases.map(\.untolerated) == [Set(Departure.allCases)])
        let some = try scenario(
            "tolerates: { except: digest-quoting }", case: "tolerates: { except: [cookie-separators, frame-bits] }")
        #expect(some.untolerated == [.digestQuoting])
        #expect(some.cases.map(\.untolerated) == [[.digestQuoting, .cookieSeparators, .frameBits]])
    }

    @Test func `every departure has a case of the library that is about it`() throws {
        let result = ScenarioLoader.load(paths: ["\(SchemaJudge.repository)/fixtures"])
        #expect(OwnerCheck.diagnostics(of: result.scenarios, isWholeLibrary: true) == [])
        for departure in Departure.allCases {
            let owners = OwnerCheck.owners(of: departure, in: result.scenarios)
            #expect(owners.contains(departure.row.owner), "\(departure)")
        }
    }

    @Test func `a departure without its case is refused, and another library needs none`() throws {
        let other = try scenario()
        #expect(OwnerCheck.diagnostics(of: [other], isWholeLibrary: true) == [])
        let result = ScenarioLoader.load(paths: ["\(SchemaJudge.repository)/fixtures"])
        let kept = result.scenarios.filter { $0.id != "auth/digest/quotes-of-old-clients" }
        #expect(OwnerCheck.diagnostics(of: kept, isWholeLibrary: false) == [])
        #expect(
            OwnerCheck.diagnostics(of: kept, isWholeLibrary: true).map(\.sentence) == [
                #"no case is about "digest-quoting": auth/digest/quotes-of-old-clients#exact is to be"#
            ])
    }
}
