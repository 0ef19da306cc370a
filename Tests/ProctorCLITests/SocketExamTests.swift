import Foundation
import ProctorTestSupport
import Testing

/// Scenarios of which one origin stands on a Unix socket, set to the clients that are scripts.
@Suite(.wide)
struct SocketExamTests {
    private static let files = [
        "fixtures/mixed.yaml": """
        summary: one host over TCP, one on a socket
        origins: { main: { host: home.example.org }, socket: { host: socket.example.org, transport: unix } }
        exchanges:
          - { request: GET /page, reply: { status: 200, body: "home" } }
          - { request: GET /there, reply: { status: 302, headers: { Location: "{{origin.socket}}/page" } } }
          - { origin: socket, request: GET /page, reply: { status: 200, body: "socket" } }
          - { origin: socket, request: GET /again, reply: { status: 302, headers: { Location: /page } } }
          - origin: socket
            request: GET /back
            reply: { status: 302, headers: { Location: "{{origin.main}}/page" } }
          - origin: socket
            request: GET /round
            reply: { status: 302, headers: { Location: "{{origin.main}}/there" } }
        cases:
          tcp:
            client: { url: /page, session: { requestTimeout: 60s } }
            wire: request(GET /page)
            facts: { body: home }
          socket:
            client: { url: "{{origin.socket}}/page", session: { requestTimeout: 60s } }
            wire: request(GET /page)
            facts: { body: socket, "wire[0].origin": socket }
          again:
            client: { url: "{{origin.socket}}/again", session: { requestTimeout: 60s } }
            wire: request(GET /again) request(GET /page)
            facts: { body: socket }
          both:
            client:
              - { url: /page, session: { requestTimeout: 60s } }
              - { url: "{{origin.socket}}/page" }
              - { url: /page }
            wire: "request(GET /page){3}"
            facts: { "wire[1].origin": socket }
          there:
            client: { url: /there, session: { requestTimeout: 60s } }
            wire: request(GET /there) request(GET /page)
            facts: { body: socket }
          back:
            client: { url: "{{origin.socket}}/back", session: { requestTimeout: 60s } }
            wire: request(GET /back) request(GET /page)
            facts: { body: home }
          round:
            client: [{ url: /page, session: { requestTimeout: 60s } }, { url: "{{origin.socket}}/round" }]
            wire: request(GET /page) request(GET /round) request(GET /there) request(GET /page)
            facts: { "step[1].body": socket }
        """
    ]

    /// The outcome of each case, and what was said of it.
    private static func outcomes(
        _ name: String, _ options: String = ""
    ) async throws -> [String: (outcome: String, text: String)] {
        let folder = try TestFolder(files)
        let python = "/usr/bin/python3 -E -s -B \(Project.path)/clients/adapters/\(name)\(options)"
        let sat = try await Child.run(
            ["exam", "--adapter", python, "--json", "out.json"], in: folder)
        guard !sat.out.contains("is not installed") else { try Test.cancel("\(name) is not installed") }
        let lines: [Substring] = try String(contentsOfFile: "\(folder.path)/out.json", encoding: .utf8).split(
            separator: "\n")
        var outcomes: [String: (String, String)] = [:]
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let name = object?["case"] as? String, let outcome = object?["outcome"] as? String else { continue }
            outcomes[String(name.drop { $0 != "#" }.dropFirst())] = (outcome, String(line))
        }
        #expect(outcomes.count == 7, "\(sat.out)\(sat.err)")
        return outcomes
    }

    @Test(arguments: ["curl", "aiohttp"])
    func `all is done but redirects from one kind of address to the other`(_ name: String) async throws {
        let outcomes = try await Self.outcomes(name)
        for name in ["tcp", "socket", "again", "both"] {
            #expect(outcomes[name]?.outcome == "pass", "\(outcomes[name]?.text ?? name)")
        }
        for (name, host) in [("there", "socket"), ("back", "home"), ("round", "home")] {
            let found = try #require(outcomes[name])
            #expect(found.outcome == "not-in-this-adapter", "\(found.text)")
            #expect(found.text.contains("a redirect leads to \(host).example.org, which"), "\(found.text)")
        }
        #expect(outcomes["round"]?.text.contains("steps[1].url") == true)
    }

    @Test func `requests does what needs no socket`() async throws {
        let outcomes = try await Self.outcomes("requests")
        #expect(outcomes["tcp"]?.outcome == "pass", "\(outcomes)")
        for name in ["socket", "again", "both", "there", "back", "round"] {
            #expect(outcomes[name]?.outcome == "not-in-this-adapter", "\(outcomes[name]?.text ?? name)")
        }
        let reason = "steps[1].url: socket.example.org stands on a Unix socket, and requests reaches none"
        #expect(outcomes["both"]?.text.contains(reason) == true)
        #expect(outcomes["there"]?.text.contains("a redirect leads to socket.example.org") == true)
    }

    @Test(arguments: ["curl", "requests", "aiohttp"])
    func `by the proxy of the names everything is done`(_ name: String) async throws {
        let outcomes = try await Self.outcomes(name, " --names-proxy")
        for (name, found) in outcomes { #expect(found.outcome == "pass", "\(name): \(found.text)") }
    }
}
