import ProctorHTTP
import ProctorJournal
import ProctorServer
import Testing

/// A client that is wrong on purpose: each of its answers differs from a right one in one thing, and the guard has to say
/// which.
struct `Mutated Digest answers` {
    @Test(arguments: Mutation.wrong)
    func `a wrong answer is refused for the reason that it is wrong`(mutation: Mutation) async throws {
        let (result, verdict) = try await Self.judge(mutation)
        let sentences = verdict.faults.map(\.description).joined(separator: "\n")
        #expect(result.status == 401, "\(sentences)")
        #expect(verdict.outcome == mutation.outcome, "\(sentences)")
        // What follows from the first fault may be told for several parameters.
        let kinds = verdict.faults.map(\.kind).reduce(into: [CredentialFault.Kind]()) {
            if !$0.contains($1) { $0.append($1) }
        }
        #expect(kinds == mutation.kinds, "\(sentences)")
        for word in mutation.words(result.right, result.sent) {
            #expect(sentences.contains(word), "the sentence should speak of '\(word)': \(sentences)")
        }
        #expect(mutation.kinds.isEmpty || sentences.contains(mutation.section), "\(sentences)")
        #expect(result.statusAfterwards == 200, "a right answer to the new challenge is not admitted")
    }

    @Test(arguments: Mutation.legal)
    func `an answer that only looks odd is admitted`(mutation: Mutation) async throws {
        let (result, verdict) = try await Self.judge(mutation)
        let sentences = verdict.faults.map(\.description).joined(separator: "\n")
        #expect(result.status == 200, "\(sentences)")
        #expect(verdict.outcome == .admitted, "\(sentences)")
        #expect(verdict.faults.isEmpty, "\(sentences)")
    }

    @Test func `every kind of fault that Digest has is brought about by a mutation`() {
        let kinds = Set(Mutation.wrong.flatMap(\.kinds))
        let ofDigest = CredentialFault.Kind.allCases.drop { $0 != .missingParameter }
            .filter { $0 != .wrongConnection && $0 != .proofLeftOut }
        let missing = ofDigest.filter { !kinds.contains($0) }
        #expect(missing.isEmpty)
        #expect(Mutation.wrong.count >= 60)
        #expect(Mutation.legal.count >= 30)
        let names = (Mutation.wrong + Mutation.legal).map(\.testDescription)
        #expect(Set(names).count == names.count)
    }

    private static func judge(_ mutation: Mutation) async throws -> (MutationTalk.Result, GuardVerdict) {
        try await withRun(mutation.offer.scenario) { run in
            let base = run.base
            let result = try await talk(to: base) { try MutationTalk($0, base: base, mutation).run() }
            let verdicts = run.journal.snapshot().entries.compactMap { entry -> GuardVerdict? in
                if case .guarded(let verdict) = entry.event { verdict } else { nil }
            }
            // One without a credential, one of the other guard, the right ones, then the one that counts.
            let position = mutation.before + 2
            return (result, try #require(verdicts.indices.contains(position) ? verdicts[position] : nil))
        }
    }
}
