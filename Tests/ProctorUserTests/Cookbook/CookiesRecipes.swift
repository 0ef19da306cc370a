import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/cookies.md.

@Test func `the cookie of the login is sent`() async throws {
    try await withScenario("login-cookie") { exam in
        let client = Client(exam)
        _ = try await client.load(
            exam.url("/login"), method: "POST", fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "user=ann&password=secret")
        let body = try await client.load(exam.url("/account")).body
        #expect(body == "Ann")
    }
}

@Test(.failsOnLinux("URLSession there misses it"))
func `the cookie of a redirect is sent`() async throws {
    try await withScenario("redirect-cookie") { exam in
        let (_, body) = try await Client(exam).load(exam.url("/login"), method: "POST", body: "user=ann")
        #expect(body == "Ann")
    }
}

@Test(.failsOnLinux("URLSession there keeps the cookie, without a value"))
func `a logout removes the cookie`() async throws {
    try await withScenario("expired-cookie") { exam in
        let client = Client(exam)
        _ = try await client.load(exam.url("/login"), method: "POST")
        _ = try await client.load(exam.url("/logout"), method: "POST")
        let body = try await client.load(exam.url("/")).body
        #expect(body == "welcome")
    }
}

@Test(.failsOnLinux("URLSession there trusts the system's authorities alone"))
func `a Secure cookie is not sent over http`() async throws {
    try await withScenario("secure-cookie") { exam in
        let client = Client(exam, delegate: Trust(exam))
        _ = try await client.load(exam.url("/login"))
        let body = try await client.load(exam.url("/", origin: "plain")).body
        #expect(body == "welcome")
    }
}

@Test func `a cookie stays with its host`() async throws {
    try await withScenario("cookie-host") { exam in
        let client = Client(exam)
        _ = try await client.load(exam.url("/"))
        let body = try await client.load(exam.url("/", origin: "other")).body
        #expect(body == "other")
    }
}
