import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/auth.md.

@Test(.failsOnLinux("URLSession there never ends the load"))
func `a wrong password is sent once`() async throws {
    try await withScenario("wrong-password", within: .seconds(2)) { exam in
        let password = Data("ann:wrong".utf8).base64EncodedString()
        let (reply, _) = try await Client(exam).load(
            exam.url("/secret"), fields: ["Authorization": "Basic \(password)"])
        #expect(reply.statusCode == 401)
    }
}

@Test func `a password is sent as UTF-8`() async throws {
    try await withScenario("password-utf8") { exam in
        let password = Data("Jörg:schön".utf8).base64EncodedString()
        let (_, body) = try await Client(exam).load(
            exam.url("/secret"), fields: ["Authorization": "Basic \(password)"])
        #expect(body == "welcome")
    }
}

private final class PasswordHolder: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        completionHandler(.useCredential, URLCredential(user: "ann", password: "secret", persistence: .none))
    }
}

@Test(.failsOnLinux("URLSession there knows no Digest"))
func `Digest is computed`() async throws {
    try await withScenario("digest") { exam in
        let client = Client(exam, delegate: PasswordHolder())
        let body = try await client.load(exam.url("/secret")).body
        #expect(body == "welcome")
    }
}

@Test func `an expired token is refreshed`() async throws {
    struct Token: Decodable { let access_token: String }
    try await withScenario("expired-token") { exam in
        let client = Client(exam)
        func me(_ token: String) async throws -> (reply: HTTPURLResponse, body: String) {
            try await client.load(exam.url("/me"), fields: ["Authorization": "Bearer \(token)"])
        }
        var (reply, body) = try await me("old")
        if reply.statusCode == 401 {
            let json = try await client.load(
                exam.url("/token"), method: "POST", fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "grant_type=refresh_token&refresh_token=R"
            ).body
            (reply, body) = try await me(JSONDecoder().decode(Token.self, from: Data(json.utf8)).access_token)
        }
        #expect(body == "Ann")
    }
}

private actor Tokens {
    private var token = Task<String, any Error> { "old" }

    /// The token, or a new one where `refused` is the one that there is.
    func current(insteadOf refused: String? = nil, refresh: @escaping @Sendable () async throws -> String) async throws
        -> String
    {
        let token = token
        if try await token.value == refused, self.token == token { self.token = Task { try await refresh() } }
        return try await self.token.value
    }
}

@Test func `two loads refresh the token once`() async throws {
    try await withScenario("refresh-once") { exam in
        let client = Client(exam)
        let tokens = Tokens()
        @Sendable func refresh() async throws -> String {
            _ = try await client.load(
                exam.url("/token"), method: "POST", fields: ["Content-Type": "application/x-www-form-urlencoded"],
                body: "grant_type=refresh_token&refresh_token=R")
            return "new"  // of the reply's access_token
        }
        @Sendable func load(_ path: String) async throws -> String {
            var token = try await tokens.current(refresh: refresh)
            while true {
                let (reply, body) = try await client.load(
                    exam.url(path), fields: ["Authorization": "Bearer \(token)"])
                if reply.statusCode != 401 { return body }
                token = try await tokens.current(insteadOf: token, refresh: refresh)
            }
        }
        async let first = load("/photos/1")
        async let second = load("/photos/2")
        let photos = try await [first, second]
        #expect(photos == ["photo 1", "photo 2"])
    }
}

@Test func `an expired refresh token logs the user out`() async throws {
    try await withScenario("logged-out") { exam in
        let client = Client(exam)
        let (reply, _) = try await client.load(exam.url("/me"), fields: ["Authorization": "Bearer old"])
        #expect(reply.statusCode == 401)
        let (_, body) = try await client.load(exam.url("/token"), method: "POST", body: "refresh_token=R")
        #expect(body.contains("invalid_grant"))
    }
}
