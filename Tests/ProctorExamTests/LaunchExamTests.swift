import Foundation
import ProctorBase
import ProctorEvents
import ProctorExam
import ProctorGrading
import ProctorRules
import ProctorTestSupport
import Testing

/// A client that is started twice within a case; it is a shell script here, which needs no network.
@Suite(.limit(minutes: 5))
struct LaunchExamTests {
    /// Where the script writes what outlives the exam.
    private let notes = "\(TemporaryFolder.path)/proctor-launch-test-\(UUID().uuidString)"
    private let header =
        #"{"trace":"proctor","version":1,"client":"script","clientVersion":"1","clock":"monotonic","unit":"ns","#
        + #""lanes":["harness"],"facts":["status"],"abilities":["second-launch"]}"#

    /// Notes its process and its storage, writes a whole trace, and does `last` in the first process alone.
    private func script(
        then last: String = "", header second: String? = nil, result: String = "result"
    ) -> String {
        """
        input=$(cat)
        storage=$(printf %s "$input" | sed -n 's/.*"storage":"\\([^"]*\\)".*/\\1/p' | sed 's:\\\\/:/:g')
        earlier=$(printf %s "$input" | sed -n 's/.*"earlierSteps":\\([0-9]*\\).*/\\1/p')
        echo "$$ $storage $(ls "$storage" | tr '\\n' ' ')earlier=$earlier many=$PROCTOR_ASSIGNMENTS" >> '\(notes)'
        if [ -e "$storage/kept" ]; then echo '\(second ?? header)'; else echo '\(header)'; fi
        echo '{"seq":1,"ns":1000,"lane":"harness","task":0,"ev":"resume"}'
        echo '{"seq":2,"ns":2000,"lane":"harness","task":0,"ev":"\(result)"}'
        if [ ! -e "$storage/kept" ]; then touch "$storage/kept"; mkdir "$storage/shut"; touch "$storage/shut/x"; chmod 0 "$storage/shut"; \(last.isEmpty ? ":" : last); fi
        """
    }

    /// The sitting, and what each process noted.
    private func sit(_ script: String, keeps: Bool = false) async throws -> (Sitting, [String]) {
        defer { try? FileManager.default.removeItem(atPath: notes) }
        return try await ExamBench.with { bench in
            var adapter = Adapter(command: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"])
            adapter.takesManyAssignments = keeps
            let examiner = Examiner(server: bench.server, adapter: adapter, platform: .neutral, ledger: nil)
            let sitting = try await bench.sit("launch/callbacks-begin-anew", "one-after-the-other", with: examiner)
            let text = try String(contentsOfFile: notes, encoding: .utf8)
            return (sitting, text.split(separator: "\n").map(String.init))
        }
    }

    private func storage(_ note: String) throws -> String {
        String(try #require(note.split(separator: " ").dropFirst().first))
    }

    @Test(arguments: [false, true])
    func `two processes have one folder, and their traces are one with a mark between them`(keeps: Bool) async throws {
        let (sitting, notes) = try await sit(script(), keeps: keeps)
        try #require(notes.count == 2, "\(sitting.verdict)")
        let folder = try storage(notes[0])
        #expect(notes[0].hasSuffix(" \(folder) earlier= many="))
        #expect(notes[1].hasSuffix(" \(folder) kept shut earlier=1 many="))
        #expect(notes[0].split(separator: " ").first != notes[1].split(separator: " ").first)
        let events = sitting.evidence.events.map { "\($0.sequence) \($0.name.rawValue) \($0.task)" }
        #expect(events == ["1 resume 0", "2 result 0", "3 launched 1", "4 resume 1", "5 result 1"])
        #expect("\(sitting.timeline)".contains("[1] launched"))
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test func `a client that is killed is not started again, and leaves no folder`() async throws {
        let (sitting, notes) = try await sit(script(then: "kill -9 $$"))
        try #require(notes.count == 1)
        #expect(!FileManager.default.fileExists(atPath: try storage(notes[0])))
        guard case .crashed(let signal, _) = sitting.verdict.ending else {
            Issue.record("\(sitting.verdict)")
            return
        }
        #expect(signal == "SIGKILL")
    }

    @Test(arguments: [
        "exit 3",
        "echo '{\"seq\":3,\"ns\":3000,\"lane\":\"harness\",\"task\":0,\"ev\":\"unimplemented\",\"arg\":\"no\"}'",
    ])
    func `a client that did not end well is not started again`(last: String) async throws {
        let (_, notes) = try await sit(script(then: last))
        #expect(notes.count == 1)
    }

    @Test func `a process without a result of each step is the last one`() async throws {
        let (_, notes) = try await sit(script(result: "cancel"))
        #expect(notes.count == 1)
    }

    @Test func `a client without the ability is started once, and lacks it`() async throws {
        let plain = header.replacingOccurrences(of: "second-launch", with: "redirects")
        let script = script().replacingOccurrences(of: header, with: plain)
        let (sitting, notes) = try await sit(script)
        #expect(notes.count == 1)
        #expect(sitting.verdict.outcome == .lacks(.secondLaunch))
    }

    @Test func `another header at the next launch is a fault of the adapter`() async throws {
        let other = header.replacingOccurrences(of: "\"status\"", with: "\"status\",\"url\"")
        let (sitting, notes) = try await sit(script(header: other))
        #expect(notes.count == 2)
        #expect(
            "\(sitting.verdict.outcome)".contains("differs from the first one in lanes, facts"), "\(sitting.verdict)")
    }

    @Test func `a storage beyond its bounds is a fault of the adapter, and is removed all the same`() async throws {
        let deep = String(repeating: "d/", count: 200)
        let (sitting, notes) = try await sit(
            script(then: "mkdir -p \"$storage/\(deep)\"; ln -s /etc \"$storage/link\""))
        try #require(notes.count == 1)
        #expect("\(sitting.verdict.outcome)".contains("folders more than 64 levels deep"), "\(sitting.verdict)")
        #expect(!FileManager.default.fileExists(atPath: try storage(notes[0])))
        #expect(FileManager.default.fileExists(atPath: "/etc/passwd"))
    }
}
