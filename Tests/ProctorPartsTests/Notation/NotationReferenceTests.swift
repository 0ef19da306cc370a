import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// Random expressions and traces, judged by the matcher and by the definition of the language.
struct NotationReferenceTests {
    /// An expression of the test's own, so that the parser is tested too.
    indirect enum Term {
        case event(Int)
        case anything
        case sequence([Term])
        case choice([Term])
        case shuffle([Term])
        case repeated(Term, Int, Int?)

        static let names = ["data", "response", "metrics"]

        static func random(depth: Int, _ random: inout SeededGenerator) -> Term {
            let parts = { (random: inout SeededGenerator) in
                (0..<Int.random(in: 2...3, using: &random)).map { _ in Term.random(depth: depth - 1, &random) }
            }
            switch depth == 0 ? 0 : Int.random(in: 0...9, using: &random) {
            case 0...2: return .event(Int.random(in: 0..<names.count, using: &random))
            case 3: return Int.random(in: 0...3, using: &random) == 0 ? .anything : .event(0)
            case 4, 5: return .sequence(parts(&random))
            case 6: return .choice(parts(&random))
            case 7: return .shuffle(parts(&random))
            default:
                let minimum = Int.random(in: 0...3, using: &random)
                let extra = Int.random(in: 0...3, using: &random)
                let maximum = extra == 3 ? nil : max(1, minimum + extra)
                return .repeated(.random(depth: depth - 1, &random), minimum, maximum)
            }
        }

        /// Parentheses everywhere; the grammar's precedence has tests of its own.
        var text: String {
            switch self {
            case .event(let index): Self.names[index]
            case .anything: "..."
            case .sequence(let parts): "(" + parts.map(\.text).joined(separator: " ") + ")"
            case .choice(let parts): "(" + parts.map(\.text).joined(separator: " | ") + ")"
            case .shuffle(let parts): "(" + parts.map(\.text).joined(separator: " & ") + ")"
            case .repeated(let part, let minimum, let maximum):
                "(\(part.text)){\(minimum),\(maximum.map(String.init) ?? "")}"
            }
        }

        /// Membership by the definition, trying every split.
        func contains(_ word: [Int]) -> Bool {
            switch self {
            case .event(let index): return word == [index]
            case .anything: return true
            case .choice(let parts): return parts.contains { $0.contains(word) }
            case .sequence(let parts):
                guard let first = parts.first else { return word.isEmpty }
                let rest = Term.sequence(Array(parts.dropFirst()))
                return (0...word.count).contains {
                    first.contains(Array(word[..<$0])) && rest.contains(Array(word[$0...]))
                }
            case .shuffle(let parts):
                guard let first = parts.first else { return word.isEmpty }
                let rest = Term.shuffle(Array(parts.dropFirst()))
                return (0..<(1 << word.count)).contains { mask in
                    let taken = word.indices.filter { mask >> $0 & 1 == 1 }.map { word[$0] }
                    let left = word.indices.filter { mask >> $0 & 1 == 0 }.map { word[$0] }
                    return first.contains(taken) && rest.contains(left)
                }
            case .repeated(let part, let minimum, let maximum):
                if minimum == 0, word.isEmpty { return true }
                if maximum == 0 { return false }
                // An empty turn can only help to reach the minimum.
                if minimum > 0, part.contains([]),
                    Term.repeated(part, minimum - 1, maximum.map { $0 - 1 }).contains(word)
                {
                    return true
                }
                guard !word.isEmpty else { return false }
                return (1...word.count).contains {
                    part.contains(Array(word[..<$0]))
                        && Term.repeated(part, max(0, minimum - 1), maximum.map { $0 - 1 }).contains(Array(word[$0...]))
                }
            }
        }
    }

    static func word(_ random: inout SeededGenerator) -> [Int] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: 0..<Term.names.count, using: &random) }
    }

    @Test(arguments: 0..<8)
    func `random expressions mean what the definition says`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var accepted = 0
        var judged = 0
        for _ in 0..<60 {
            let term = Term.random(depth: 3, &random)
            let notation = try Notation(parsing: term.text, lane: .task)
            for _ in 0..<12 {
                let word = Self.word(&random)
                let events = word.map { TraceEventSymbol(Term.names[$0]) }
                let expected = term.contains(word)
                let diagnosis = notation.diagnosis(of: events)
                #expect((diagnosis == nil) == expected, "\(term.text) on \(events.map(\.name))")
                judged += 1
                if expected { accepted += 1 }
            }
        }
        // Both answers must be frequent, or the comparison says little.
        #expect(accepted * 20 > judged && accepted * 20 < judged * 19)
    }

    @Test(arguments: 0..<4)
    func `random ambient expressions are interleaved up to the terminal event`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(100 + seed))
        for _ in 0..<60 {
            let (own, ambient) = (Term.random(depth: 2, &random), Term.random(depth: 2, &random))
            let notation = try Notation(parsing: "(\(own.text)) complete (\(own.text))?", lane: .task)
            let interleaved = try Notation(parsing: ambient.text, lane: .task)
            for _ in 0..<8 {
                let (before, after) = (Self.word(&random), Self.word(&random))
                let events =
                    before.map { TraceEventSymbol(Term.names[$0]) } + [TraceEventSymbol("complete")]
                    + after.map { TraceEventSymbol(Term.names[$0]) }
                // `...` in the expression may take the terminal event itself; those pairs are left out.
                if own.text.contains("...") { continue }
                let expected =
                    Term.shuffle([own, ambient]).contains(before) && (after.isEmpty || own.contains(after))
                let diagnosis = notation.diagnosis(of: events, ambient: interleaved)
                #expect((diagnosis == nil) == expected, "\(notation) with \(ambient.text) on \(events.map(\.name))")
            }
        }
    }

    @Test(arguments: 0..<4)
    func `what is wanted is accepted and nothing else is`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(200 + seed))
        for _ in 0..<80 {
            let notation = try Notation(parsing: Term.random(depth: 3, &random).text, lane: .task)
            var matcher = NotationMatcher(notation)
            for _ in 0..<6 {
                let wanted = matcher.wanted
                for name in Term.names {
                    var probe = matcher
                    let isWanted = wanted.contains { $0.symbol == nil || $0.symbol?.name == name }
                    #expect(take(&probe, TraceEventSymbol(name)) == isWanted, "\(notation) \(name)")
                }
                #expect(matcher.missing.isEmpty == matcher.isAccepting)
                guard let next = Term.names.randomElement(using: &random), take(&matcher, TraceEventSymbol(next)) else {
                    break
                }
            }
        }
    }
}
