import ProctorTestSupport
import Testing

@testable import ProctorBase
@testable import ProctorExam

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Folders in which a client has put what it should not, and what it left behind.
struct ClientFolderTests {
    private static func shell(_ script: String, in folder: String) async -> WatchedChild.Ending {
        await WatchedChild(
            command: ["sh", "-c", "cd \"$0\" && \(script)", folder], environment: ["PATH": "/usr/bin:/bin"],
            deadline: .seconds(60)
        ).run().ending
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    @Test func `links are removed, and what they point at stays`() async throws {
        let outside = try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-outside-")
        let storage = try ClientFolder(.storage)
        let script =
            "echo kept > '\(outside)/file'; ln -s '\(outside)' folder; ln -s '\(outside)/file' file; ln -s . itself"
        #expect(await Self.shell(script, in: storage.path) == .exited(0))
        #expect(storage.excess == nil)
        storage.remove()
        #expect(!Self.exists(storage.path) && Self.exists("\(outside)/file"))
        _ = unsafe (unlink("\(outside)/file"), rmdir(outside))
    }

    @Test func `names that are no text, folders without rights and deep ones are removed too`() async throws {
        let storage = try ClientFolder(.storage)
        let script = """
            touch "$(printf 'a\\377')" && mkdir -p shut/in && touch shut/in/file && chmod 0 shut/in shut \
            && d=.; for i in $(seq 150); do d=$d/d; done; mkdir -p $d && touch $d/file
            """
        #expect(await Self.shell(script, in: storage.path) == .exited(0))
        #expect(storage.excess == "folders more than 64 levels deep")
        storage.remove()
        #expect(!Self.exists(storage.path))
    }

    @Test func `a process has a TMPDIR of its own, which goes with it`() async throws {
        let outcome = await WatchedChild(
            command: ["sh", "-c", "touch \"$TMPDIR/left\" && printf %s \"$TMPDIR\""],
            environment: ["PATH": "/usr/bin:/bin", "TMPDIR": "/nowhere"], deadline: .seconds(60)
        ).run()
        #expect(outcome.ending == .exited(0))
        let folder = String(decoding: outcome.output, as: UTF8.self)
        #expect(folder.hasPrefix("\(TemporaryFolder.path)/proctor-client-") && !Self.exists(folder))
    }

    @Test func `the TMPDIR of a process that was killed goes too`() async throws {
        let outcome = await WatchedChild(
            command: ["sh", "-c", "mkdir \"$TMPDIR/in\" && printf %s \"$TMPDIR\" && kill -9 $$"],
            environment: ["PATH": "/usr/bin:/bin"], deadline: .seconds(60)
        ).run()
        #expect(outcome.ending == .signalled(SIGKILL))
        #expect(!Self.exists(String(decoding: outcome.output, as: UTF8.self)))
    }
}
