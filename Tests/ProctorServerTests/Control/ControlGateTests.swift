import ProctorLoop
import ProctorServer
import ProctorTestWire
import Testing

/// Which clients may call: by the server's own addresses, not from a foreign page, and with the token.
struct ControlGateTests {
    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:1", "127.9.8.7:80", "localhost", "LOCALHOST:8088", "[::1]", "[::1]:8088",
    ])
    func `a Host of loopback is ours, with whatever port`(host: String) async throws {
        try await withControl { server in
            let reply = try await call("GET /health", on: server, host: host)
            #expect(reply.status == 200)
        }
    }

    @Test(arguments: [
        "example.org", "localhost.example.org", "127.0.0.1.example.org", "127.0.0.1.nip.io:80", "10.0.0.1",
        "0.0.0.0", "[2001:db8::1]", "localhostx", "",
    ])
    func `a foreign Host is refused, by calls and not by pages`(host: String) async throws {
        try await withControl { server in
            for line in ["GET /health", "POST /runs", "GET /nothing"] {
                let reply = try await call(line, on: server, body: #"{"scenario":"other"}"#, host: host)
                #expect(try reply.error.code == "foreign-host")
                #expect(reply.status == 403)
            }
            #expect(try await call("GET /health", on: server).json["runs"] as? Int == 0)
            let page = try await exchange("GET /other/ HTTP/1.1\r\nHost: \(host)\r\n\r\n", with: server.base)
            #expect(page.text.hasSuffix("one"))
        }
    }

    @Test(arguments: ["proctor.localhost", "proctor.localhost:9", "PROCTOR.localhost:9", "proctor.localhost."])
    func `a page by the host of the pages may call, with whatever port`(host: String) async throws {
        try await withControl { server in
            let reply = try await call(
                "GET /health", on: server, fields: ["Origin: http://\(host.lowercased())"], host: host)
            #expect(reply.status == 200 && reply.field("Access-Control-Allow-Origin") == nil)
            let others = [
                "http://proctor.localhost:10", "https://\(host)", "http://a.proctor.localhost:9", "http://localhost",
            ]
            for origin in others {
                let other = try await call("GET /health", on: server, fields: ["Origin: \(origin)"], host: host)
                #expect(try other.error.code == "foreign-origin", "\(origin)")
            }
        }
    }

    @Test(arguments: ["127.0.0.1:PORT", "localhost:PORT", "[::1]:PORT", "LOCALHOST:9"])
    func `a page of what scenarios send may not, since its origin is another`(host: String) async throws {
        try await withControl { server in
            let host = host.replacing("PORT", with: "\(server.address.port ?? 0)")
            let own = try await call(
                "GET /health", on: server, fields: ["Origin: http://\(host.lowercased())"], host: host)
            let error = try own.error
            #expect(own.status == 403 && error.code == "pages-host")
            #expect(
                error.message.hasSuffix(
                    "; open http://proctor.localhost:\(host.split(separator: ":").last ?? "")/__proctor/health"))
        }
    }

    @Test func `a page of an origin that was allowed may call, and read the answer`() async throws {
        let origin = "http://localhost:3000"
        try await withControl(configure: { configuration in
            configuration.allowedOrigins = ["http://LOCALHOST:3000"]
            configuration.token = "secret"
        }) { server in
            let fields = ["Origin: \(origin)", "Sec-Fetch-Site: cross-site"]
            let preflight = try await call(
                "OPTIONS /runs", on: server, fields: fields + ["Access-Control-Request-Method: POST"])
            #expect(preflight.status == 200 && preflight.field("Access-Control-Allow-Origin") == origin)
            #expect(preflight.field("Access-Control-Allow-Methods") == "GET, POST, PUT, PATCH, DELETE")
            #expect(preflight.field("Access-Control-Allow-Headers") == "Authorization, Content-Type")
            let reply = try await call(
                "GET /health", on: server, fields: fields + ["Authorization: Bearer secret"])
            #expect(reply.status == 200 && reply.field("Access-Control-Allow-Origin") == origin)
            #expect(reply.field("Vary") == "Origin")
            // It is no way around the token, and its refusal can be read.
            let refused = try await call("GET /health", on: server, fields: fields)
            #expect(refused.status == 401 && refused.field("Access-Control-Allow-Origin") == origin)
            let other = try await call("GET /health", on: server, fields: ["Origin: http://localhost:3001"])
            #expect(other.status == 403 && other.field("Access-Control-Allow-Origin") == nil)
        }
    }

    @Test(arguments: [
        ("cross-site", "cross-site", "cross-site"), ("same-site", "cross-site", "cross-site"),
        ("same-origin", "pages-host", nil), ("none", "pages-host", nil),
    ])
    func `where a browser's call comes from is known without an Origin, too`(
        site: String, atScenarios: String, atPages: String?
    ) async throws {
        try await withControl { server in
            let reply = try await call("GET /health", on: server, fields: ["Sec-Fetch-Site: \(site)"])
            #expect(reply.status == 403)
            #expect(try reply.error.code == atScenarios)
            let byPages = try await call(
                "GET /health", on: server, fields: ["Sec-Fetch-Site: \(site)"], host: "proctor.localhost")
            #expect(byPages.status == (atPages == nil ? 200 : 403))
            if let atPages { #expect(try byPages.error.code == atPages) }
            // Pages and scenarios need no permission.
            let page = try await exchange(.request("GET /other/", "Sec-Fetch-Site: \(site)"), with: server.base)
            #expect(page.text.hasSuffix("one"))
        }
    }

    @Test(arguments: [
        "null", "http://example.org", "https://example.org", "http://127.0.0.1.nip.io", "file://", "http://", "",
        "http://localhost.example.org", "https://localhost.example.org", "http://10.0.0.1",
        "http://127.0.0.1 http://example.org", "http://localhost:3000", "http://127.0.0.1:9", "http://[::1]",
        "https://localhost:8443",
    ])
    func `a page from elsewhere may not`(origin: String) async throws {
        try await withControl { server in
            for line in ["GET /health", "POST /runs"] {
                let reply = try await call(
                    line, on: server, body: #"{"scenario":"other"}"#, fields: ["Origin: \(origin)"])
                #expect(reply.status == 403)
                #expect(try reply.error.code == "foreign-origin")
                #expect(reply.field("Access-Control-Allow-Origin") == nil)
            }
            #expect(try await call("GET /health", on: server).json["runs"] as? Int == 0)
        }
    }

    @Test(arguments: [
        "", "Bearer", "Bearer ", "Bearer secre", "Bearer secrets", "Bearer Secret", "Basic secret", "secret",
    ])
    func `without the token no call is answered`(authorization: String) async throws {
        try await withControl(configure: { $0.token = "secret" }) { server in
            let fields = authorization.isEmpty ? [] : ["Authorization: \(authorization)"]
            for line in ["GET /health", "POST /runs", "GET /nothing"] {
                let reply = try await call(line, on: server, fields: fields)
                #expect(reply.status == 401 && reply.field("WWW-Authenticate") == "Bearer realm=\"proctor\"")
                #expect(try reply.error.code == "token-needed")
            }
            #expect(try await exchange(.request("GET /other/"), with: server.base).text.hasSuffix("one"))
        }
    }

    @Test(arguments: ["Bearer secret", "bearer secret", "BEARER secret"])
    func `with the token they are, and the scheme's letter case does not matter`(authorization: String) async throws {
        try await withControl(configure: { $0.token = "secret" }) { server in
            let reply = try await call("GET /health", on: server, fields: ["Authorization: \(authorization)"])
            #expect(reply.status == 200)
            // The token is no reason to let pages and names in.
            let foreign = try await call(
                "GET /health", on: server, fields: ["Authorization: \(authorization)"], host: "example.org")
            #expect(foreign.status == 403)
        }
    }

    @Test func `off loopback any name will do, but a browser comes by the host of the pages`() async throws {
        try await withControl(
            configure: { configuration in
                configuration.address = .ipv4(host: "0.0.0.0", port: 0)
                configuration.token = "secret"
            },
            { server in
                let token = "Authorization: Bearer secret"
                for host in ["proctor:8088", "10.0.0.1", "example.org"] {
                    func status(_ fields: [String]) async throws -> Int {
                        try await call("GET /health", on: server, fields: fields, host: host).status
                    }
                    let statuses = [
                        try await status([token]), try await status([]),
                        try await status([token, "Origin: http://\(host)"]),
                        try await status([token, "Origin: http://evil.example"]),
                    ]
                    #expect(statuses == [200, 401, 403, 403])
                }
                let origin = "Origin: http://proctor.localhost:8088"
                let tunnel = try await call(
                    "GET /health", on: server, fields: [token, origin], host: "proctor.localhost:8088")
                #expect(tunnel.status == 200)
            })
    }
}
