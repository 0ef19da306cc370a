import Foundation
import ProctorTestSupport
import Testing

/// `proctor journal`, and the server that it asks.
struct JournalCommandTests {
    private func post(_ path: String, _ body: String, to child: ServingChild) async throws -> String {
        try await curl("-d", body, "\(child.base)/__proctor\(path)").out
    }

    @Test func `runs are listed, and one's journal is printed line for line`() async throws {
        let folder = try Folder(Fixtures.files)
        let child = try await onThread { try ServingChild(folder) }
        let none = try await Child.run(["journal", "--server", child.base])
        #expect(none.status == 0 && none.out == "{\"runs\":[]}\n" && none.err.isEmpty)

        let made = try await post("/runs", #"{"scenario":"plain/hello"}"#, to: child)
        let run = try #require(try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
        let base = try #require(run["base"] as? String)
        let listed = try await Child.run(["journal", "--server", child.base])
        #expect(listed.out == "{\"runs\":[\(made.dropLast())]}\n")
        let empty = try await Child.run(["journal", "r1", "--server=\(child.base)"])
        #expect(empty.status == 0 && empty.out.isEmpty)

        #expect(try await curl("\(base)/").out == "hello\n")
        let direct = try await curl("\(child.base)/__proctor/runs/r1/journal?wait=10000")
        let printed = try await Child.run(["journal", "r1", "--server", child.base])
        #expect(printed.status == 0 && printed.out.hasPrefix(direct.out))
        #expect(printed.out.hasPrefix("{\"seq\":1,") && printed.out.contains("\"ev\":\"requestHead\""))

        let told = try await Child.run(["journal", "r1", "--text", "--server", child.base])
        #expect(told.status == 0 && told.out.hasPrefix("    0.000 ms  c0       opened by 127.0.0.1:"))
        #expect(told.out.contains(" ms  c0  r0   GET / HTTP/1.1, ") && told.out.contains(" replied 200, "))

        let unknown = try await Child.run(["journal", "r9", "--server", child.base])
        #expect(unknown.status == 1 && unknown.out.isEmpty && unknown.out.isEmpty)
        let sentence = "proctor: there is no run 'r9'; it may have been deleted, or forgotten for too long\n"
        #expect(unknown.err == sentence)
        let followed = try await Child.run(["journal", "r9", "--follow", "--server", child.base])
        #expect(followed.status == 1 && followed.err == sentence)
    }

    @Test(arguments: [true, false])
    func `following ends with the run, whether something came or not`(isUsed: Bool) async throws {
        let folder = try Folder(Fixtures.files)
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

    @Test func `without a server it says what to look at`() async throws {
        let outcome = try await Child.run(["journal", "--server", "http://127.0.0.1:1"])
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("proctor: no server answers at http://127.0.0.1:1: "))
        #expect(outcome.err.hasSuffix("; is 'proctor serve' running?\n"))
    }

    @Test(arguments: ["example.org:80", "http://127.0.0.1", "127.0.0.1:99999", "https://127.0.0.1:1", "", "http://:1"])
    func `a server that is no address is refused`(server: String) async throws {
        let outcome = try await Child.run(["journal", "--server", server])
        #expect(outcome.status == 2 && outcome.err.contains("not '\(server)'"))
    }

    @Test func `off loopback every call wants the token`() async throws {
        let folder = try Folder(Fixtures.files)
        let child = try await onThread {
            try ServingChild(folder, ["--host", "0.0.0.0", "--allow-remote", "--token", "secret"])
        }
        let port = try #require(child.ready["port"] as? Int)
        let server = "http://127.0.0.1:\(port)"
        for arguments in [[], ["--token", "wrong"]] {
            let outcome = try await Child.run(["journal", "--server", server] + arguments)
            #expect(
                outcome.status == 1 && outcome.out.isEmpty && outcome.err.hasPrefix("proctor: ")
                    && outcome.err.contains("token"))
        }
        let outcome = try await Child.run(["journal", "--server", server, "--token", "secret"])
        #expect(outcome.status == 0 && outcome.out == "{\"runs\":[]}\n")
        // Scenarios themselves are for everybody.
        #expect(try await curl("\(server)/plain/hello/").out == "hello\n")
    }
}
