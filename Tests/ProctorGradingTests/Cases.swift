import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorRules
import Testing

@testable import ProctorGrading
@testable import ProctorProgram
@testable import ProctorScenario

let place = SourceLocation(file: "a.yaml", line: 3, column: 5)

/// A case of one step, or of several, with whatever is asked of it.
///
/// `asksReply`: what the client makes of the reply is a claim though the case does not speak of it.
func makeCase(
    kind: Case.Kind = .must, spec: [String] = [], wire: String? = nil, ambient: String? = nil,
    lanes: [String: String] = [:],
    with mixed: [String: String] = [:], tasks: [ClientProgram] = [makeProgram()], edges: [String] = [],
    breaks: [Int] = [], facts: [(String, Fact.Expectation)] = [], measures: [(FactName, Fact.Expectation)] = [],
    cookies: Case.CookieDemand? = nil, needs: Set<Ability> = [], applies: Set<Ability> = [], asksReply: Bool = false,
    contraryOrigins: [String] = []
) throws -> Case {
    var ambients = try mixed.reduce(into: [String: Notation]()) { result, entry in
        result[entry.key] = try Notation(parsing: entry.value, lane: Lane(fixtureKey: entry.key) ?? .task)
    }
    if let ambient { ambients["wire"] = try Notation(parsing: ambient, lane: .wire) }
    let all =
        try facts.map { Fact(name: try FactName(parsing: $0.0), expected: $0.1, location: place) }
        + measures.map { Fact(name: $0.0, expected: $0.1, location: place) }
    return Case(
        name: "follow", kind: kind, summary: nil, spec: spec, client: tasks,
        wire: try wire.map { try Notation(parsing: $0, lane: .wire) },
        lanes: try lanes.reduce(into: [:]) { result, entry in
            result[entry.key] = try Notation(parsing: entry.value, lane: Lane(fixtureKey: entry.key) ?? .task)
        }, ambient: ambients, edges: try edges.map { try CausalEdge(parsing: $0) },
        breaks: breaks.map { RuleNumber($0) }, facts: all, cookies: cookies, needs: needs, applies: applies,
        isAboutRequestsAlone: !asksReply && lanes.isEmpty && edges.isEmpty
            && !all.contains { $0.name.subject == .reply }, contraryOrigins: contraryOrigins, location: place)
}

/// A GET whose questions are answered in the usual way, where nothing else is said.
func makeProgram(
    _ task: ClientProgram.TaskKind = .data, onRedirect: ClientProgram.RedirectAnswer = .follow,
    onResponse: ClientProgram.ResponseAnswer = .allow, onChallenge: [ClientProgram.ChallengeAnswer] = [],
    session: SessionProgram? = nil
) -> ClientProgram {
    var program = ClientProgram(url: Template(parts: [.literal(Array("/a".utf8))]), location: place)
    program.step.task = task
    program.step.onResponse = onResponse
    program.onRedirect = [onRedirect]
    program.onChallenge = onChallenge
    program.session = session
    return program
}

extension SessionProgram {
    init(_ change: (inout SessionSetup) -> Void) {
        self.init()
        change(&setup)
    }
}

/// The verdict on a trace, and on a journal where there is one.
func grade(
    _ item: Case, _ trace: String, journal: [JournalEntry]? = nil, lanes: Set<Lane>? = nil,
    facts: Set<FactKey>? = nil, abilities: Set<Ability>? = nil, ending: ClientEnding = .finished,
    platform: Platform = .neutral, ledger: Ledger? = nil
) throws -> CaseVerdict {
    var evidence = CaseEvidence(
        events: try TraceScript.events(trace), reportedLanes: lanes, reportedFacts: facts, journal: journal,
        ending: ending)
    evidence.declaredAbilities = abilities
    return CaseGrader(item, scenario: "redirect/302", platform: platform, ledger: ledger).grade(evidence)
}

extension Fact.Expectation: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    static func literal(_ text: String) -> Self { .text(Template(parts: [.literal(Array(text.utf8))])) }

    /// One text.
    public init(stringLiteral text: String) { self = .literal(text) }

    /// A list of texts.
    public init(arrayLiteral texts: String...) {
        self = .list(texts.map { Template(parts: [.literal(Array($0.utf8))]) })
    }
}

/// A fact of the wire with what a case expects of it, and what the finding says behind its name where that does not hold.
struct FactRow: CustomTestStringConvertible {
    let name: String
    let expected: Fact.Expectation
    let complaint: String?

    init(_ name: String, _ expected: Fact.Expectation, fails complaint: String? = nil) {
        self.name = name
        self.expected = expected
        self.complaint = complaint
    }

    var testDescription: String { "\(name) \(expected)" }

    /// Whether the journal lacks what the fact needs: bytes that were not kept, or a request that never came.
    var isOpen: Bool {
        name == "wire[4].method" && expected == .absent || complaint?.contains("the journal kept") == true
            || complaint?.contains("was not read") == true
    }

    @discardableResult func check(_ journal: [JournalEntry]) throws -> WireVerdict {
        let verdict = WireGrader(try makeCase(facts: [(name, expected)])).grade(journal)
        if isOpen {
            #expect(verdict.undecidedFacts.map(\.text) == [name] && verdict.findings.isEmpty, "\(verdict)")
        } else {
            #expect(verdict.failures.map(\.sentence) == (complaint.map { ["\(name): \($0)"] } ?? []))
            #expect(verdict.undecidedFactCount == 0)
        }
        return verdict
    }
}

extension GuardVerdict {
    /// A verdict of an origin's guard, or of a proxy's guard where its name says so.
    static func judging(
        _ outcome: Outcome, by name: String = "lab", attempt: Int = 0, scheme: String? = nil, user: String? = nil,
        nc: UInt32? = nil, faults: [CredentialFault] = [], remarks: [CredentialFault] = []
    ) -> GuardVerdict {
        GuardVerdict(
            guardName: name, field: name == "proxy" ? "Proxy-Authorization" : "Authorization", attempt: attempt,
            scheme: scheme, user: user, nonceCount: nc, outcome: outcome, faults: faults, remarks: remarks)
    }
}

extension CredentialFault {
    static let wrongURI = CredentialFault(
        .wrongURI, #"uri is "/b", and the request-target is "/a""#, section: "RFC 7616 §3.4.6")
    static let wrongResponse = CredentialFault(
        .wrongResponse, "expected response aa, received bb, computed with the wrong uri", section: "RFC 7616 §3.4.1")
    static let skipped = CredentialFault(.skippedNonceCount, "nc 00000003 follows 00000001", section: "RFC 7616 §3.4")
    static let wrongPassword = CredentialFault(
        .wrongPassword, #"the password of "user" is not "x""#, section: "RFC 7617 §2")
}
