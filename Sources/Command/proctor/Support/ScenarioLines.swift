internal import ProctorBase
internal import ProctorScenario

/// Prints lines about scenarios and families: for a terminal within 80 columns, otherwise in one line each.
struct ScenarioLines {
    let output: Output

    static let width = 80
    private static let widestName = 34

    /// Ids with their summaries.
    func write(_ scenarios: [Scenario]) {
        let column = min(Self.widestName, scenarios.map(\.id.count).max() ?? 0) + 2
        for scenario in scenarios { write(scenario.id, scenario.summary, column: column) }
    }

    /// Prints a name in a column, with a text beside it, which is wrapped on a terminal.
    func write(_ name: String, _ text: String, column: Int) {
        let isLong = name.count + 2 > column
        guard output.isTerminal() else {
            output.line(name + String(repeating: " ", count: isLong ? 2 : column - name.count) + text)
            return
        }
        var lines = LineBreaking.wrapped(text, indentation: column, width: Self.width)
        if isLong {
            output.line(name)
        } else if let first = lines.first {
            lines[0] = name + first.dropFirst(name.count)
        }
        for line in lines { output.line(line) }
    }

    /// Prints the families of these ids, with the number of scenarios and a sentence; scenarios without a family by
    /// their ids.
    func writeFamilies(of ids: [String]) {
        var families: [(name: String, count: Int)] = []
        for id in ids {
            let name = id.contains("/") ? "\(id.prefix { $0 != "/" })/" : id
            if families.last?.name == name {
                families[families.count - 1].count += 1
            } else {
                families.append((name, 1))
            }
        }
        let nameWidth = families.map(\.name.count).max() ?? 0
        let countWidth = families.map { "\($0.count)".count }.max() ?? 0
        for (name, count) in families {
            let gap = String(repeating: " ", count: nameWidth - name.count + 1 + countWidth - "\(count)".count)
            let sentence = FamilySummary.sentence(of: String(name.dropLast())) ?? ""
            output.line("  \(name)\(gap)\(count)\(sentence.isEmpty ? "" : "  \(sentence)")")
        }
    }
}
