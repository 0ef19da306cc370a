internal import ProctorBase
internal import ProctorBook
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorMCP
internal import ProctorProgram
internal import ProctorScenario

// Scenarios: found, read, checked, added; and what rules and messages mean.
extension MCPTools {
    private static let shownCount = 50
    private static let hitCount = 12
    /// The seconds without a call after which an added scenario is forgotten; a session may be long.
    private static let lifeSeconds = 86_400
    /// The most bytes that are made of a text while it is read, as of `inline`.
    private static let madeByteLimit = 256 << 10

    func list(_ family: String?) async throws -> String {
        let scenarios = try await ask(.scenarios(ofFamily: family))["scenarios"].items
        if let family {
            guard !scenarios.isEmpty else {
                throw MCPRefusal(
                    "there is no family '\(PrintableText.sanitize(family))'; list_scenarios without one lists them")
            }
            return Self.lines(of: scenarios, limit: .max)
        }
        var counts: [String: Int] = [:]
        for scenario in scenarios {
            counts[(scenario["id"].string ?? "").prefix { $0 != "/" } + "", default: 0] += 1
        }
        let lines = counts.sorted { $0.key < $1.key }.map { "\($0.key): \(Plural.count($0.value, "scenario"))" }
        return lines.joined(separator: "\n")
    }

    func search(_ words: String) async throws -> String {
        let scenarios = try await ask(.searchScenarios(words))["scenarios"].items
        guard !scenarios.isEmpty else { return "no scenario has all of these words; take fewer, or other ones" }
        return Self.lines(of: scenarios, limit: Self.shownCount)
    }

    private static func lines(of scenarios: [JSONTree], limit: Int) -> String {
        var lines = scenarios.prefix(limit).map { "\($0["id"].string ?? "")  \($0["summary"].string ?? "")" }
        if scenarios.count > limit { lines.append("and \(scenarios.count - limit) more; take another word") }
        return lines.joined(separator: "\n")
    }

    func read(_ id: String) async throws -> String {
        let scenario = try await ask(.scenario(id))
        var lines = [id, scenario["summary"].string ?? ""]
        let spec = scenario["spec"].items.compactMap(\.string)
        if !spec.isEmpty { lines.append("by " + spec.joined(separator: "; ")) }
        for item in scenario["cases"].items {
            let summary = item["summary"].string.map { ": \($0)" } ?? ""
            lines.append("case \(item["name"].string ?? "") (\(item["kind"].string ?? ""))\(summary)")
            if let wire = item["wire"].string { lines.append("  wanted on the wire: \(wire)") }
        }
        lines.append("")
        lines.append(
            try await text(of: id, scenario)
                ?? "its text can't be shown: its file has over 256 KiB or can't be read, or another client added it")
        return lines.joined(separator: "\n")
    }

    /// The text of a scenario, of which `scenario` is the server's answer; nil: neither its file nor this session has it.
    func text(of id: String, _ scenario: JSONTree) async throws -> String? {
        scenario["text"].string ?? added.withLock { $0[id]?.text }
    }

    func check(_ text: String) async throws -> String {
        let (scenario, diagnostics) = ScenarioLoader.parseMade(
            Array(text.utf8), id: "checked", file: "text", madeByteLimit: Self.madeByteLimit)
        if let scenario {
            let cases = scenario.cases.map(\.name).joined(separator: ", ")
            return "no mistakes: \(Plural.count(scenario.exchanges.count, "exchange")), "
                + (cases.isEmpty ? "no cases" : "cases \(cases)")
        }
        return diagnostics.map(\.description).joined(separator: "\n")
    }

    func putScenario(_ text: String, as id: String) async throws -> String {
        let answer = try await ask(.putScenario(Array(text.utf8), as: id, lifeSeconds: Self.lifeSeconds))
        let isWritten = added.withLock { added in
            let isWritten = added[id]?.isWritten ?? false
            added[id] = (text, isWritten)
            return isWritten
        }
        var lines = [
            answer["base"].string.map { "served below \($0)/; make_run gives it ports of its own" }
                ?? "served; it needs a root of its own, which make_run gives it"
        ]
        if let folder {
            let path = "\(folder)/\(id).yaml"
            do throws(CallFailure) {
                if isWritten {
                    try AtomicFile.replace(path, with: text)
                } else {
                    try AtomicFile.create(path, with: text)
                }
            } catch {
                throw MCPRefusal(
                    "it is served, but \(path) can't be written: \(error.text); a file that was there before is not "
                        + "replaced: take another id")
            }
            added.withLock { $0[id]?.isWritten = true }
            lines.append("written to \(path)")
        }
        return lines.joined(separator: "\n")
    }

    func explain(_ subject: String) async throws -> String {
        if let departure = Departure(rawValue: subject) {
            return TolerancePage.text(of: departure, owners: nil)
        }
        if let rule = try? RulePage.rule(subject) { return RulePage.text(of: rule) }
        if subject.utf8.contains(UInt8(ascii: "#")) {
            do {
                return try DemandPage.text(of: subject, in: library, context.output)
            } catch is PrintedFailure {
                throw MCPRefusal("the file of \(PrintableText.sanitize(subject)) has mistakes; mend them first")
            }
        }
        guard let book else { throw MCPRefusal("no book comes with this program; say a rule, as R12, or ID#CASE") }
        let hits = BookSearch(book).find(subject, limit: Self.hitCount)
        guard !hits.isEmpty else { throw MCPRefusal("the book says nothing of these words; take fewer") }
        return hits.map { "\($0.title) (\($0.place); page \($0.target))\n  \($0.line)" }.joined(separator: "\n")
    }
}
