import ProctorHTML
import ProctorServer
import ProctorTestWire
import Testing

/// What pages load, and who may open and use those about runs.
struct PageSecurityTests {
    private func get(_ target: String, on server: Server, _ fields: String...) async throws -> ControlReply {
        let lines = ["Accept: text/html"] + fields
        let request = "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n" + lines.joined(separator: "\r\n") + "\r\n\r\n"
        return try ControlReply(try await exchange(request, with: server.base))
    }

    @Test func `every page names the one policy, and no page is sniffed`() async throws {
        try await withControl { server in
            let (run, _) = try await makeRun("plain/turns", on: server)
            let pages = [
                "/", "/other", "/nothing", "/__proctor/ui/runs", "/__proctor/ui/runs/\(run)", "/__proctor/ui/x",
            ]
            for target in pages {
                let reply = try await get(target, on: server)
                #expect(reply.field("Content-Type") == "text/html; charset=utf-8", "\(target)")
                let policy = try #require(reply.field("Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
                #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
                #expect(reply.field("X-Content-Type-Options") == "nosniff")
            }
            #expect(try await call("GET /health", on: server).field("X-Content-Type-Options") == "nosniff")
        }
    }

    @Test(arguments: PageAsset.all.keys.sorted())
    func `a style sheet or script has a strong tag, by which it is asked for again`(name: String) async throws {
        try await withServer([]) { server in
            let target = "/__proctor/assets/\(name)"
            let whole = try await get(target, on: server)
            let tag = try #require(whole.field("ETag"))
            #expect(whole.status == 200 && tag.hasPrefix("\"") && !whole.body.isEmpty)
            #expect(whole.field("Cache-Control") == "no-cache")
            #expect(
                whole.field("Content-Type")?.hasPrefix(name.hasSuffix(".css") ? "text/css" : "text/javascript") == true)
            for known in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
                let again = try await get(target, on: server, "If-None-Match: \(known)")
                #expect(again.status == 304 && again.body.isEmpty && again.field("ETag") == tag)
                #expect(again.field("Content-Length") == nil)
            }
            #expect(try await get(target, on: server, "If-None-Match: \"x\"").status == 200)
        }
    }

    @Test func `no other file is an asset`() async throws {
        try await withServer([]) { server in
            for name in ["", "x.js", "../health", "pages.css/", "pages%2ecss"] {
                let reply = try await get("/__proctor/assets/\(name)", on: server)
                #expect(reply.status == 404, "\(name)")
            }
        }
    }

    @Test func `a foreign page reads and changes nothing, by name, by origin or by form`() async throws {
        try await withControl { server in
            let (run, _) = try await makeRun("plain/turns", on: server)
            let form = "Content-Type: application/x-www-form-urlencoded"
            for path in ["GET /ui/runs", "GET /ui/runs/\(run)", "GET /runs/\(run)/events", "GET /overview"] {
                #expect(try await call(path, on: server, host: "rebound.example").status == 403)
                #expect(try await call(path, on: server, fields: ["Origin: http://evil.example"]).status == 403)
                #expect(try await call(path, on: server, fields: ["Sec-Fetch-Site: cross-site"]).status == 403)
            }
            let changes = ["/ui/start?scenario=other", "/ui/runs/\(run)/delete", "/ui/runs/\(run)/reset"]
            for path in changes {
                for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
                    let reply = try await call(
                        "POST \(path)", on: server, body: "", fields: ["Origin: \(origin)", form])
                    #expect(reply.status == 403, "\(path) \(origin)")
                }
            }
            #expect(try await call("GET /runs", on: server).list("runs").count == 1)
        }
    }

    @Test func `a form of our own starts, resets and deletes a run without a script`() async throws {
        try await withControl { server in
            let pages = try #require(server.pagesBase)
            let host = String(pages.dropFirst("http://".count))
            func post(_ path: String) async throws -> ControlReply {
                try await call("POST \(path)", on: server, body: "", fields: ["Origin: \(pages)"], host: host)
            }
            let started = try await post("/ui/start?scenario=other")
            let page = try #require(started.field("Location"))
            #expect(started.status == 303 && page.hasPrefix("/__proctor/ui/runs/r"))
            let markup = try Markup(try await get(page, on: server).body)
            #expect(markup.text.contains("Begin again") && markup.text.contains("Verdicts"))
            let place = String(page.dropFirst("/__proctor".count))
            #expect(try await post("\(place)/reset").status == 303)
            #expect(try await post("\(place)/delete").status == 303)
            #expect(try await get(page, on: server).status == 404)
        }
    }

    @Test func `where a token is needed, a page says nothing of a run, and changes nothing`() async throws {
        try await withControl(configure: { $0.token = "secret" }) { server in
            let token = ["Authorization: Bearer secret"]
            let made = try await call(
                "POST /runs", on: server, body: #"{"scenario": "plain/turns"}"#, fields: token)
            let run = try made.text("run")
            let page = try await get("/__proctor/ui/runs/\(run)", on: server)
            #expect(page.status == 200 && !page.body.contains("plain/turns"))
            #expect(try await get("/__proctor/ui/runs/r999", on: server).status == 200, "nor whether there is one")
            for path in ["POST /ui/runs/\(run)/delete", "POST /ui/start?scenario=other"] {
                #expect(try await call(path, on: server, body: "").status == 401)
            }
            #expect(try await call("GET /runs/\(run)/events", on: server).status == 401)
            #expect(try await call("GET /overview", on: server).status == 401)
        }
    }

    @Test func `the overview counts what clients did in each run`() async throws {
        try await withControl { server in
            let (run, base) = try await makeRun("plain/turns", on: server)
            _ = try await exchange(.request("GET /", "User-Agent: mine/1"), with: base)
            _ = try await exchange(.request("GET /nothing"), with: base)
            let list = try await call("GET /overview", on: server).list("runs")
            let item = try #require(list.first { $0["run"] as? String == run })
            #expect(item["requests"] as? Int == 2 && item["missed"] as? Int == 1)
            #expect(item["connections"] as? Int == 2 && item["userAgent"] as? String == "mine/1")
            let verdicts = try #require(item["verdicts"] as? [[String: Any]])
            #expect(verdicts.first?["case"] as? String == "both" && verdicts.first?["verdict"] as? String == "fail")
        }
    }
}
