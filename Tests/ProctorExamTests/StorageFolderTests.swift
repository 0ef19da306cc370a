import ProctorTestSupport
import Testing

@testable import ProctorBase
@testable import ProctorExam

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A storage folder in which a client has put what it should not.
struct StorageFolderTests {
    private static func shell(_ script: String, in folder: String) async -> WatchedChild.Ending {
        await WatchedChild(
            command: ["sh", "-c", "cd \"$0\" && \(script)", folder], environment: ["PATH": "/usr/bin:/bin"],
            deadline: .seconds(60)
        ).run().ending
    }

    private static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    @Test func `links are removed, and what they point at stays`() async throws {
        let outside = try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-outside-")
        let storage = try StorageFolder()
        let script =
            "echo kept > '\(outside)/file'; ln -s '\(outside)' folder; ln -s '\(outside)/file' file; ln -s . itself"
        #expect(await Self.shell(script, in: storage.path) == .exited(0))
        #expect(storage.excess == nil)
        storage.remove()
        #expect(!Self.exists(storage.path) && Self.exists("\(outside)/file"))
        _ = unsafe (unlink("\(outside)/file"), rmdir(outside))
    }

    @Test func `names that are no text, folders without rights and deep ones are removed too`() async throws {
        let storage = try StorageFolder()
        let script = """
            touch "$(printf 'a\\377')" && mkdir -p shut/in && touch shut/in/file && chmod 0 shut/in shut \
            && d=.; for i in $(seq 150); do d=$d/d; done; mkdir -p $d && touch $d/file
            """
        #expect(await Self.shell(script, in: storage.path) == .exited(0))
        #expect(storage.excess == "folders more than 64 levels deep")
        storage.remove()
        #expect(!Self.exists(storage.path))
    }
}
