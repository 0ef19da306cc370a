import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/tls.md.

@Test func `an expired certificate is refused`() async throws {
    try await withScenario("expired-certificate") { exam in
        await #expect(throws: URLError.self) { try await Client(exam).load(exam.url("/")) }
    }
}

@Test func `a self-signed certificate is refused`() async throws {
    try await withScenario("self-signed") { exam in
        await #expect(throws: URLError.self) { try await Client(exam).load(exam.url("/")) }
    }
}

@Test func `a certificate of another host is refused`() async throws {
    try await withScenario("wrong-host") { exam in
        await #expect(throws: URLError.self) { try await Client(exam).load(exam.url("/")) }
    }
}

@Test(.failsOnLinux("URLSession there trusts the system's authorities alone"))
func `a private authority is trusted`() async throws {
    try await withScenario("private-authority") { exam in
        let client = Client(exam, delegate: Trust(exam))
        let body = try await client.load(exam.url("/")).body
        #expect(body == "inside")
    }
}

@Test func `the client shows its certificate`() async throws {
    try await withScenario("client-certificate") { exam in
        // For a client of your own: exam.assignment() has the PKCS #12 file in session.identity.
        try await exam.performProgram()
    }
}

@Test func `old TLS is refused`() async throws {
    try await withScenario("old-tls") { exam in
        await #expect(throws: URLError.self) { try await Client(exam).load(exam.url("/")) }
    }
}
