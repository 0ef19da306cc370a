import Foundation
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestWire
import Testing

/// An answer of the control API, as it came over the wire.
struct ControlReply: Sendable {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) throws { try self.init(text, asReceived: text.debugDescription) }

    init(_ received: Wire.Received) throws { try self.init(received.text, asReceived: received.description) }

    private init(_ text: String, asReceived description: String) throws {
        let end = try #require(text.range(of: "\r\n\r\n"), "no whole reply: \(description)")
        head = String(text[..<end.lowerBound])
        body = String(text[end.upperBound...])
        status = try #require(Int(head.split(separator: " ")[1]))
    }

    /// The value of a field, whose name is looked for as our server writes it.
    func field(_ name: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.hasPrefix("\(name): ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }

    var json: [String: Any] {
        get throws {
            #expect(field("Content-Type") == "application/json")
            return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
        }
    }

    func list(_ name: String) throws -> [[String: Any]] {
        try #require(try json[name] as? [[String: Any]])
    }

    func text(_ name: String) throws -> String {
        try #require(try json[name] as? String)
    }

    /// The two members of a typed error; there is nothing beside it.
    var error: (code: String, message: String) {
        get throws {
            let json = try json
            let error = try #require(json["error"] as? [String: String])
            #expect(json.count == 1 && error.count == 2)
            return (error["code"] ?? "", error["message"] ?? "")
        }
    }

    /// Every line of a journal.
    var entries: [[String: Any]] {
        get throws {
            #expect(field("Content-Type") == "application/x-ndjson")
            return try body.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
        }
    }
}

/// A request of the control API; `line` is `POST /runs`, without the prefix that all calls have.
func controlRequest(
    _ line: String, body: String? = nil, fields: [String] = [], host: String = "127.0.0.1"
) -> String {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
    let lines = ["\(words[0]) /__proctor\(words[1]) HTTP/1.1", "Host: \(host)"] + length + fields
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
}

/// Sends one call over a connection of its own.
func call(
    _ line: String, on server: Server, body: String? = nil, fields: [String] = [], host: String = "127.0.0.1"
) async throws -> ControlReply {
    let request = controlRequest(line, body: body, fields: fields, host: host)
    return try ControlReply(try await exchange(request, with: server.base))
}

/// Like ``run``, on the caller's thread, which blocks.
func callNow(_ line: String, at base: String, body: String? = nil) throws -> ControlReply {
    try ControlReply(exchangeNow(controlRequest(line, body: body), with: base))
}

/// Creates a run and returns its id and base.
func makeRun(_ scenario: String, on server: Server, more: String = "") async throws -> (id: String, base: String) {
    let reply = try await call("POST /runs", on: server, body: "{\"scenario\": \"\(scenario)\"\(more)}")
    #expect(reply.status == 201)
    return (try reply.text("run"), try reply.text("base"))
}

/// Scenarios that the control API is asked about.
enum ControlFixtures {
    private static let turns = """
        summary: Two turns
        spec: [RFC 9110 §9.3.1, "another"]
        exchanges:
          - { request: GET /, reply: [ { status: 200, body: one }, { status: 200, body: two } ] }
        cases:
          both: { summary: Both of them, client: { url: / }, wire: request(GET /) request(GET /) }
        """
    private static let origins = """
        summary: Three origins
        origins: { other: {}, dead: { role: closed } }
        exchanges:
          - { request: GET /, reply: { status: 200, body: main } }
          - { request: GET /, origin: other, reply: { status: 200, body: other } }
        cases:
          must: { client: { url: / }, wire: request(GET /), facts: { "wire[0].headers.x-a": [ "1" ], status: 200 } }
          sees: { kind: observes, client: { url: / } }
        """

    static func scenarios() throws -> [Scenario] {
        [
            try scenario(turns, id: "plain/turns"), try scenario(origins, id: "plain/deep/origins"),
            try scenario(turns, id: "other"),
        ]
    }
}

/// A server with the scenarios above, for the time of `body`.
func withControl<Result>(
    configure: (inout ServerConfiguration) -> Void = { _ in }, _ body: (Server) async throws -> Result
) async throws -> Result {
    try await withServer(try ControlFixtures.scenarios(), configure: configure, body)
}
