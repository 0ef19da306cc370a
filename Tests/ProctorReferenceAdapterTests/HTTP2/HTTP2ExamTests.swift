import ProctorGrading
import ProctorReferenceAdapter
import ProctorServer
import ProctorTestSupport
import Testing

/// What no document demands of all clients, so that the library only observes it, is demanded of this one over HTTP/2.
@Suite(.serialized, .limit(minutes: 10))
struct HTTP2ExamTests {
    /// The mistakes with the case that shows each; Docs/inside/mistakes-http2.md has them as observed alone.
    private static let mistakes = [
        ("h2-never-repeats-refused", "own/h2#repeats-refused"), ("h2-takes-push", "own/h2#refuses-push"),
        ("h2-ignores-421", "own/h2-tls#asks-elsewhere"),
    ]

    @Test(arguments: mistakes)
    func `the whole client passes, and the broken one is refused`(label: String, id: String) async throws {
        let (exam, entry) = try await OwnScenarios.entry(id)
        let breakage = try #require(Breakage.http2.first { $0.label == label })
        for broken in [nil, breakage] {
            let (verdict, timeline) = try await exam.sit(entry, as: .session, breaking: broken, deadline: 20_000)
            #expect(verdict.outcome == (broken == nil ? .pass : .fail), "\(verdict)\n\(timeline)")
        }
    }

    @Test func `every mistake has a label of its own`() {
        let labels = Breakage.all.map(\.label)
        #expect(Set(labels).count == labels.count)
    }
}
