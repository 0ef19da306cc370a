import ProctorBase
import ProctorGrading
import Testing

@testable import ProctorServer

struct CaseTimesTests {
    private let id = CaseID(scenario: "redirect/loop", name: "ends")

    private func ledger(_ text: String) throws -> Ledger {
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "ledger")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        return try #require(ledger)
    }

    @Test func `a deadline grows by the work that takes longer on a busy machine, not by what is waited for`() {
        #expect(CaseTimes.deadline(10_000, of: id, knownIn: nil, delay: 1) == 10_000)
        #expect(CaseTimes.deadline(10_000, of: id, knownIn: nil, delay: 4.5) == 13_500)
        #expect(CaseTimes.deadline(599_000, of: id, knownIn: nil, delay: 20) == CaseTimes.longestDeadline)
        #expect(CaseTimes.deadline(60_000, of: id, knownIn: nil, delay: 2, limit: 5_000) == 6_000)
    }

    @Test func `a client that its ledger says hangs is waited for three seconds`() throws {
        let hangs = try ledger(
            "client: script\ndeviations:\n  redirect/loop#ends:\n    because: so it is\n    outcome: hang\n")
        #expect(CaseTimes.deadline(10_000, of: id, knownIn: hangs, delay: 1) == 3_000)
        #expect(CaseTimes.deadline(10_000, of: id, knownIn: hangs, delay: 20) == 22_000)
        #expect(CaseTimes.deadline(2_000, of: id, knownIn: hangs, delay: 1) == 2_000)
        let other = CaseID(scenario: "redirect/loop", name: "other")
        #expect(CaseTimes.deadline(10_000, of: other, knownIn: hangs, delay: 1) == 10_000)
    }
}
