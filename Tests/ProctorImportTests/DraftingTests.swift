import ProctorHTTP
import Testing

@testable import ProctorImport

/// What becomes of recorded exchanges.
struct DraftingTests {
    private static func exchange(
        _ line: String, _ fields: [HTTPField] = [], body: String? = nil, gets status: Int = 200, _ content: String = "",
        with replyFields: [HTTPField] = []
    ) -> RecordedExchange {
        let words = line.split(separator: " ").map(String.init)
        let request = RecordedRequest(
            method: words[0], origin: "https://a.example.com", target: words[1], fields: fields,
            content: body.map { Array($0.utf8) })
        return RecordedExchange(
            at: "x", request, RecordedReply(status: status, fields: replyFields, content: Array(content.utf8)))
    }

    private static func text(_ exchanges: [RecordedExchange], keepsSecrets: Bool = false) throws -> String {
        var recording = Recording(by: "a test")
        recording.exchanges = exchanges
        let draft = try RecordingDrafter(keepsSecrets: keepsSecrets).draft(recording)
        let text = ScenarioText(draft, name: "it", head: "").text
        return text.split(separator: "\n").drop { $0 != "exchanges:" }.dropFirst().joined(separator: "\n")
    }

    @Test func `equal exchanges are one, and other replies to the same request come by turn`() throws {
        #expect(
            try Self.text([Self.exchange("GET /a"), Self.exchange("GET /a")])
                == "  - request: GET /a\n    reply: { status: 200 }")
        let text = try Self.text([
            Self.exchange("GET /a", gets: 503), Self.exchange("GET /b"), Self.exchange("GET /a", gets: 503),
            Self.exchange("GET /a"), Self.exchange("GET /a"),
        ])
        #expect(
            text == """
                  - request: GET /a
                    reply: [{ status: 503 }, { status: 503 }, { status: 200 }]
                  - request: GET /b
                    reply: { status: 200 }
                """, "\(text)")
    }

    @Test func `what decides about a reply is asked for, and nothing else`() throws {
        let json = [HTTPField("Content-Type", "application/json"), HTTPField("X-Noise", "1")]
        let text = try Self.text([
            Self.exchange("POST /q", json, body: #"{"id": 1, "password": "hunter22"}"#, gets: 200, "one"),
            Self.exchange("POST /q", json, body: #"{"id": 2, "password": "hunter22"}"#, gets: 200, "two"),
        ])
        #expect(text.contains("json: { id: 1, password: any string }") && !text.contains("X-Noise"), "\(text)")
        let same = try Self.text([
            Self.exchange("POST /q", json, body: #"{"id": 1}"#), Self.exchange("POST /q", json, body: #"{"id": 2}"#),
        ])
        #expect(!same.contains("json"), "\(same)")
    }

    @Test func `dates move, addresses are late-bound and ids are left open`() throws {
        let uuid = "0b1c7d3e-1111-4222-8333-444455556666"
        let text = try Self.text([
            Self.exchange(
                "GET /items/\(uuid)?t=1764115200000", gets: 200,
                "see https://a.example.com/x and https://a.example.com.other/",
                with: [
                    HTTPField("Date", "Thu, 26 Nov 2026 00:00:00 GMT"),
                    HTTPField("Expires", "Fri, 27 Nov 2026 00:00:00 GMT"),
                    HTTPField(
                        "Set-Cookie", "a=12345678; Expires=Thu, 26 Nov 2026 00:30:00 GMT; Domain=example.com; Secure"),
                    HTTPField("X-Request-ID", uuid), HTTPField("Location", "https://a.example.com/b"),
                    HTTPField("Connection", "keep-alive, X-Hop"), HTTPField("X-Hop", "1"),
                    HTTPField("Content-Length", "9"),
                ])
        ])
        // The id stands in a reply too, so that it is the server's own.
        #expect(text.contains("GET /items/\(uuid)?t=*"), "\(text)")
        for line in [
            "Date: \"{{now}}\"", "Expires: \"{{now + 1d}}\"", "Set-Cookie: a=secret-1; Expires={{now + 30m}}\n",
            "X-Request-ID: \"{{uuid}}\"", "Location: \"{{base}}/b\"",
            "body: see {{base}}/x and https://a.example.com.other/",
        ] {
            #expect((text + "\n").contains(line), "\(line) in \(text)")
        }
        #expect(!text.contains("X-Hop") && !text.contains("Content-Length") && !text.contains("Connection"))
        let new = try Self.text([Self.exchange("GET /items/\(uuid)/parts/\(uuid)")])
        #expect(new.contains("GET /items/{id}/parts/{id2}"), "\(new)")
    }

    @Test func `a token that comes in a reply is left open where it is sent`() throws {
        let token = "abcdefghijklmnop"
        let json = [HTTPField("Content-Type", "application/json")]
        let exchanges = [
            Self.exchange(
                "POST /token", gets: 200, #"{"access_token": "\#(token)", "token_type": "bearer"}"#, with: json),
            Self.exchange("GET /me/\(token)", [HTTPField("Authorization", "Bearer \(token)")], gets: 200, token),
        ]
        let text = try Self.text(exchanges)
        #expect(
            !text.contains(token) && text.contains("GET /me/*") && text.contains(#""token_type": "bearer""#), "\(text)")
        #expect(try Self.text(exchanges, keepsSecrets: true).contains(token))
    }

    @Test func `a short secret is replaced at its own place, and nowhere else`() throws {
        let exchanges = [
            Self.exchange(
                "GET /a", gets: 200, #"{"password": "ab\/c", "note": "ab/c", "list": [{"pin_token": "12"}, 12]}"#,
                with: [
                    HTTPField("Content-Type", "application/json"), HTTPField("X-Api-Key", "ab"),
                    HTTPField("X-Other", "ab"),
                ])
        ]
        let text = try Self.text(exchanges)
        #expect(
            text.contains(#"{"password": "secret-2", "note": "ab/c", "list": [{"pin_token": "secret-3"}, 12]}"#),
            "\(text)")
        #expect(text.contains("X-Api-Key: secret-1") && text.contains("X-Other: ab"), "\(text)")
    }

    @Test func `a schema inside itself ends`() throws {
        let description = """
            openapi: 3.1.0
            info: { title: Trees }
            paths:
              /tree:
                get: { responses: { "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } } } } }
            components:
              schemas:
                Tree:
                  type: object
                  required: [name, next]
                  properties:
                    name: { type: string, minLength: 6 }
                    count: { type: integer, exclusiveMinimum: 4, multipleOf: 3 }
                    kind: { enum: [oak, elm] }
                    next: { $ref: "#/components/schemas/Tree" }
                    all: { allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { type: [string, "null"], format: date } } }] }
            """
        let draft = try OpenAPIReader.read(Array(description.utf8), file: "x")
        let text = ScenarioText(draft, name: "it", head: "").text
        #expect(
            text.contains("json: { name: textte, count: 6, kind: oak, all: { a: 1, b: ")
                && text.contains("2026-01-02"), "\(text)")
        #expect(draft.remarks.contains { $0.sentence == "no value could be made for next, which is required" })
    }
}
