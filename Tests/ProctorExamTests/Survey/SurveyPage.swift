import Foundation
import ProctorScenario

/// `Docs/url-cookie-clients.md`: what is generated of it, and what stands there.
struct SurveyPage {
    static let path = "\(Checkout.path)/Docs/url-cookie-clients.md"
    static let families = ["cookie/", "url/"]

    /// Of each client that the page tells of.
    let rows: [SurveyClient: [SurveyRow]]

    init(rows: [SurveyClient: [SurveyRow]]) { self.rows = rows }

    /// As it stands; empty where there is no page.
    init() {
        let text = (try? String(contentsOfFile: Self.path, encoding: .utf8)) ?? ""
        var rows: [SurveyClient: [SurveyRow]] = [:]
        var client: SurveyClient?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { client = SurveyClient(rawValue: String(line.dropFirst(3))) }
            if let client, let row = SurveyRow(line: line) { rows[client, default: []].append(row) }
        }
        self.rows = rows
    }

    func row(_ id: String, _ client: SurveyClient) -> SurveyRow? { rows[client]?.first { $0.id == id } }

    /// The case to ask where one of a scenario is enough: the first in which the client departs, else the first of all.
    func sample(of scenario: Scenario, _ client: SurveyClient) -> String {
        let ids = scenario.cases.map { "\(scenario.id)#\($0.name)" }
        let departing: [SurveyRow.Word] = [.crashes, .hangs, .departs]
        return ids.first { id in row(id, client).map { departing.contains($0.word) } ?? false } ?? ids[0]
    }

    /// With those rows in place of what was told of the scenarios `asked`; in the order of all, and of no others.
    func with(
        _ new: [SurveyRow], of client: SurveyClient, _ asked: [String], _ scenarios: [Scenario]
    ) -> SurveyPage {
        let isAsked = Set(asked)
        let found = scenarios.flatMap { scenario in
            let known = isAsked.contains(scenario.id) ? new : self.rows[client] ?? []
            return scenario.cases.compactMap { item in known.first { $0.id == "\(scenario.id)#\(item.name)" } }
        }
        return SurveyPage(rows: rows.merging([client: found]) { $1 })
    }

    // MARK: Scenario by scenario

    /// A line for each scenario, a cell for each client.
    func matrix(_ scenarios: [Scenario]) -> [String] {
        scenarios.filter { !$0.cases.isEmpty }.map { scenario in
            let cells = SurveyClient.allCases.map { cell(scenario, $0) }
            return "| \(scenario.id) | \(cells.joined(separator: " | ")) |"
        }
    }

    /// The worst that happened in any case of the scenario.
    private func cell(_ scenario: Scenario, _ client: SurveyClient) -> String {
        let asking = scenario.cases.filter { $0.kind != .observes || row("\(scenario.id)#\($0.name)", client) != nil }
        if asking.isEmpty { return "observed" }
        let words = asking.map { row("\(scenario.id)#\($0.name)", client)?.word }
        for worst in [SurveyRow.Word.crashes, .hangs, .departs, .sometimes, .open] where words.contains(worst) {
            return "**\(worst.rawValue)**"
        }
        return words.contains(nil) ? "passes" : "–"
    }

    // MARK: The whole

    func text(_ scenarios: [Scenario]) -> String {
        let cases = scenarios.flatMap { scenario in scenario.cases.map { ("\(scenario.id)#\($0.name)", $0.kind) } }
        var lines = [Self.preface, ""]
        lines += ["| client | passes | departs | crashes | hangs | sometimes | open | – | observed |"]
        lines += ["|---|---|---|---|---|---|---|---|---|"]
        for client in SurveyClient.allCases {
            let counts = (rows[client] ?? []).reduce(into: [:]) { $0[$1.word, default: 0] += 1 }
            let told = SurveyRow.Word.inColumns.map { String(counts[$0] ?? 0) }
            let quiet = cases.filter { row($0.0, client) == nil }
            let observed = quiet.count { $0.1 == .observes }
            let numbers = ([String(quiet.count - observed)] + told + [String(observed)]).joined(separator: " | ")
            lines.append("| \(client.rawValue) \(client.writtenFor) | \(numbers) |")
        }
        lines += ["", "## Scenario by scenario", ""]
        lines += [
            "| scenario | \(SurveyClient.allCases.map(\.rawValue).joined(separator: " | ")) |", "|---|---|---|---|---|",
        ]
        lines += matrix(scenarios)
        for client in SurveyClient.allCases {
            lines += [
                "", "## \(client.rawValue)", "", "\(client.rawValue) \(client.writtenFor): \(client.remark).", "",
            ]
            lines += ["| case | what became of it | the first finding |", "|---|---|---|"]
            lines += (rows[client] ?? []).map(\.line)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let preface = """
        # What clients make of cookies and URLs

        Four clients before every case of the families [cookie](../fixtures/cookie) and [url](../fixtures/url), by the adapters
        that [adapters.md](adapters.md) describes. A test asks each client one case of each scenario again (the first in which it
        departs, where there is one; all of them with `PROCTOR_SURVEY=whole`), with curl 7.88, requests 2.28 and aiohttp 3.8 of
        Debian 12 and the URLSession of Swift 6.3.1 on Linux; another version's differences are warnings, and a client that isn't
        installed is left out with a reason. After a change, this writes the page anew:

            PROCTOR_RECORD=url-cookie-clients swift test --filter SurveyTests

        - **passes**: every case that asks for something is passed. A case asks for what the RFC that it names says; where RFC
          3986 and the WHATWG URL Standard differ, there is a case for each, and one of them can't be passed.
        - **departs**: at least one is not; the tables below say which, and the first thing that was otherwise.
        - **sometimes**: not in every sitting.
        - **open**: what was judged was right, and a part of the case was not judged.
        - **–**: the client lacks what the case needs, or its adapter can't say it. **observed**: the case asks for nothing.
        """
}

extension SurveyRow.Word {
    /// As the page counts them.
    fileprivate static let inColumns: [Self] = [.departs, .crashes, .hangs, .sometimes, .open, .none]
}
