import Foundation
import ProctorServer
import ProctorTestWire
import Testing

/// The state of runs and of standing scenarios, read and changed by calls.
struct StateCallTests {
    private static let yaml = """
        summary: A cart
        state: { cart: empty, left: 3, user: null }
        exchanges:
          - { request: GET /, when: { cart: full }, reply: { status: 200, body: "{{state.left}}" } }
          - { request: "PUT /items/{id}", reply: { status: 204, sets: { "item/{{path.id}}": "{{request.body}}", raw: "{{request.query.raw}}" } } }
          - { request: "PUT /items/{id}?*", reply: { status: 204, sets: { raw: "{{request.query.raw}}" } } }
        """

    private func withState(_ body: (Server) async throws -> Void) async throws {
        let plain = try scenario(always("{ status: 200 }"), id: "plain")
        try await withServer([try scenario(Self.yaml, id: "shop/cart"), plain], body)
    }

    private func values(_ reply: ControlReply) throws -> [String: String] {
        #expect(reply.status == 200)
        return try #require(try reply.json["state"] as? [String: String])
    }

    @Test func `the state of a run is read, replaced and changed`() async throws {
        try await withState { server in
            let (id, base) = try await makeRun("shop/cart", on: server)
            #expect(try values(try await call("GET /runs/\(id)/state", on: server)) == ["cart": "empty", "left": "3"])
            #expect(
                try values(try await call("PATCH /runs/\(id)/state", on: server, body: #"{"cart": "full", "left": 7}"#))
                    == ["cart": "full", "left": "7"])
            let text = try await exchange(.request("GET /", "Connection: close"), with: base).text
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("7"))
            #expect(
                try values(
                    try await call("PUT /runs/\(id)/state", on: server, body: #"{"item/a b": "", "user": "ä\u0001\n"}"#)
                )
                    == ["item/a b": "", "user": "ä\u{1}\n"])
            #expect(
                try values(try await call("PATCH /runs/\(id)/state", on: server, body: #"{"user": null}"#)) == [
                    "item/a b": ""
                ])
            let changes = try await call("GET /runs/\(id)/journal", on: server).entries
                .filter { $0["ev"] as? String == "stateChanged" }
            #expect(changes.count == 7 && changes.allSatisfy { $0["by"] as? String == "call" })
            #expect(try await call("POST /runs/\(id)/reset", on: server).status == 200)
            #expect(try values(try await call("GET /runs/\(id)/state", on: server)) == ["cart": "empty", "left": "3"])
        }
    }

    @Test func `the state of a standing scenario is the one that its place on the shared port has`() async throws {
        try await withState { server in
            let change = try await call("PATCH /standing/shop/cart/state", on: server, body: #"{"cart": "full"}"#)
            #expect(try values(change) == ["cart": "full", "left": "3"])
            let text = try await exchange(.request("GET /shop/cart/", "Connection: close"), with: server.base).text
            #expect(text.hasPrefix("HTTP/1.1 200 ") && text.hasSuffix("3"))
            #expect(try values(try await call("GET /standing/shop/cart/state", on: server))["cart"] == "full")
            #expect(try values(try await call("PUT /standing/shop/cart/state", on: server, body: "{}")) == [:])
        }
    }

    @Test func `a value that is no text is shown in base64`() async throws {
        try await withState { server in
            let (id, base) = try await makeRun("shop/cart", on: server)
            _ = try await exchange(.request("PUT /items/1?raw=%FF%00", "Connection: close"), with: base)
            let state = try await call("GET /runs/\(id)/state", on: server).json["state"] as? [String: Any]
            #expect(state?["raw"] as? [String: String] == ["base64": "/wA="])
        }
    }

    @Test(arguments: [
        ("plain", #"{"a": "b"}"#, "no-state", "scenario plain has no state"),
        ("shop/cart", #"{"crat": "b"}"#, "bad-request", "the scenario has no state 'crat'; did you mean 'cart'?"),
        ("shop/cart", #"{"cart": ["b"]}"#, "bad-request", "the value of 'cart' is a text, or null to remove it"),
        ("shop/cart", #"["cart"]"#, "bad-request", "a JSON object is expected as the body"),
        ("shop/cart", "", "bad-request", "a JSON object is expected as the body"),
        (
            "shop/cart", #"{"left": 1, "cart": "\#(String(repeating: "a", count: 65_537))"}"#, "bad-request",
            #"the state "cart" can't be changed: the value has 65537 bytes; at most 65536 are permitted"#
        ),
    ]) func `what can't be set is refused, and nothing is changed`(
        row: (scenario: String, body: String, code: String, message: String)
    ) async throws {
        try await withState { server in
            let (id, _) = try await makeRun(row.scenario, on: server)
            for method in ["PUT", "PATCH"] {
                let refused = try await call("\(method) /runs/\(id)/state", on: server, body: row.body)
                #expect(try refused.error.code == row.code)
                #expect(try refused.error.message.hasPrefix(row.message))
            }
            guard row.scenario != "plain" else { return }
            #expect(try values(try await call("GET /runs/\(id)/state", on: server)) == ["cart": "empty", "left": "3"])
        }
    }
}
