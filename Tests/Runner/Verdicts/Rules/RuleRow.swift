import ProctorEvents
import ProctorFixtures
import ProctorNotation

@testable import ProctorRules

/// A trace in one line, what judges it, and what the rules say of it.
///
///     (sessionDownload on corelibs) progress×2 fileReady => R39 at the end; refused at the end (R39)
struct RuleRow {
    let script: RuleScript
    let platform: Platform

    /// In brackets before the script stand its family, if it is not `sessionData`, and `on` a platform of the page.
    init(_ given: String, platforms: [String: Platform]) throws {
        var text = given[...]
        var family = CallbackFamily.sessionData
        var platform = Platform.neutral
        if text.hasPrefix("("), let end = text.firstIndex(of: ")") {
            var words = text[..<end].dropFirst().split(separator: " ")[...]
            text = text[end...].dropFirst()
            while let word = words.popFirst() {
                if let named = CallbackFamily(rawValue: String(word)) {
                    family = named
                } else if word == "on", let named = words.popFirst().flatMap({ platforms[String($0)] }) {
                    platform = named
                } else {
                    let known = platforms.keys.sorted().joined(separator: ", ")
                    throw RuleScript.Mistake(
                        description:
                            "\"\(word)\" is no family, and no \"on PLATFORM\"; platforms of this page: \(known)")
                }
            }
        }
        self.platform = platform
        script = try RuleScript(String(text), family: family)
    }

    func report() -> TraceReport {
        var checker = TraceChecker(platform: platform, family: script.family, reportsAnswers: script.reportsAnswers)
        for event in script.events { checker.observe(event) }
        return checker.finish(script.ending)
    }
}

/// What rules and grammars say of a trace, in short lines.
enum RuleText {
    /// `R12 at 5`, `noted R23 at 4`, `fault R53 at 2`, `refused at 5 (R12)`; `holds` where there is nothing to say.
    static func lines(_ report: TraceReport) -> [String] {
        let lines =
            report.hits.map { place("\(word($0.weight))\($0.rule)", $0.lane, $0.sequence) }
            + report.grammars.map { refusal in
                let rules = refusal.explainedBy.map(\.description).joined(separator: " ")
                return place("refused", refusal.lane, refusal.sequence) + (rules.isEmpty ? " (no rule)" : " (\(rules))")
            }
        return lines.isEmpty ? ["holds"] : lines
    }

    /// `resumed`, `suspended`, `asks redirect, challenge(b)`, `cancelled by answer`, `ends with complete`, `over`, and counts.
    static func state(_ state: LoadState) -> [String] {
        func counted(_ count: Int, _ what: String) -> String? { count == 0 ? nil : "\(what) \(count)" }
        let open = state.openQuestions.map(\.symbol.description)
        let words = [
            state.isResumed ? "resumed" : nil, state.isSuspended ? "suspended" : nil,
            open.isEmpty ? nil : open.count > 8 ? "asks \(open.count)" : "asks \(open.joined(separator: ", "))",
            state.cancellation.map { "cancelled by \($0.name)" }, state.invalidation == nil ? nil : "invalidated",
            state.terminal.map { "ends with \($0.name)" + ($0.argument.map { "(\($0))" } ?? "") },
            state.isOver ? "over" : nil, counted(state.eventCount, "events"), counted(state.redirectCount, "redirects"),
            counted(state.responseCount, "responses"), state.lastStatus.map { "status \($0)" },
            counted(state.wireRequestCount, "requests"), state.lastWireMethod.map { "method \($0)" },
            state.previous.map { "last \($0.name)" },
        ].compactMap(\.self)
        return words.isEmpty ? ["nothing"] : [words.joined(separator: ", ")]
    }

    private static func word(_ weight: RuleWeight) -> String {
        switch weight {
        case .failure: ""
        case .observation: "noted "
        case .harnessFault: "fault "
        }
    }

    private static func place(_ what: String, _ lane: LaneID, _ sequence: Int?) -> String {
        what + (lane == LaneID(.task) ? "" : " in \(lane)") + (sequence.map { " at \($0)" } ?? " at the end")
    }

    /// `taken`, or what the family's grammar says of the events of one lane, which may be `nothing`.
    static func grammar(_ text: String, of family: CallbackFamily) -> String? {
        guard let grammar = family.grammar else { return nil }
        let symbols = (text == "nothing" ? "" : text).split(separator: " ").flatMap { word -> [TraceEventSymbol] in
            let parts = word.split(separator: "×")
            let event = parts[0].split(separator: "(", maxSplits: 1)
            let argument = event.count == 2 ? String(event[1].dropLast()) : nil
            let count = parts.count == 2 ? Int(parts[1]) ?? 0 : 1
            return Array(repeating: TraceEventSymbol(String(event[0]), argument), count: count)
        }
        let diagnosis = grammar.notation.diagnosis(
            of: symbols, ambient: grammar.ambient, terminals: grammar.terminals)
        return diagnosis.map { "refused: \($0.sentence)" } ?? "taken"
    }
}
