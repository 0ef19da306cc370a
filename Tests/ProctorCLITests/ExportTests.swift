import Foundation
import ProctorTestSupport
import Testing

/// `proctor export`: what other tools can say comes back by `proctor import`.
struct ExportTests {
    private static let fixture = """
        summary: A shop
        exchanges:
          - request: GET /items/{id}
            reply: { status: 200, headers: { Content-Type: application/json, Link: "<{{base}}/next>" }, body: '{"id": 1}' }
          - request: { method: POST, path: /orders, headers: { Content-Type: "*json*" }, json: { item: 1, tags: [a] } }
            reply: { status: 201, reason: Made, headers: [{ Set-Cookie: a=1 }, { Set-Cookie: b=2 }] }
          - request: GET /flaky
            reply: [{ status: 503 }, { status: 200, coding: gzip, body: now }]
          - request: GET /bytes
            reply: { status: 200, body: { hex: "00 ff" }, effects: [{ at: head, do: wait 20ms }, { at: end, do: reset }] }
          - request: GET /broken
            reply: { effects: [{ at: head, do: close }] }
        """

    private func exported(_ kind: String, in folder: TestFolder) async throws -> Child.Outcome {
        let outcome = try await Child.run(["export", kind, "shop", "--fixtures", "fixtures"], in: folder)
        #expect(outcome.status == 0, "\(outcome.err)")
        return outcome
    }

    @Test func `mappings of WireMock come back as the same scenario`() async throws {
        let folder = try TestFolder(["fixtures/shop.yaml": Self.fixture])
        let outcome = try await exported("wiremock", in: folder)
        #expect(
            outcome.err.contains("fixtures/shop.yaml:10:") && outcome.err.contains("the effect at end can't be said"),
            "\(outcome.err)")
        try folder.write(outcome.out, to: "stubs/mappings/shop.json")
        let back = try await Child.run(["import", "wiremock", "stubs", "--into", "back", "--id", "it"], in: folder)
        #expect(back.status == 0, "\(back.err)")
        let child = try await onThread { try ServingChild(nil, ["\(folder.path)/back", "--root", "it"]) }
        let item = try await curl("-i", "\(child.base)/items/17")
        #expect(item.out.contains("Link: <\(child.base)") && item.out.hasSuffix("\r\n\r\n{\"id\": 1}"), "\(item.out)")
        let order = try await curl("-i", "--json", #"{"tags": ["a"], "item": 1}"#, "\(child.base)/orders")
        #expect(order.out.hasPrefix("HTTP/1.1 201 Made\r\n") && order.out.contains("Set-Cookie: b=2"), "\(order.out)")
        #expect(
            try await curl("--json", "{}", "-w", "%{http_code}", "-o", "/dev/null", "\(child.base)/orders").out == "404"
        )
        for wanted in ["503", "now200", "now200"] {
            #expect(try await curl("--compressed", "-w", "%{http_code}", "\(child.base)/flaky").out == wanted)
        }
        #expect(try await curl("\(child.base)/bytes").output == [0, 0xFF])
        #expect(try await curl("\(child.base)/broken").status == 52)
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `a HAR comes back as its replies`() async throws {
        let folder = try TestFolder(["fixtures/shop.yaml": Self.fixture])
        let outcome = try await exported("har", in: folder)
        try folder.write(outcome.out, to: "shop.har")
        let back = try await Child.run(
            ["import", "har", "shop.har", "--into", "back", "--id", "it", "--keep-secrets"], in: folder)
        #expect(back.status == 0, "\(back.err)")
        let text = try folder.text("back/it.yaml")
        #expect(text.contains("request: GET /items/1\n") && text.contains(#"Link: "<{{base}}/next>""#), "\(text)")
        #expect(
            text.contains("{ Set-Cookie: a=1 }") && text.contains("reason: Made") && text.contains("base64: AP8="),
            "\(text)")
    }

    @Test func `lines of curl are answered by the scenario`() async throws {
        let folder = try TestFolder(["fixtures/shop.yaml": Self.fixture])
        let outcome = try await exported("curl", in: folder)
        let child = try await onThread { try ServingChild(folder, ["--root", "shop"]) }
        try folder.write(
            outcome.out.replacing("curl -i", with: "curl -s -o /dev/null -w '%{http_code} '"), to: "lines.sh")
        let run = try await Child.run(
            ["\(folder.path)/lines.sh"], program: "/bin/sh",
            environment: ["BASE": child.base, "PATH": "/usr/bin:/bin"], in: folder)
        #expect(run.out == "200 201 503 200 000 ", "\(run.out)\(run.err) \(outcome.out)")
        #expect(try await onThread { try child.end() } == 0)
    }

    @Test func `what can't be meant is a mistake of the command line`() async throws {
        for (arguments, message) in [
            (["export"], "'export' takes a kind and an ID"), (["export", "hra", "shop"], "did you mean 'har'?"),
            (["export", "har", "shpo", "--fixtures", "fixtures"], "there is no scenario 'shpo'; did you mean 'shop'?"),
        ] {
            let folder = try TestFolder(["fixtures/shop.yaml": Self.fixture])
            let outcome = try await Child.run(arguments, in: folder)
            #expect(outcome.status == 2 && outcome.err.contains(message), "\(outcome.err)")
        }
    }
}
