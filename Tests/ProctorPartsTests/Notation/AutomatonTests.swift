import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// Remembered transitions say what derivatives say.
struct AutomatonTests {
    /// A random expression over few events, with few operators.
    static func expression(_ generator: inout SeededGenerator, depth: Int) -> String {
        let atoms = [
            "data", "metrics", "response", "response(200)", "response(2*)", "complete(ok)", "complete(error)",
            "bodySent", "...",
        ]
        guard depth > 0, Int.random(in: 0..<5, using: &generator) > 0 else {
            return atoms.randomElement(using: &generator) ?? "data"
        }
        func part() -> String { "(" + expression(&generator, depth: depth - 1) + ")" }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return part() + " " + part()
        case 1: return part() + " | " + part()
        case 2: return part() + " & " + part()
        case 3: return part() + (["?", "*", "+"].randomElement(using: &generator) ?? "?")
        case 4:
            let least = Int.random(in: 0...3, using: &generator)
            return part() + "{\(least),\(least + Int.random(in: 1...3, using: &generator))}"
        default: return part() + "{\(Int.random(in: 1...3, using: &generator)),}"
        }
    }

    static let symbols: [TraceEventSymbol] = trace(
        "data metrics response response(200) response(204) response(404) complete(ok) complete(timedOut) bodySent strange"
    )

    @Test(arguments: 0..<8)
    func `a matcher that remembers and one that does not agree on every event`(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var taken = 0
        for _ in 0..<(Extent.count(150)) {
            let notation = try Notation(parsing: Self.expression(&generator, depth: 3), lane: .task)
            let ambient =
                Bool.random(using: &generator) ? try Notation(parsing: "bodySent* metrics?", lane: .task) : nil
            // None, few and many states: the bound must not change what is said.
            let bounds = [0, 1, 3, NotationAutomaton.mostStates]
            for _ in 0..<6 {
                var matchers = bounds.map {
                    NotationMatcher(
                        NotationAutomaton(notation, ambient: ambient, terminals: ["complete"], mostStates: $0),
                        at: NotationAutomaton.start, matched: EventGroups(), eventCount: 0)
                }
                for _ in 0..<12 {
                    let event = try #require(Self.symbols.randomElement(using: &generator))
                    let answers = matchers.indices.map { matchers[$0].accept(event) }
                    #expect(Set(answers).count == 1, "\(notation) \(event)")
                    #expect(Set(matchers.map(\.isAccepting)).count == 1, "\(notation)")
                    let said = Set(matchers.map { $0.diagnosis?.description })
                    #expect(said.count == 1, "\(notation)")
                    if answers[0] { taken += 1 } else { break }
                }
            }
        }
        #expect(taken > Extent.count(500))
    }

    @Test func `an automaton that is full goes on alone and says the same`() throws {
        let notation = try Notation(parsing: "data{1,40} response(200) complete(ok)", lane: .task)
        for bound in [1, 2, 10] {
            let automaton = NotationAutomaton(notation, ambient: nil, terminals: ["complete"], mostStates: bound)
            for count in [0, 1, 5, 40, 41] {
                var matcher = NotationMatcher(
                    automaton, at: NotationAutomaton.start, matched: EventGroups(), eventCount: 0)
                var isTaken = true
                for event in trace("data×\(count) response(200) complete(ok)") where isTaken {
                    isTaken = matcher.accept(event)
                }
                #expect(matcher.isAccepting == (1...40 ~= count), "\(bound) \(count)")
            }
        }
    }

    @Test func `events of a trace and their symbols are taken alike`() throws {
        let notation = try Notation(parsing: "response(200) (data | ...) complete(error)", lane: .task)
        var (one, two) = (NotationMatcher(notation), NotationMatcher(notation))
        let events = [
            TraceEvent(lane: .task, name: .response, argument: "200"),
            TraceEvent(lane: .task, name: .response, phase: .exit), TraceEvent(lane: .task, name: .data),
            TraceEvent(lane: .task, name: .redirect, argument: "302"),
            TraceEvent(lane: .task, name: .complete, argument: "x"),
        ]
        for event in events {
            let taken = one.accept(event)
            #expect(taken == (event.phase == .exit || two.accept(event.symbol)))
        }
        #expect(one.isAccepting && two.isAccepting)
        #expect(one.eventCount == 4)
        #expect(one.matched == two.matched || one.matched.last == two.matched.last)
    }

    @Test func `arguments that no pattern tells apart are one class`() throws {
        let notation = try Notation(parsing: "response(200|2*|404) complete(error)", lane: .task)
        var arena = ResidualArena()
        _ = arena.compile(notation.syntax, source: 0)
        var classes = EventClasses(symbols: arena.symbols, terminals: ["complete"])
        let known = { (name: EventName, argument: String?) in classes.classify(name, argument) }
        #expect(known(.response, "200") == known(.response, "299"))
        #expect(known(.response, "404") == known(.response, "200"))
        #expect(known(.response, "500") != known(.response, "200"))
        #expect(known(.response, nil) == known(.response, "500"))
        #expect(known(.data, nil) == known(.metrics, "x"))
        #expect(known(.complete, "ok") != known(.data, nil))
        #expect(known(.complete, "a") == known(.complete, "b"))
    }

    @Test func `more classes than are numbered are still judged`() throws {
        let text = (100..<300).map { "response(\($0 + 100))" }.joined(separator: " ")
        let notation = try Notation(parsing: text, lane: .task)
        let heads = (200..<400).map { TraceEventSymbol("response", "\($0)") }
        #expect(notation.diagnosis(of: heads) == nil)
        #expect(notation.diagnosis(of: heads.dropLast()) != nil)
        #expect(notation.diagnosis(of: heads.reversed())?.position == 1)
    }
}
