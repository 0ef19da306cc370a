import Foundation
import ProctorBase
import ProctorLoop
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorProgram
@testable import ProctorServer

/// Origins that stand elsewhere than at the run's own address.
struct OriginPlaceTests {
    private static let yaml = """
        summary: places
        origins: { main: {}, other: { PLACE } }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: main } }
          - { origin: other, request: GET /who, reply: { status: 200, body: "other {{origin}}" } }
        """

    private static func yaml(_ place: String) -> String { yaml.replacing("PLACE", with: place) }

    #if os(Linux)
        @Test func `another address is another host`() async throws {
            try await withRun(Self.yaml("host: other-address")) { run in
                let other = try #require(run.origin("other"))
                let hosts = [run.base, other].map { $0.split(separator: ":")[1] }
                #expect(hosts[0] != hosts[1] && other.hasPrefix("http://127."))
                let reply = try await talk(to: other) { try $0.ask("GET /who", host: "a") }
                #expect(reply.hasSuffix("other \(other)"))
            }
        }
    #endif

    @Test func `the loopback address of IPv6 is served, or refused without fault of a client`() async throws {
        let item = try scenario(Self.yaml("host: ipv6"))
        try await withServer([item]) { server in
            do {
                let run = try await server.run(item.id)
                let other = try #require(run.origin("other"))
                #expect(other.hasPrefix("http://[::1]:"))
                let outcome = try await NamedRun.curl(run, "-g", "\(other)/who")
                #expect(outcome.out == "other \(other)", "\(outcome.err)")
            } catch let refusal as HostRefusal {
                #expect(refusal.description.contains("no loopback address of IPv6"))
            }
        }
    }

    @Test func `a Unix socket stands in a folder of this user's own, and goes with the run`() async throws {
        try await withRun(Self.yaml("host: socket.example.org, transport: unix")) { run in
            let host = try #require(run.names.first)
            #expect(host.name == "socket.example.org" && host.port == 80 && host.address.hasPrefix("unix:/"))
            let path = String(host.address.dropFirst("unix:".count))
            #expect(path.utf8.count < 104)
            let folder = (path as NSString).deletingLastPathComponent
            let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            let outcome = try await NamedRun.curl(run, "--unix-socket", path, "http://socket.example.org/who")
            #expect(outcome.out == "other http://socket.example.org", "\(outcome.err)")
            let byDoor = try await NamedRun.curl(
                run, "-x", NamedRun(run: run).door, "http://socket.example.org/who", "--next", "-sS", "-p", "-x",
                NamedRun(run: run).door, "http://socket.example.org/who")
            #expect(byDoor.out == "other http://socket.example.orgother http://socket.example.org", "\(byDoor.err)")
            #expect(run.journal.lines.contains("c0 opened other"))
            #expect(!run.journal.lines.contains { $0.contains(" missed") })
            await run.stop()
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }

    @Test func `what others put beside a Unix socket stays, and is told of`() async throws {
        let reports = Reports()
        try await withRun(
            Self.yaml("host: socket.example.org, transport: unix"), configure: { $0.report = { reports.add($0) } }
        ) { run in
            let path = String(try #require(run.names.first).address.dropFirst("unix:".count))
            let folder = (path as NSString).deletingLastPathComponent
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data("a".utf8).write(to: URL(fileURLWithPath: "\(folder)/notes.txt"))
            await run.stop()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
            let told = reports.all
            #expect(told.count == 1 && told[0].contains("stays behind: rmdir \(folder): "), "\(told)")
        }
    }

    @Test func `the file of a socket that was not closed goes with its folder`() throws {
        let reports = Reports()
        let folder = try SocketFolder { reports.add($0) }
        guard case .unix(let path) = folder.socket(ofOrigin: 3) else {
            Issue.record("no Unix socket")
            return
        }
        try Data().write(to: URL(fileURLWithPath: path))
        folder.remove()
        folder.remove()
        #expect(!FileManager.default.fileExists(atPath: (path as NSString).deletingLastPathComponent))
        #expect(reports.all.isEmpty)
    }

    /// Sentences that a server has told its owner.
    private final class Reports: Sendable {
        private let sentences = Locked<[String]>([])

        func add(_ sentence: String) { sentences.withLock { $0.append(sentence) } }

        var all: [String] { sentences.withLock { $0 } }
    }
}
