internal import ProctorBase
internal import ProctorEvents
internal import ProctorRules

let explainCommand = Command(
    name: "explain", operands: "[RULE ...] [--all]", summary: "Explains the rules of callback order, \(Rules.span)",
    discussion: """
        Without a RULE the rules are listed with their titles. With --all every rule is explained.
        """,
    flags: [Flag("--all", help: "every rule")]
) { arguments, context in
    if arguments.has("--all"), !arguments.operands.isEmpty { throw UsageError("say either --all or rules, not both") }
    if arguments.has("--all") {
        context.output.out(Rules.all.map(RulePage.text).joined(separator: "\n"))
        return .success
    }
    guard !arguments.operands.isEmpty else {
        for rule in Rules.all {
            let gap = String(repeating: " ", count: 5 - rule.number.description.count)
            context.output.line("\(rule.number)\(gap)\(rule.title)")
        }
        return .success
    }
    let rules = try arguments.operands.map { word throws(UsageError) in try RulePage.rule(word) }
    context.output.out(rules.map(RulePage.text).joined(separator: "\n"))
    return .success
}

enum RulePage {
    static func rule(_ word: String) throws(UsageError) -> Rule {
        if let number = RuleNumber(parsing: word) ?? RuleNumber(parsing: "R\(word)"), let rule = Rules.rule(number) {
            return rule
        }
        throw UsageError("there is no rule '\(word)'; rules are \(Rules.span), see 'proctor explain'")
    }

    static func text(of rule: Rule) -> String {
        var lines = ["\(rule.number)  \(rule.title)", ""]
        lines += wrapped(rule.statement, indentation: 2)
        lines.append("")
        lines += field("Source", "\(rule.source) (\(confidence(rule.confidence)))")
        lines += field("Holds for", rule.families.map { "\($0.rawValue) (\($0.words))" }.joined(separator: ", "))
        if !rule.legal.isEmpty { lines += field("Legal", rule.legal) }
        if !rule.illegal.isEmpty { lines += field("Illegal", rule.illegal) }
        if let limits = rule.limits { lines += field("Limits", limits) }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func confidence(_ confidence: Rule.Confidence) -> String {
        switch confidence {
        case .documented: "documented"
        case .sample: "from sample code and existing loaders"
        case .inferred: "inferred: an observation, until a platform turns it on"
        }
    }

    private static func field(_ name: String, _ text: String) -> [String] {
        let indentation = 13
        var lines = wrapped(text, indentation: indentation)
        let label = "  \(name)"
        lines[0] =
            label + String(repeating: " ", count: max(1, indentation - label.count)) + lines[0].dropFirst(indentation)
        return lines
    }

    /// At least one line, of at most 100 columns where words allow it.
    private static func wrapped(_ text: String, indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = margin
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if line.count + word.count + 1 > 100, line != margin {
                lines.append(line)
                line = margin
            }
            line += (line == margin ? "" : " ") + word
        }
        lines.append(line)
        return lines
    }
}
