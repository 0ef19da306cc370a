import Testing

@testable import ProctorEvents
@testable import ProctorNotation
@testable import ProctorRules

/// A lane that its family's grammar refuses, and which rule says the same.
struct GrammarRefusalTests {
    @Test func `a refusal is explained by the rule that breaks at the event`() throws {
        let judged = report(events("task:response(200) task:complete(ok) task:data", family: .sessionData))
        let refusal = try #require(judged.grammars.first)
        #expect(judged.grammarCount == 1)
        #expect(refusal.family == .sessionData)
        #expect(refusal.sequence == 3)
        #expect(refusal.explainedBy.contains(RuleNumber(40)))
        #expect(refusal.diagnosis.got == TraceEventSymbol("data"))
    }

    @Test func `only the first refusal of a lane is told`() {
        let judged = report(
            events("task:response(200) task:complete(ok) task:data×50 task:complete(ok)", family: .sessionData))
        #expect(judged.grammarCount == 1)
        #expect(judged.grammars.map(\.sequence) == [3])
    }

    @Test func `a lane that ends too early is explained by the rules that say so at the end`() throws {
        let judged = report(events("harness:resume task:response(200) task:data", family: .sessionData))
        let refusal = try #require(judged.grammars.first)
        #expect(refusal.sequence == nil)
        #expect(refusal.diagnosis.missing.map(\.description) == ["complete"])
        #expect(refusal.explainedBy.contains(RuleNumber(39)))
        let hung = report(events("harness:resume task:response(200) task:data", family: .sessionData), ending: .hung)
        #expect(
            report(events("harness:resume task:response(200) task:data", family: .sessionData), ending: .cut).grammars
                .isEmpty)
        #expect(hung.grammars.first?.explainedBy.contains(RuleNumber(45)) == true)
    }

    @Test func `a load that is not running need not end`() {
        #expect(report(events("harness:resume harness:suspend", family: .sessionData)).grammars.isEmpty)
        #expect(report(events("task:created", family: .sessionData)).grammars.isEmpty)
    }

    @Test func `metrics are taken out where the platform gives no place to them`() {
        var anywhere = Platform(name: "anywhere")
        anywhere.metrics = .anyOrder
        let text = events(
            "task:metrics task:response(200) task:metrics task:complete(ok) task:metrics", family: .sessionData)
        #expect(report(text, on: anywhere).grammars.isEmpty)
        #expect(report(text).grammars.map(\.sequence) == [2])
    }

    @Test func `tasks with a handler follow their own grammar`() {
        let legal = "harness:resume task:redirect(302) task:challenge(basic) handler:handler(ok) task:metrics"
        #expect(report(events(legal, family: .sessionHandler)).grammars.isEmpty)
        #expect(
            report(events("task:response(200) handler:handler(ok)", family: .sessionHandler)).grammars.map(\.family)
                == [.sessionHandler])
    }

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
