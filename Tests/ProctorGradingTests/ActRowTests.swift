import Foundation
import ProctorProgram
import Testing

@testable import ProctorGrading

struct ActRowTests {
    private static let keys =
        Assignment.keys.map { "assignment.\($0.name)" } + SessionSetup.keys.map { "session.\($0.name)" }
        + Assignment.Step.keys.map { "\($0.name)" }
    /// Which run an assignment is of, and where its parts stand.
    private static let ofRun = ["version", "scenario", "case", "base", "run", "deadline", "session", "steps"]

    private static let keysInClaims: [String] = {
        let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let table = try? String(contentsOfFile: "\(project)/Scripts/keys-in-claims.tsv", encoding: .utf8)
        return (table ?? "").split(separator: "\n").filter { $0.first != "#" }.compactMap { line in
            line.split(separator: "\t").first.map(String.init)
        }
    }()

    @Test func `each key of an assignment has a row that says what shows it, or stands among those that need none`() {
        let wanted = Set(Self.keys).subtracting(Self.ofRun.map { "assignment.\($0)" })
        #expect(Set(ActRow.all.map(\.key) + Self.keysInClaims) == wanted)
        #expect(Set(ActRow.all.map(\.key)).isDisjoint(with: Self.keysInClaims))
    }
}
