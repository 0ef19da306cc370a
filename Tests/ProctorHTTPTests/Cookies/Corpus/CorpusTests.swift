import Foundation
import ProctorHTTP
import Testing

/// The reference model beside clients that others wrote, over a corpus of Set-Cookie fields.
struct CorpusTests {
    @Test func `the corpus has hundreds of fields, of every topic, and no two rows alike`() {
        let rows = CookieCorpus.rows
        #expect(rows.count >= 500)
        #expect(Set(rows.map(\.topic)).count >= 14)
        #expect(Set(rows.map { [$0.field, Array($0.origin.utf8)] }).count >= rows.count - 20)
    }

    @Test(.timeLimit(.minutes(10)), arguments: CookieClient.allCases)
    func `another client agrees with the model, or an explanation says by which section it does not`(
        client: CookieClient
    ) async throws {
        let rows = CookieCorpus.rows
        let now = Int(Date().timeIntervalSince1970)
        let answers = try await client.answers(to: rows)
        let differences = zip(rows, answers).flatMap { CorpusComparison($0, theirs: $1, at: now).differences }
        let explanations = CorpusExplanation.all.filter { $0.client == client }
        var counts = [Int](repeating: 0, count: explanations.count)
        for difference in differences {
            if let index = explanations.firstIndex(where: { $0.explains(difference) }) {
                counts[index] += 1
            } else {
                Issue.record("unexplained: \(CorpusComparison.text(of: difference))")
            }
        }
        for (explanation, count) in zip(explanations, counts) {
            #expect(count > 0, "explains nothing, so it is to be removed: \(explanation.sentence)")
        }
        let documented = try CorpusExplanation.documented(of: client)
        #expect(documented == explanations.map(\.line), "Docs/cookies.md says otherwise than the test")
    }
}
