import ProctorHTTP
import Testing

struct RedirectDecisionTests {
    private static let secrets = [
        HTTPField("Authorization", "Bearer secret"), HTTPField("Cookie", "session=secret"), HTTPField("X-Api-Key", "k"),
        HTTPField("Content-Type", "text/plain"), HTTPField("Accept", "*/*"),
    ]

    private func decide(
        _ status: Int, _ locations: [String], method: String = "POST", from url: String = "http://h/a/start#part"
    ) throws -> RedirectDecision {
        RedirectDecision(
            status: status, replyFields: locations.map { HTTPField(name: "location", bytes: bytes($0)) },
            method: method, url: try ClientURL(url), fields: Self.secrets)
    }

    private func expectFollowed(_ decision: RedirectDecision) throws -> RedirectedRequest {
        guard case .follow(let request) = decision else {
            Issue.record("expected a request, got \(decision)")
            throw CancellationError()
        }
        return request
    }

    @Test(arguments: [200, 201, 204, 300, 304, 305, 306, 399, 401, 500])
    func `another status is no redirect, whatever its Location`(_ status: Int) throws {
        #expect(try decide(status, ["/done"]) == .none)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect without a Location is an ordinary reply`(_ status: Int) throws {
        #expect(try decide(status, []) == .none)
    }

    @Test func `a 303 asks with GET, without content and its fields`() throws {
        let next = try expectFollowed(decide(303, ["done"]))
        #expect(next.method == "GET")
        #expect(!next.keepsContent)
        #expect(next.url.text == "http://h/a/done#part")
        #expect(next.fields == [Self.secrets[0], Self.secrets[1], Self.secrets[2], Self.secrets[4]])
    }

    @Test func `a 307 to another origin keeps the content and drops the secrets`() throws {
        for location in ["http://g/done", "https://h/done", "http://h:81/done", "//g"] {
            let next = try expectFollowed(decide(307, [location]))
            #expect(next.method == "POST")
            #expect(next.keepsContent)
            #expect(next.fields == [Self.secrets[3], Self.secrets[4]])
        }
    }

    @Test func `the default port and capitals make no other origin`() throws {
        #expect(try expectFollowed(decide(308, ["HTTP://H:80/done"])).fields == Self.secrets)
    }

    @Test func `an empty Location is the same address once more`() throws {
        #expect(try expectFollowed(decide(302, [""], method: "GET")).url.text == "http://h/a/start#part")
    }

    @Test func `lines that agree are one, others are none`() throws {
        #expect(try expectFollowed(decide(302, ["/done", "/done"])).url.text == "http://h/done#part")
        #expect(try decide(302, ["/first", "/second"]) == .unusable(.severalLocations))
    }

    @Test(arguments: [
        ("data:text/plain,hello", ClientURLError.unsupportedScheme("data")),
        ("file:///etc/hostname", .unsupportedScheme("file")), ("ftp://h/file", .unsupportedScheme("ftp")),
        ("http://user:secret@h/done", .userinfoFromServer), ("http:///", .noHost),
    ])
    func `where a client can't go it does not`(_ location: String, _ error: ClientURLError) throws {
        #expect(try decide(302, [location]) == .unusable(.location(error)))
        #expect(RedirectRefusal.location(error).description.contains(error.description))
    }

    @Test func `what was lost on the way out does not come home`() throws {
        let away = try expectFollowed(decide(302, ["http://other/away"], method: "GET"))
        let home = try expectFollowed(
            RedirectDecision(
                status: 302, replyFields: [HTTPField("Location", "http://h/home")], method: away.method, url: away.url,
                fields: away.fields))
        #expect(!home.fields.contains(named: "Authorization"))
        #expect(home.url.text == "http://h/home#part")
    }
}

struct RedirectRulesTests {
    @Test func `five statuses are redirects`() {
        #expect((0...999).filter { RedirectRules.isRedirect(status: $0) } == [301, 302, 303, 307, 308])
        #expect(RedirectRules.limit == 20)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let method: String
        let next: String
        let keepsContent: Bool

        init(_ status: Int, _ method: String, next: String, keepsContent: Bool) {
            self.status = status
            self.method = method
            self.next = next
            self.keepsContent = keepsContent
        }

        var testDescription: String { "\(status) makes \(next) of \(method)" }
    }

    /// One for each case of fixtures/redirect that is about the method.
    static let rows: [Row] = [
        Row(301, "GET", next: "GET", keepsContent: true), Row(301, "HEAD", next: "HEAD", keepsContent: true),
        Row(301, "POST", next: "GET", keepsContent: false), Row(301, "PUT", next: "PUT", keepsContent: true),
        Row(302, "DELETE", next: "DELETE", keepsContent: true), Row(302, "GET", next: "GET", keepsContent: true),
        Row(302, "HEAD", next: "HEAD", keepsContent: true), Row(302, "POST", next: "GET", keepsContent: false),
        Row(302, "PUT", next: "PUT", keepsContent: true), Row(302, "post", next: "post", keepsContent: true),
        Row(303, "DELETE", next: "GET", keepsContent: false), Row(303, "GET", next: "GET", keepsContent: false),
        Row(303, "HEAD", next: "HEAD", keepsContent: false), Row(303, "POST", next: "GET", keepsContent: false),
        Row(303, "PUT", next: "GET", keepsContent: false), Row(303, "head", next: "GET", keepsContent: false),
        Row(307, "GET", next: "GET", keepsContent: true), Row(307, "HEAD", next: "HEAD", keepsContent: true),
        Row(307, "POST", next: "POST", keepsContent: true), Row(307, "PUT", next: "PUT", keepsContent: true),
        Row(308, "GET", next: "GET", keepsContent: true), Row(308, "HEAD", next: "HEAD", keepsContent: true),
        Row(308, "POST", next: "POST", keepsContent: true), Row(308, "PUT", next: "PUT", keepsContent: true),
    ]

    @Test(arguments: rows)
    func `a status decides on method and content`(_ row: Row) {
        let next = RedirectRules.next(method: row.method, status: row.status)
        #expect(next.method == row.next)
        #expect(next.keepsContent == row.keepsContent)
    }
}

struct RedirectFieldsTests {
    private func next(_ names: [String], keepsContent: Bool = true, isSameOrigin: Bool = true) -> [String] {
        RedirectFields.next(
            names.map { HTTPField($0, "x") }, keepsContent: keepsContent, isSameOrigin: isSameOrigin
        ).map(\.name)
    }

    @Test func `inside one origin the caller's fields go along`() {
        let names = ["Authorization", "Cookie", "Accept", "X-Trace", "Content-Type", "Content-Length", "Referer"]
        #expect(next(names) == names)
    }

    @Test func `fields of the connection and the proxy are made anew`() {
        #expect(
            next([
                "HOST", "connection", "Keep-Alive", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Authorization",
                "Proxy-Connection", "X-End",
            ]) == ["X-End"])
    }

    @Test func `a field that Connection names is one of them`() {
        let fields = [HTTPField("Connection", "close, x-hop"), HTTPField("X-Hop", "1"), HTTPField("X-End", "2")]
        #expect(RedirectFields.next(fields, keepsContent: true, isSameOrigin: true) == [HTTPField("X-End", "2")])
    }

    @Test func `fields that speak of the content go with it`() {
        let names = [
            "Content-Type", "content-language", "Content-Length", "Content-Encoding", "Content-Location", "Digest",
            "Last-Modified", "Expect", "Trailer", "X-Trace",
        ]
        #expect(next(names, keepsContent: false) == ["X-Trace"])
        #expect(next(names, keepsContent: true) == names)
    }

    @Test func `to another origin goes only what can be no secret`() {
        #expect(
            next(
                [
                    "Authorization", "Cookie", "X-Api-Key", "Accept", "ACCEPT-language", "Content-Type", "Range",
                    "Referer",
                ],
                isSameOrigin: false) == ["Accept", "ACCEPT-language", "Content-Type", "Range"])
        #expect(next(["Content-Type", "Accept"], keepsContent: false, isSameOrigin: false) == ["Accept"])
    }

    @Test func `values and order stay`() {
        let fields = [HTTPField(name: "X-B", bytes: [0xFF]), HTTPField("X-A", "1"), HTTPField("x-b", "2")]
        #expect(RedirectFields.next(fields, keepsContent: true, isSameOrigin: true) == fields)
    }
}
