import Foundation
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Content of every source arrives complete over TLS, and the key log decrypts sessions.
@Suite(.limit(minutes: 5))
struct SecuredContentTests {
    private func folder(_ bytes: Data) throws -> String {
        let path = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try bytes.write(to: URL(fileURLWithPath: "\(path)/content.bin"))
        return path
    }

    private func secured(_ reply: String) -> String {
        """
        summary: answers over TLS
        origins:
          main: { scheme: https }
        exchanges:
          - request: "* /*"
            reply: \(reply)
        """
    }

    @Test(arguments: ["", ", slice: { random: 5 }", ", coding: gzip"])
    func `a file comes as it is, whatever is done with it`(_ more: String) async throws {
        // No piece of it is like another, and it is no multiple of a record.
        let bytes = Data((0..<1_500_001).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        let folder = try folder(bytes)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await withRun(
            secured("{ status: 200, body: { file: content.bin }\(more) }"), folder: folder
        ) { run in
            let outcome = try await ChildProcess.run([
                "/usr/bin/env", "curl", "-sS", "--compressed", "--max-time", "60", "--cacert", run.trust ?? "",
                run.base,
            ])
            #expect(outcome.status == 0 && Data(outcome.output) == bytes, "\(outcome.output.count) \(outcome.err)")
        }
    }

    @Test func `a large request body is taken whole`() async throws {
        let bytes = Data((0..<700_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 5) })
        try await withRun(secured("{ status: 200, body: ok }")) { run in
            let outcome = try await ChildProcess.run(
                [
                    "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--cacert", run.trust ?? "", "--data-binary",
                    "@-", run.base,
                ], input: Array(bytes))
            #expect(outcome.out == "ok", "\(outcome.err)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 700003 complete"), "\(lines)")
        }
    }

    @Test func `a half-close says close_notify, and the client's bytes are read on`() async throws {
        let reply = """

                  raw: "HTTP/1.1 200 OK\\r\\n\\r\\nhalf"
                  effects:
                    - { at: end, do: half-close }
            """
        try await withRun(secured(reply)) { run in
            let seen = try await TLSWatch.run(run)[0]
            #expect(seen.text == "half" && seen.error == "-" && seen.end == "fin", "\(seen)")
        }
    }

    @Test(arguments: ["1.2", "1.3"])
    func `the key log has the secrets of each session`(_ version: String) async throws {
        let folder = try folder(Data())
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/keys"
        try await withRun(
            secured("{ status: 200, body: ok }"), configure: { $0.keyLogPath = path }
        ) { run in
            _ = try await TLSWatch.run(run, newest: version)
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let labels = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
        let wanted =
            version == "1.2"
            ? ["CLIENT_RANDOM"] : ["SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0"]
        #expect(wanted.allSatisfy(labels.contains), "\(labels)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `s_client goes on with its session each of the five times it is asked to`() async throws {
        try await withRun(secured("{ status: 200, body: ok }")) { run in
            let place = run.base.dropFirst("https://".count)
            let outcome = try await ChildProcess.run(
                [
                    "/usr/bin/env", "openssl", "s_client", "-connect", String(place), "-CAfile", run.trust ?? "",
                    "-tls1_2", "-reconnect",
                ], input: [])
            let words = outcome.out.split(separator: "\n").compactMap { $0.split(separator: ",").first }
            #expect(words.count { $0 == "New" } == 1 && words.count { $0 == "Reused" } == 5, "\(outcome.out)")
        }
    }
}

/// A slow client gets the last records of a reply, which wait in the session's queue.
@Suite(.limit(minutes: 5))
struct TLSStopTests {
    // More than the systems of both ends hold.
    private static let byteCount = 24_000_000

    private static func scenario(_ version: String) -> String {
        """
        summary: a large reply over TLS
        origins:
          main: { scheme: https, tls: { versions: "\(version)" } }
        exchanges:
          - request: "GET /*"
            reply:
              status: 200
              body: { repeat: "0123456789abcdef", times: \(byteCount / 16) }
        """
    }

    @Test(arguments: ["1.2", "1.3"])
    func `a graceful stop lets a slow reader have the whole of its reply`(_ version: String) async throws {
        try await withRun(Self.scenario(version)) { run in
            async let reading = ChildProcess.run([
                "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--limit-rate", "12M", "-o", "/dev/null", "-w",
                "%{size_download}", "--cacert", run.trust ?? "", run.base,
            ])
            _ = try await run.journal.lines { lines in lines.contains { $0.contains(" sent 200") } }
            await run.stop(grace: Patience.whole)
            let outcome = try await reading
            #expect(outcome.out == "\(Self.byteCount)" && outcome.status == 0, "\(outcome.err)")
        }
    }
}
