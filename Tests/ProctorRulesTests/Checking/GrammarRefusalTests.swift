import Testing

@testable import ProctorEvents
@testable import ProctorNotation
@testable import ProctorRules

/// A lane that its family's grammar refuses, and which rule says the same.
struct GrammarRefusalTests {
    @Test func `every family has a small automaton`() throws {
        for family in CallbackFamily.allCases {
            guard let grammar = family.grammar else { continue }
            var automaton = NotationAutomaton(
                grammar.notation, ambient: grammar.ambient, terminals: grammar.terminals)
            var seen: Set<Int32> = [NotationAutomaton.start]
            var open = [NotationAutomaton.start]
            while let state = open.popLast() {
                for name in EventName.allCases {
                    for argument in [nil, "ok", "cancelled", "200"] {
                        if case .taken(let next, _) = automaton.step(from: state, by: name, argument),
                            seen.insert(next).inserted
                        {
                            open.append(next)
                        }
                    }
                }
            }
            #expect(seen.count < 64, "\(family)")
        }
    }

    @Test func `a refusal that no rule explains is a gap and says so`() throws {
        let diagnosis = try #require(
            try Notation(parsing: "response", lane: .task).diagnosis(of: symbols("response data")))
        let gap = GrammarRefusal(
            lane: LaneID(.task, 1), family: .sessionData, diagnosis: diagnosis, sequence: 7, explainedBy: [])
        #expect(
            gap.lines.joined(separator: "\n") == """
                task[1]  event 7  is refused by the grammar of sessionData
                  matched : response
                  then got: data   [event 2]
                  wanted  : the end
                  rule    : none broke here, so this is a gap in the rules
                """)
        var explained = gap
        explained.explainedBy = [RuleNumber(99)]
        #expect(explained.explanation == "R99")
    }

    @Test func `the explaining rule stands at the event, before it or behind it`() {
        let grammar = SharedGrammar(of: .sessionData, ignoring: [])
        let lane = LaneID(.task)
        var (twelve, ten) = (RuleNumberSet(), RuleNumberSet())
        twelve.insert(RuleNumber(12))
        ten.insert(RuleNumber(10))
        let head = events("task:response(401)", family: .sessionData)[0]
        let challenge = events("task:challenge(basic)", family: .sessionData)[0]
        func explained(_ steps: [(TraceEvent?, RuleNumberSet)]) -> [Int]? {
            var follower = LaneFollower()
            for (event, broken) in steps {
                if let event {
                    follower.follow(event, in: lane, grammar, broken: broken)
                } else {
                    follower.recordBroken(broken)
                }
            }
            return follower.refusal?.explainedBy.map(\.value)
        }
        let none = RuleNumberSet()
        #expect(explained([(head, none)]) == nil)
        #expect(explained([(head, none), (challenge, none)]) == [])
        #expect(explained([(head, none), (challenge, twelve)]) == [12])
        #expect(explained([(head, twelve), (challenge, ten)]) == [10, 12])
        #expect(explained([(head, twelve), (head, none), (challenge, none)]) == [])
        #expect(explained([(head, none), (challenge, none), (nil, ten), (head, twelve)]) == [10, 12])
        #expect(explained([(head, none), (challenge, none), (head, none), (head, twelve)]) == [])
    }
}
