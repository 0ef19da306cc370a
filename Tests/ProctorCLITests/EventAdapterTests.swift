import Foundation
import ProctorTestSupport
import Testing

/// The shipped adapters of event streams: each is skipped where its client is not installed.
@Suite(.wide, .limit(minutes: 3))
struct EventAdapterTests {
    private static let rows = [
        (
            name: "node-eventsource",
            cases: [
                "204-ends-it#again", "lines-end-in-every-way#again", "event-name-is-of-its-event#again", "retry#again",
            ]
        ),
        (name: "httpx-sse", cases: ["lines-end-with-cr#reads", "every-byte-by-itself#reads", "number-stays#reads"]),
        (name: "httpx2-sse", cases: ["lines-end-with-cr#reads", "every-byte-by-itself#reads", "number-stays#reads"]),
        (
            name: "sseclient-py",
            cases: ["lines-end-with-cr#reads", "every-byte-by-itself#reads", "event-name-is-empty#reads"]
        ),
    ]

    @Test(arguments: rows)
    func `an adapter hands over the events of its client`(name: String, cases: [String]) async throws {
        let adapter = "\(Project.path)/clients/adapters/\(name)"
        let version = try await ChildProcess.run([adapter, "--version"])
        if version.status == 69 { try Test.cancel("\(version.err)") }
        let outcome = try await ChildProcess.run(
            [Child.binary, "exam"] + cases.map { "sse/\($0)" } + [
                "--adapter", adapter, "--fixtures", "\(Project.path)/fixtures", "--jobs", "1",
            ], within: .seconds(120))
        #expect(
            outcome.status == 0 && outcome.out.hasSuffix("\(cases.count) cases: \(cases.count) pass\n"),
            "\(outcome.out)")
    }
}
