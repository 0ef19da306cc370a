import ProctorExam
import ProctorGrading
import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// An adapter that takes many assignments in one process.
@Suite(.timeLimit(.minutes(2)))
struct KeptAdapterTests {
    /// Counts its assignments in the reason why it does none of them; `$n` is the number of the assignment in its process.
    private static func script(_ acts: String) -> String {
        #"""
        n=0
        while read -r line; do
          n=$((n+1))
          \#(acts)
          echo '{"trace":"proctor","version":1,"client":"counting","clock":"monotonic","unit":"ns","lanes":["harness"]}'
          echo '{"seq":1,"ns":1,"lane":"harness","ev":"unimplemented","task":0,"arg":"'$PROCTOR_ASSIGNMENTS $n'"}'
          echo
        done
        """#
    }

    /// What comes of one case asked several times, in one process where that lives on.
    private static func outcomes(_ acts: String, count: Int) async throws -> [String] {
        try await ExamBench.with { bench in
            var adapter = bench.examiner(script: script(acts)).adapter
            adapter.takesManyAssignments = true
            let examiner = Examiner(server: bench.server, adapter: adapter, platform: .neutral)
            var outcomes: [String] = []
            for _ in 0..<count {
                let sitting = try await bench.sit("plain/get", "get", with: examiner)
                let reason = sitting.evidence.events.first { $0.name == .unimplemented }?.argument
                outcomes.append(reason ?? sitting.verdict.outcome.word)
            }
            return outcomes
        }
    }

    @Test func `one process does one assignment after the other`() async throws {
        #expect(try await Self.outcomes(":", count: 3) == ["many 1", "many 2", "many 3"])
    }

    @Test func `a crash is the verdict of its case, and the next case has a new process`() async throws {
        let header =
            #"{"trace":"proctor","version":1,"client":"c","clock":"monotonic","unit":"ns","lanes":["harness"]}"#
        let acts = "if [ $n = 2 ]; then echo '\(header)'; kill -SEGV $$; fi"
        #expect(try await Self.outcomes(acts, count: 4) == ["many 1", "crash", "many 1", "crash"])
    }

    @Test func `a process that ends before it begins has its assignment given to another`() async throws {
        #expect(
            try await Self.outcomes("if [ $n = 3 ]; then exit 0; fi", count: 4) == [
                "many 1", "many 2", "many 1", "many 2",
            ])
    }
}
