import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What musts rest on: the catalogue of a library, and how its cases are held to it.
struct DemandTests {
    private static let catalogue = """
        RFC 1 §1:
          keeps: { keyword: MUST NOT, subject: user agent, demand: change the method }
        RFC 1 §2:
          reads: { keyword: MUST, subject: recipient, demand: read it }
          sends: { keyword: syntax, subject: client, demand: one reading }
          ought: { keyword: SHOULD, subject: client, demand: be kind }
          serves: { keyword: MUST, subject: origin server, demand: serve it }
        RFC 1 §3:
          may: { keyword: MAY, subject: client, demand: do as it likes }
        """

    private static let must = """
        summary: s
        exchanges: [{ request: GET /a, reply: { status: 200 } }]
        cases:
          c:
            client: { url: /a }

        """

    private func diagnostics(_ keys: String) throws -> [String] {
        let read = DemandCatalogue.parse(Self.catalogue.bytes, file: "d.yaml")
        #expect(read.diagnostics == [])
        let check = DemandCheck(DemandCatalogue.make(read.demands).catalogue)
        return check.diagnostics(of: try scenario(keys)).map(\.shortText)
    }

    private func scenario(_ keys: String) throws -> Scenario {
        try load(
            Self.must + keys.split(separator: "\n").map { "    \($0)\n" }.joined())
    }

    @Test(arguments: [
        "spec: RFC 1 §1", "spec: [RFC 1 §2, RFC 1 §1]", "spec: RFC 1 §2\ndemand: reads",
        "spec: [RFC 1 §1, RFC 1 §2]\ndemand: [sends, keeps]", "spec: callback rule R12",
        "spec: [callback rule R12, RFC 1 §1]\ndemand: R12", "spec: RFC 1 §3\nkind: observes",
        "spec: RFC 1 §2\nkind: should\ndemand: ought", "kind: observes",
    ])
    func `a must that names a demand of a client is right, and other kinds need none`(keys: String) throws {
        #expect(try diagnostics(keys) == [])
    }

    @Test(arguments: [
        ("spec: RFC 1 §2\ndemand: raeds", "7:13 there is no demand \"raeds\"; did you mean \"reads\"?"),
        (
            "kind: should\nspec: RFC 1 §2\ndemand: zzzzzzz",
            "8:13 there is no demand \"zzzzzzz\"; the cited sections have: reads, sends, ought, serves"
        ),
        (
            "spec: RFC 1 §2\ndemand: serves",
            "7:13 \"serves\" binds an origin server, which a client is not; name a demand of a client, or write another kind"
        ),
        ("spec: RFC 1 §2\ndemand: ought", "7:13 \"ought\" says SHOULD, on which no must can rest; write kind: should"),
        ("spec: RFC 1 §3\ndemand: may", "7:13 \"may\" says MAY, on which no must can rest; write kind: observes"),
        ("spec: RFC 1 §1\ndemand: reads", "7:13 \"reads\" is a demand of RFC 1 §2; cite that section in spec"),
    ])
    func `a demand that no must can rest on is refused at its place`(keys: String, message: String) throws {
        #expect(try diagnostics(keys) == [message])
    }

    @Test(arguments: [
        ("spec: RFC 1 §2", "RFC 1 §2 has reads, sends"), ("spec: RFC 1 §3", "RFC 1 §3 has only client, MAY"),
        ("spec: [RFC 9 §9, RFC 1 §2]", "RFC 9 §9 has none; RFC 1 §2 has reads, sends"), ("", "it has no spec"),
    ])
    func `a must without a demand says what its sections have`(keys: String, words: String) throws {
        let hint = "; name one with demand:, cite the section that binds a client, or write another kind"
        #expect(try diagnostics(keys) == ["4:3 the must \"c\" names no demand of a client: \(words)\(hint)"])
    }

    @Test(arguments: [
        (
            "RFC 1 §1:\n  a: { keyword: WILL, subject: client, demand: x }\n",
            "2:17 unknown keyword \"WILL\"; permitted: "
        ),
        (
            "RFC 1 §1:\n  a: { keyword: MUST, subject: clent, demand: x }\n",
            "2:32 unknown subject \"clent\"; did you mean \"client\"?"
        ),
        ("RFC 1 §1:\n  a: { keyword: MUST, subject: client }\n", "2:6 a demand needs the key \"demand\""),
        ("RFC 1 §1: x\n", "1:12 expected demands by id, found "), ("- x\n", "1:1 expected demands by section, found "),
    ])
    func `a fault of the catalogue is told at its place`(text: String, message: String) {
        let read = DemandCatalogue.parse(text.bytes, file: "d.yaml")
        #expect(read.diagnostics.count == 1)
        #expect(read.diagnostics.first?.shortText.hasPrefix(message) == true, "\(read.diagnostics)")
    }

    @Test func `an id stands once in the catalogue`() {
        let text = ["A", "B"].map { "\($0):\n  x: { keyword: MUST, subject: client, demand: \($0) }\n" }.joined()
        let made = DemandCatalogue.make(DemandCatalogue.parse(text.bytes, file: "d.yaml").demands)
        #expect(made.diagnostics.map(\.shortText) == ["4:3 the id \"x\" is taken by a demand of A"])
    }

    @Test func `a library without the folder is held to nothing, one with it in every folder`() throws {
        let folder = try TestFolder([
            "own/a.yaml": Self.must, "held/_demands/d.yaml": Self.catalogue, "held/deep/b.yaml": Self.must,
        ])
        let own = ScenarioLoader.load(paths: ["\(folder.path)/own"])
        #expect(own.isClean && DemandCatalogues.diagnostics(of: own.scenarios) == [])
        let held = ScenarioLoader.load(paths: ["\(folder.path)/held/deep"])
        #expect(held.isClean && DemandCatalogues.diagnostics(of: held.scenarios).count == 1)
        #expect(ScenarioLoader.load(paths: ["\(folder.path)/held"]).scenarios.map(\.id) == ["deep/b"])
    }

    @Test func `every must of the library names who must do what`() {
        let result = ScenarioLoader.load(paths: ["\(SchemaJudge.repository)/fixtures"])
        #expect(result.diagnostics == [])
        #expect(DemandCatalogues.diagnostics(of: result.scenarios).map(\.description) == [])
    }

    @Test func `every demand of the library is one sentence of its own`() throws {
        let read = DemandCatalogue.load(folder: "\(SchemaJudge.repository)/fixtures/_demands")
        #expect(read.diagnostics == [] && read.catalogue.demands.count > 400)
        for demand in read.catalogue.demands {
            #expect(!demand.text.hasSuffix(".") && demand.text.count <= 200, "\(demand.id)")
        }
        #expect(Set(read.catalogue.demands.map { "\($0.section) \($0.text)" }).count == read.catalogue.demands.count)
    }
}
