import ProctorBase
package import ProctorExam
import ProctorScenario

/// Makes mutants by a seed, asks clients each of them, and finds those about which they disagree; one after the other.
package struct FuzzWalk: Sendable {
    package let sources: [MutantSource]
    package let clients: [(name: String, examiner: Examiner)]
    package let seed: UInt64
    /// What earlier mutants were kept for, so that it is not kept again (``MutantResult/key``).
    private var known: [String: Int]
    private var bases: [String: Base] = [:]

    /// What the clients do without a mutation.
    private struct Base {
        let disagreement: Disagreement
        /// The exchanges that answered one of them.
        let exchanges: Set<Int>
    }

    /// Milliseconds after which a client gives a mutant up at the latest, on an idle machine.
    package static let deadline = 5_000

    package init(
        sources: [MutantSource], clients: [(name: String, examiner: Examiner)], seed: UInt64, known: [String: Int] = [:]
    ) {
        (self.sources, self.clients, self.seed, self.known) = (sources, clients, seed, known)
    }

    private static let mostAttempts = 50

    /// The mutant of that number, which follows from the seed and the sources alone; nil where the language refused all
    /// attempts.
    package func mutant(_ number: Int) -> Mutant? {
        var draws = Draws(seed: seed, mutant: number)
        for _ in 0..<Self.mostAttempts {
            guard let source = draws.pick(sources), let mutant = Mutant(source, &draws) else { continue }
            if mutant.scenario() != nil { return mutant }
        }
        return nil
    }

    /// Asks the clients the mutant of that number, and again with fewer mutations where they disagree.
    package mutating func ask(_ number: Int) async -> MutantResult {
        guard let mutant = mutant(number) else { return MutantResult(number: number, state: .notMade) }
        var result = MutantResult(number: number, mutant: mutant, state: .agreed)
        let (base, visited) = await base(of: mutant)
        guard visited.isEmpty || mutant.mutations.contains(where: { visited.contains($0.site.exchange) }) else {
            result.state = .notVisited
            return result
        }
        result.answers = await answers(to: mutant)
        let first = Disagreement(result.answers).without(base)
        guard !first.isEmpty else {
            let compared = result.answers.filter { if case .none = $0.end { false } else { true } }
            if compared.count < 2 { result.state = .notCompared }
            return result
        }
        // What happens once may be a busy machine.
        guard Disagreement(await answers(to: mutant)).without(base).holds(first) else {
            result.state = .unsteady
            return result
        }
        var smaller = mutant
        for index in mutant.mutations.indices.reversed() where smaller.mutations.count > 1 {
            var without = smaller
            without.mutations.remove(at: index)
            guard !Task.isCancelled, without.scenario() != nil else { continue }
            let answers = await answers(to: without)
            if Disagreement(answers).without(base).holds(first) { (smaller, result.answers) = (without, answers) }
        }
        result.mutant = smaller
        let disagreement = Disagreement(result.answers).without(base)
        result.disagreement = disagreement
        let key = MutantResult.key(of: smaller, disagreement)
        result.key = key
        if let earlier = known[key] {
            result.state = .known(earlier)
        } else {
            result.state = .divided
            known[key] = number
        }
        return result
    }

    /// What divides the clients without a mutation.
    private mutating func base(of mutant: Mutant) async -> (Disagreement, visited: Set<Int>) {
        let name = "\(mutant.source.id)#\(mutant.caseName)"
        if let base = bases[name] { return (base.disagreement, base.exchanges) }
        let plain = Mutant(source: mutant.source, caseIndex: mutant.caseIndex, mutations: [])
        let answers = await answers(to: plain)
        let base = Base(
            disagreement: Disagreement(answers), exchanges: answers.reduce(into: []) { $0.formUnion($1.exchanges) })
        bases[name] = base
        return (base.disagreement, base.exchanges)
    }

    /// The answers of all clients at once, each in a run of its own, in the order of the clients.
    private func answers(to mutant: Mutant) async -> [ClientAnswer] {
        guard let (scenario, item) = mutant.scenario() else { return [] }
        return await withTaskGroup(of: (Int, ClientAnswer).self) { group in
            for (index, client) in clients.enumerated() {
                group.addTask { [seed] in
                    let sitting = await client.examiner.observe(item, of: scenario, seed: seed)
                    return (index, ClientAnswer(sitting, client: client.name))
                }
            }
            var answers: [(Int, ClientAnswer)] = []
            for await answer in group { answers.append(answer) }
            return answers.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

/// What came of one mutant.
package struct MutantResult: Sendable {
    package let number: Int
    /// With the mutations that were left; nil where none could be made.
    package internal(set) var mutant: Mutant?
    package internal(set) var state: State
    package internal(set) var answers: [ClientAnswer] = []
    /// nil unless the clients disagree.
    package internal(set) var disagreement: Disagreement?
    /// The kinds of mutations, and how the clients are divided; nil unless they disagree.
    package internal(set) var key: String?

    package enum State: Sendable, Equatable {
        case agreed, divided
        /// The clients disagreed, and not when they were asked again.
        case unsteady
        /// As the earlier mutant of that number, by other values.
        case known(Int)
        /// No client comes to a reply that it changes.
        case notVisited
        /// Fewer than two clients could be asked it.
        case notCompared
        /// Nothing that the language takes was drawn.
        case notMade
    }

    static func key(of mutant: Mutant, _ disagreement: Disagreement) -> String {
        Set(mutant.mutations.map(\.kind)).sorted().joined(separator: "+") + " " + disagreement.text
    }
}

extension MutantResult.State {
    package var word: String {
        switch self {
        case .agreed: "agreed"
        case .divided: "divided"
        case .unsteady: "unsteady"
        case .known: "known"
        case .notVisited: "not-visited"
        case .notCompared: "not-compared"
        case .notMade: "not-made"
        }
    }
}
