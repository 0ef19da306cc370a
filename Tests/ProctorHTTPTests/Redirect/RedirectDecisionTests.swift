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
