import Foundation
import ProctorTestSupport
import Testing

/// `proctor adapter check`.
struct AdapterCommandTests {
    @Test(.wide) func `a whole adapter has nothing missing`() async throws {
        for more in [[], ["--fresh-adapter"], ["--protocol", "h2"]] {
            let outcome = try await Child.run(["adapter", "check", BuiltProduct.referenceClient] + more)
            #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
            #expect(outcome.out.contains("10 of 10  silence: as it should\n"), "\(outcome.out)")
            let option = more.contains("h2") ? "--protocol h2 " : ""
            #expect(outcome.out.contains("go on with: proctor exam plain/ \(option)--adapter"), "\(outcome.out)")
        }
    }

}
