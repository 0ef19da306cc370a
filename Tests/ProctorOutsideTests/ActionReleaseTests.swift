import Foundation
import ProctorTestSupport
import Testing

#if os(Linux)
    /// Where the GitHub Action takes its program from; releases have programs for Linux alone.
    struct ActionReleaseTests {
        #if arch(arm64)
            private static let architecture = "aarch64"
        #else
            private static let architecture = "x86_64"
        #endif

        /// A job whose PATH has no proctor, and what unpacks.
        private func job(_ files: [String: String] = [:]) async throws -> (RunnerJob, environment: [String: String]) {
            let job = try await RunnerJob(Fixtures.files.merging(files) { $1 })
            for name in ["tar", "gzip"] {
                try job.folder.link("bin/\(name)", to: try #require(Project.tool(name)), folderFirst: "bin")
            }
            return (job, ["PATH": "\(job.folder.path)/bin"])
        }

        private static func inputs(_ job: RunnerJob) -> [String: String] {
            ["fixtures": "\(job.folder.path)/fixtures"]
        }

        /// Packs a program that stands for the built one, as a release is packed; returns the name of its tarball.
        private func pack(in job: RunnerJob, _ folder: String, sum: String? = nil) async throws -> String {
            let version = try await Child.run(["version"]).out
            let name = "proctor-\(version.dropFirst("proctor ".count).dropLast())-\(Self.architecture)"
            try job.folder.makeFolder("\(folder)/\(name)")
            _ = try job.program("\(folder)/\(name)/proctor", "exec \(Child.binary) \"$@\"")
            try job.folder.write("A file beside it", to: "\(folder)/\(name)/README.md")
            let script = """
                tar -czf "$1.tar.gz" "$1" && sha256sum "$1.tar.gz" | sed "s/^[0-9a-f]*/${3:-&}/" >"SHA256SUMS-$2"
                """
            let packed = try await ChildProcess.run(
                ["/bin/sh", "-c", script, "sh", name, Self.architecture, sum ?? ""], in: "\(job.folder.path)/\(folder)")
            try #require(packed.status == 0, "\(packed.err)")
            try job.folder.remove("\(folder)/\(name)")
            return "\(name).tar.gz"
        }

        @Test func `a proctor in PATH is taken`() async throws {
            let (job, environment) = try await job()
            try job.folder.link("bin/proctor", to: Child.binary)
            let started = try await job.main(program: nil, environment: environment)
            #expect(
                started.status == 0 && started.out.contains(" (PATH): \(job.folder.path)/bin/proctor\n"),
                "\(started.out)")
            _ = try await job.post()
        }

        @Test func `the release of the action's own version is downloaded, once more where the first attempt fails`()
            async throws
        {
            let (job, environment) = try await job()
            let tarball = try await pack(in: job, "served")
            let sums = "SHA256SUMS-\(Self.architecture)"
            try job.folder.write(
                """
                summary: A release
                exchanges:
                  - request: GET /\(sums)
                    reply: [ { status: 503 }, { status: 200, body: { file: \(sums) } } ]
                  - { request: GET /\(tarball), reply: { status: 302, headers: { Location: "{{base}}/elsewhere" } } }
                  - { request: GET /elsewhere, reply: { status: 200, body: { file: \(tarball) } } }
                """, to: "served/release.yaml")
            let folder = job.folder
            let host = try await onThread {
                try ServingChild(nil, ["\(folder.path)/served", "--strict"])
            }
            let place = "\(host.base)/release"
            let started = try await job.main(
                Self.inputs(job).merging(["release-url": place]) { $1 }, program: nil, environment: environment)
            #expect(started.status == 0, "\(started.out)")
            #expect(started.out.contains("downloading \(tarball) from \(place)/\n"), "\(started.out)")
            #expect(started.out.contains("\(place)/\(sums): status 503; once more in 1 s\n"), "\(started.out)")
            #expect(started.out.contains(" (the release): \(job.folder.path)/temp/"), "\(started.out)")

            let variables = try job.values(.env)
            let program = try #require(variables["PROCTOR_BINARY"])
            #expect(try job.text(.path) == "\((program as NSString).deletingLastPathComponent)\n")
            let beside = try FileManager.default.contentsOfDirectory(
                atPath: (program as NSString).deletingLastPathComponent)
            #expect(beside == ["proctor"])
            _ = try await curl("\(try #require(variables["PROCTOR_SERVER"]))/__proctor/health")
            #expect(try await job.post().out.contains("no scenario was asked for anything"))
            #expect(try await onThread { try host.end() } == 0, "\(host.err)")
        }

        @Test func `a tarball with another sum is refused before it is unpacked`() async throws {
            let (job, environment) = try await job()
            let wrong = String(repeating: "0", count: 64)
            let tarball = try await pack(in: job, "release", sum: wrong)
            let outcome = try await job.main(
                ["release-url": "file://\(job.folder.path)/release"], program: nil, environment: environment)
            #expect(outcome.status == 1)
            #expect(outcome.out.contains("::error::\(tarball) has the SHA-256 "), "\(outcome.out)")
            #expect(
                outcome.out.hasSuffix(", and the sums of the release say \(wrong): nothing of it was run\n"),
                "\(outcome.out)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: "\(job.folder.path)/temp")
            #expect(left.count == 1, "\(left)")
        }

        @Test func `a version without a release, and an action without a repository, are told`() async throws {
            let (job, environment) = try await job()
            let child = try await onThread { [folder = job.folder] in try ServingChild(folder) }
            let missing = try await job.main(
                ["release-url": child.base, "version": "v99.0.0"], program: nil, environment: environment)
            #expect(missing.status == 1)
            #expect(
                missing.out.contains("::error::\(child.base)/SHA256SUMS-\(Self.architecture) answers 404: "),
                "\(missing.out)")
            let local = try await job.main(program: nil, environment: environment)
            #expect(local.out.hasPrefix("::error::an action of the workspace itself has no releases: "), "\(local.out)")
        }
    }
#endif
