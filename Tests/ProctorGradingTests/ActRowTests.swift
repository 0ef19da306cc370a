import ProctorProgram
import Testing

@testable import ProctorGrading

struct ActRowTests {
    private static let keys =
        Assignment.keys.map { "assignment.\($0.name)" } + SessionSetup.keys.map { "session.\($0.name)" }
        + Assignment.Step.keys.map { "\($0.name)" }
    /// Which run an assignment is of, and where its parts stand.
    private static let ofRun = ["version", "scenario", "case", "base", "run", "deadline", "session", "steps"]

    @Test func `each key of an assignment has a row that says what shows it, and no other key has`() {
        let wanted = Set(Self.keys).subtracting(Self.ofRun.map { "assignment.\($0)" })
        #expect(Set(ActRow.all.map(\.key)) == wanted)
    }
}
