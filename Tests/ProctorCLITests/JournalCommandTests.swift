import Foundation
import ProctorTestSupport
import Testing

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
            for kilobytes in [70_000, 90_000, 120_000] {
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
