import Foundation
import ProctorTestSupport
import Testing

/// `proctor journal`, and the server that it asks.
struct JournalCommandTests {
    private func post(_ path: String, _ body: String, to child: ServingChild) async throws -> String {
        try await curl("-d", body, "\(child.base)/__proctor\(path)").out
    }

    @Test(arguments: [true, false])
    func `following ends with the run, whether something came or not`(isUsed: Bool) async throws {
        let folder = try TestFolder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder, ["--journal", "\(folder.path)/journal"]) }
        let made = try await post("/runs", #"{"scenario":"plain/hello"}"#, to: child)
        let base = try #require(made.firstMatch(of: /"base":"([^"]*)"/)).1
        let status = try await onThread {
            let follower = try ChildProcess([Child.binary, "journal", "r1", "--follow", "--server", child.base])
            if isUsed {
                #expect(try ChildProcess.runNow(["/usr/bin/curl", "-sS", "\(base)/"]).out == "hello\n")
                try wait(for: "the lines") { follower.out.contains("\"ev\":\"connectionClosed\"") }
            } else {
                try wait(for: "the question") { try folder.text("journal").contains("/runs/r1/journal?") }
            }
            #expect(follower.isRunning)
            _ = try ChildProcess.runNow(["/usr/bin/curl", "-sS", "-X", "DELETE", "\(child.base)/__proctor/runs/r1"]).out
            let status = try follower.waitUntilExit()
            let lines = follower.out.split(separator: "\n")
            #expect(lines.isEmpty != isUsed && Set(lines).count == lines.count)
            #expect(follower.err.isEmpty)
            return status
        }
        #expect(status == 0)
    }

}

/// Journals in files: what `serve` leaves there, and what `journal FILE` tells of it.
struct JournalFileCommandTests {
    #if os(Linux)
        /// A limit of file sizes stops a write in the middle of a line.
        @Test(.disabled(if: Sanitizer.isOn, "a sanitizer can't start under such a limit"))
        func `what was written of a line is taken back`() async throws {
            let folder = try TestFolder(Fixtures.files)
            let path = "\(folder.path)/journal"
            let child = try await onThread {
                try ServingChild(
                    folder, ["--journal", path], under: ["/bin/bash", "-c", "ulimit -f 1; exec \"$@\"", "-"])
            }
            for _ in 0..<10 { #expect(try await curl("\(child.base)/plain/hello/").out == "hello\n") }
            try await onThread { try wait(for: "the message") { child.err.contains("can't be written") } }
            let text = try folder.text("journal")
            #expect(text.hasSuffix("}\n") && (500...1_024).contains(text.utf8.count))
            #expect(try await onThread { try child.end() } == 1)
            #expect(try await Child.run(["journal", path]).status == 0)
        }

        @Test(.disabled(if: Sanitizer.isOn, "a sanitizer can't start under such a limit"))
        func `a start without enough memory or threads fails with a message`() async throws {
            let folder = try TestFolder(Fixtures.files)
            for kilobytes in [50_000, 80_000, 120_000] {
                let outcome = try await Child.run(
                    [
                        "-c", "ulimit -v \(kilobytes); exec \"$@\"", "-", Child.binary, "serve",
                        "\(folder.path)/fixtures",
                    ],
                    program: "/bin/bash")
                #expect(outcome.status != 0 && outcome.out.isEmpty, "\(kilobytes)")
                // The message may be the loader's.
                #expect(outcome.err.contains("ulimit -v") || outcome.err.contains("shared object"), "\(outcome.err)")
            }
        }
    #endif
}
