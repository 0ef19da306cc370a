import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorRules
import ProctorScenario

extension Finding {
    /// The sections that the finding itself rests on; empty where they are those of the case.
    var sections: [String] {
        let own: [String] =
            switch subject {
            case .violation(let violation): [violation.section]
            case .frameViolation(let violation): [violation.section]
            case .credential(let verdict): verdict.faults.map(\.section)
            case .cookies(let verdict): verdict.differences.map(\.section)
            case .tolerated(let departure): [departure.row.section]
            case .unreportedRule(let rule): ["callback rule \(rule)"]
            case .expression(let diagnosis) where rules.isEmpty && Self.isNameOfError(diagnosis):
                // HTTP and TLS say that a load fails; how its error is called, Foundation alone says.
                ["Foundation, URLError.Code"]
            case .expression, .fact, .miss, .opaque, .rule, .grammar, .content, .edge, .ending, .result, .slices,
                .bound,
                .state, .reply, .unasked:
                rules.map { "callback rule \($0)" }
            }
        var seen: Set<String> = []
        return own.filter { seen.insert($0).inserted }
    }

    /// What failures of one cause share besides the section: the rule, or the kind of the difference.
    var causeText: String {
        switch subject {
        case .rule(let hit): hit.rule.titled
        case .unreportedRule(let rule): "\(rule.titled) is not reported"
        case .grammar(let family, _): rules.first?.titled ?? "order of callbacks of \(family.rawValue)"
        case .content(let field): "callback fact \(field)" + (rules.first.map { " (\($0))" } ?? "")
        case .edge: "order between lanes" + (rules.first.map { " (\($0))" } ?? "")
        case .expression(let diagnosis): "\(laneWord): \(Self.difference(diagnosis))"
        case .fact(let name): "fact \(Self.withoutNumbers(name.text))"
        case .result: "end of a load: wanted \(wanted ?? "another"), got \(got ?? "none")"
        case .miss: "a request that no exchange answers"
        case .violation(let violation): "violation \(violation.kind.rawValue)"
        case .frameViolation(let violation): "violation \(FrameText.text(violation.kind))"
        case .opaque: "bytes behind HTTP"
        case .credential(let verdict): "credential: \(verdict.faults.first?.kind.rawValue ?? verdict.outcome.rawValue)"
        case .cookies(let verdict): "cookies: \(verdict.differences.first?.kind.rawValue ?? "differ")"
        case .ending(let ending): Self.text(of: ending)
        case .slices: "depends on how replies are cut"
        case .bound: "repeats requests without an end"
        case .state: "a change of the state that is not possible"
        case .reply: "a reply that can't be made"
        case .tolerated(let departure): "tolerated: \(departure.rawValue)"
        case .unasked: "an exchange that nobody asked for"
        }
    }

    /// Whether a load failed where it may, and its error has another name than was wanted.
    private static func isNameOfError(_ diagnosis: NotationDiagnosis) -> Bool {
        guard let got = diagnosis.got, ["complete", "handler"].contains(got.name), got.argument != "ok",
            !diagnosis.endIsWanted
        else { return false }
        let ends = diagnosis.wanted.compactMap(\.symbol).filter { $0.name == got.name }
        return !ends.isEmpty && ends.allSatisfy { !$0.arguments.isEmpty && !$0.arguments.contains(.exact("ok")) }
    }

    private var laneWord: String { lane.map { "lane \($0.lane.rawValue)" } ?? "requests" }

    /// `got request, wanted the end`, by the names of events alone.
    private static func difference(_ diagnosis: NotationDiagnosis) -> String {
        var wanted = diagnosis.wanted.map { $0.symbol?.name ?? "any event" }
        if diagnosis.endIsWanted { wanted.append("the end") }
        var seen: Set<String> = []
        let text = wanted.filter { seen.insert($0).inserted }.prefix(3).joined(separator: " or ")
        if let got = diagnosis.got { return "got \(got.name), wanted \(text.isEmpty ? "nothing" : text)" }
        return "ended without \(text.isEmpty ? "what was wanted" : text)"
    }

    private static func text(of ending: ClientEnding) -> String {
        switch ending {
        case .crashed(let signal, _): "crash by \(EventText.printable(signal, limit: 40))"
        case .exited(let code, _): "exit with code \(code)"
        case .hung: "hang"
        case .finished: "a load without an end"
        case .couldNotStart: "no start"
        case .outOfBounds: "too much output"
        }
    }

    /// `wire[].target` for `wire[3].target`.
    private static func withoutNumbers(_ name: String) -> String {
        var result = ""
        var isInside = false
        for character in name {
            if character == "]" { isInside = false }
            if !isInside || !character.isNumber { result.append(character) }
            if character == "[" { isInside = true }
        }
        return result
    }
}
