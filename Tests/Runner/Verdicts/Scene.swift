import Foundation
import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorFixtures
import ProctorJournal
import ProctorProgram
import ProctorRules
import ProctorScenario

@testable import ProctorGrading

/// What has gone in so far: the last block of each name.
struct Scene {
    static let names: Set<String> = [
        "case", "scenario", "trace", "client", "journal", "platform", "ledger", "keep", "first-run",
        "schedule",
    ]

    private var blocks: [String: Block] = [:]
    private(set) var platforms: [String: Platform] = [:]
    private(set) var platform = Platform.neutral
    /// The parts of a line of `cases`.
    var given: [String] = []
    /// What was read already, since many lines of `cases` are about the same case and journal.
    private let memo = Memo()

    private final class Memo {
        var items: [String: Case] = [:]
        var journals: [String: [JournalEntry]] = [:]
    }

    /// The verdicts of the blocks `keep`, which reports are about.
    private(set) var kept: [CaseVerdict] = []
    private var first: [Scene] = []
    /// What stood where a block `first-run` was, with the same parts of a line of `cases`.
    var firstRun: Scene? {
        var scene = first.first
        scene?.given = given
        return scene
    }

    mutating func take(_ block: Block) throws {
        if block.name == "keep" { return try keep(block) }
        if block.name == "first-run" { first = [self] }
        blocks[block.name] = block
        guard block.name == "platform" else { return }
        guard let name = block.words.first else {
            throw RowError(block.line, "a platform needs a name: platform NAME")
        }
        let yaml = "platform: \(name)\n" + block.text
        let (read, diagnostics) = Platform.parse(Array(yaml.utf8), file: "platform.yaml")
        guard let read else { throw Self.error(block, diagnostics) }
        platforms[name] = read
        platform = read
    }

    /// The text of the last block of a name, with the parts of a line of `cases` in the places of `$(1)` and so on.
    func text(_ name: String) -> String? {
        guard let text = blocks[name]?.text else { return nil }
        return given.enumerated().reduce(text) { $0.replacing("$(\($1.offset + 1))", with: $1.element) }
    }

    func block(_ name: String) -> Block? { blocks[name] }

    private static func error(_ block: Block, _ diagnostics: [Diagnostic]) -> RowError {
        RowError(block.line, diagnostics.map(\.description).joined(separator: "\n"))
    }

    /// Keeps the verdict of the case, or one that its adapter never gave: `keep skipped`, with the reason as its text.
    private mutating func keep(_ block: Block) throws {
        let item = try item()
        let id = CaseID(scenario: block.value(of: "of") ?? "s/one", name: item.name)
        let reason = String(
            decoding: try ByteText.bytes(inLine: block.text.trimmingCharacters(in: .newlines), line: block.line),
            as: UTF8.self)
        let verdict: CaseVerdict =
            switch block.words.first {
            case "skipped": .skipped(id, kind: item.kind, reason: reason)
            case "setup-failed": .setupFailed(id, kind: item.kind, reason: reason)
            case "adapter-error":
                .adapterError(
                    id, kind: item.kind,
                    AdapterFault(reason, line: block.value(of: "adapter-error").flatMap { Int($0) }))
            default: try grader(item).grade(try evidence())
            }
        kept.append(verdict)
    }

    // MARK: Cases

    /// Speaks of everything that facts may speak of, so that a case need not bring the origins of its journal.
    private static let usualScenario = """
        exchanges:
          - { request: GET /lab, auth: lab, reply: { status: 200 } }
          - { request: GET /proxy, auth: proxy, reply: { status: 200 } }
          - { request: GET /guarded, auth: other, reply: { status: 200 } }
          - { request: "* /*", reply: { status: 200 } }
        origins:
          main: {}
          other: {}
          secure: { scheme: https, protocols: [h2, http/1.1] }
        guards:
          lab: { tokens: [t], schemes: [bearer] }
          proxy: { tokens: [t], schemes: [bearer] }
          other: { tokens: [t], schemes: [bearer] }

        """

    /// The block `scenario` alone.
    func whole() throws -> Scenario {
        let yaml = "summary: s\n" + (text("scenario") ?? Self.usualScenario)
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "s/one", file: "one.yaml")
        guard let scenario else {
            throw RowError(blocks["scenario"]?.line ?? 0, diagnostics.map(\.description).joined(separator: "\n"))
        }
        return scenario
    }

    /// The case of the block `case`: keys of YAML as below `cases:` of a fixture, with a GET where it has no `client`.
    func item() throws -> Case {
        let block = blocks["case"] ?? Block(info: "case", text: "", line: 0)
        var lines = (text("case") ?? "").split(separator: "\n").map(String.init)
        if !lines.contains(where: { $0.hasPrefix("client:") }) { lines.append("client: { url: /a }") }
        let rest = text("scenario") ?? Self.usualScenario
        let yaml = "cases:\n  case:\n" + lines.map { "    \($0)\n" }.joined() + "summary: s\n" + rest
        let key = yaml + block.words.joined(separator: " ")
        if let item = memo.items[key] { return item }
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml.utf8), id: "s/one", file: "case.yaml")
        guard let scenario, var item = scenario.cases.first else { throw Self.error(block, diagnostics) }
        // Whether requests alone decide depends on what the block says, and not on exchanges that it need not have.
        let isSilent =
            item.lanes.isEmpty && item.edges.isEmpty && !item.facts.contains { $0.name.subject == .reply }
        item.isAboutRequestsAlone = isSilent && !block.has("asks-reply")
        item.offered = block.has("offered-codings") ? .codings : block.has("offered-compression") ? .compression : nil
        if let origin = block.value(of: "contrary") { item.contraryOrigins = [origin] }
        // A case here needs what it says, and not what its program takes.
        let needs = lines.first { $0.hasPrefix("needs:") } ?? ""
        let named = Set(needs.split { !$0.isLetter && $0 != "-" && !$0.isNumber }.map(String.init))
        item.needs = item.needs.filter { named.contains($0.rawValue) }
        memo.items[key] = item
        return item
    }

    func grader(_ item: Case) throws -> CaseGrader {
        CaseGrader(item, scenario: "s/one", context: try context(), platform: platform, ledger: try ledger())
    }

    func ledger() throws -> Ledger? {
        guard let block = blocks["ledger"], let text = text("ledger"), !text.isEmpty else { return nil }
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "ledger.yaml")
        guard let ledger else { throw Self.error(block, diagnostics) }
        return ledger
    }

    // MARK: Evidence

    func journal() throws -> [JournalEntry]? {
        guard let block = blocks["journal"], !block.has("none"), let text = text("journal") else { return nil }
        if let entries = memo.journals[text] { return entries }
        var script = JournalScript()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty {
            try script.add(String(line), at: block.line + index + 1)
        }
        memo.journals[text] = script.entries
        return script.entries
    }

    func events() throws -> [TraceEvent] {
        if let trace = try file() { return trace.events }
        guard var text = text("trace") else { return [] }
        // A run of events, as `\{250 response(200) }`, and bytes that are no text.
        if text.contains("\\{") || text.contains("\\x"), let block = blocks["trace"] {
            text = String(decoding: try ByteText.bytes(inLine: text, line: block.line), as: UTF8.self)
        }
        var events = try RuleScript(verbatim: text).events
        guard try client().hasOtherClock else { return events }
        for index in events.indices {
            if case .monotonic(let nanoseconds)? = events[index].time {
                events[index].time = .elsewhere(Double(nanoseconds) / 1e6)
            }
        }
        return events
    }

    /// A trace as it stands in a file, from its header on.
    private func file() throws -> Trace? {
        guard let text = text("trace"), text.hasPrefix("{") else { return nil }
        return try Trace(Array(text.utf8))
    }

    func client() throws -> ClientWords {
        guard let block = blocks["client"], let text = text("client") else { return ClientWords() }
        return try ClientWords(text, line: block.line)
    }

    func context() throws -> TemplateContext? {
        // Behind the base stand the authorities of other origins.
        let client = try client()
        let words = client.base?.split(separator: " ") ?? []
        guard let base = words.first else { return nil }
        let main = base.drop { $0 != "/" }.drop { $0 == "/" }
        return TemplateContext(
            base: Array(base.utf8), authorities: [Array(main.utf8)] + words.dropFirst().map { Array($0.utf8) },
            schemes: client.schemes, names: client.names, namesProxy: client.namesProxy)
    }

    /// What the client told and the server saw.
    func evidence() throws -> CaseEvidence {
        let client = try client()
        if let trace = try file() {
            return CaseEvidence(trace, journal: try journal(), ending: client.ending, milliseconds: client.milliseconds)
        }
        var evidence = CaseEvidence(
            events: try events(), reportedLanes: client.lanes, reportedFacts: client.facts, journal: try journal(),
            droppedCount: client.droppedCount, ending: client.ending)
        evidence.milliseconds = client.milliseconds
        evidence.spending = client.spending
        evidence.declaredAbilities = client.abilities
        evidence.isPartial = client.isPartial
        evidence.failedControls = client.failedControls
        return evidence
    }
}
