import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/proxies.md.

@Test(.failsOnLinux("URLSession there asks no proxy"))
func `the proxy gets its password`() async throws {
    try await withScenario("proxy-password") { exam in
        let proxy = exam.url("/", origin: "proxy")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [
            "HTTPEnable": 1, "HTTPProxy": proxy.host ?? "", "HTTPPort": proxy.port ?? 0,
        ]
        let password = Data("ann:secret".utf8).base64EncodedString()
        let client = Client(exam, configuration: configuration)
        let (_, body) = try await client.load(
            exam.url("/"), fields: ["Proxy-Authorization": "Basic \(password)"])
        #expect(body == "outside")
    }
}

@Test(.failsOnLinux("URLSession there asks no proxy"))
func `a refused tunnel is an error`() async throws {
    try await withScenario("no-tunnel") { exam in
        let proxy = exam.url("/", origin: "proxy")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [
            "HTTPSEnable": 1, "HTTPSProxy": proxy.host ?? "", "HTTPSPort": proxy.port ?? 0,
        ]
        let client = Client(exam, configuration: configuration)
        await #expect(throws: URLError.self) { try await client.load(exam.url("/")) }
    }
}
