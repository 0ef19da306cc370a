import ProctorScenario
import Testing

/// URLs of clients that are put together of a host and a port.
struct HostURLTests {
    private func yaml(_ url: String) -> String {
        """
        summary: s
        origins: { other: {} }
        exchanges: [{ request: GET /a, reply: { status: 200 } }, { request: GET /a, origin: other, reply: { status: 200 } }]
        cases:
          get: { client: { url: "\(url)" }, wire: request(GET /a) }
        """
    }

    @Test(arguments: [
        "http://{{host}}:{{port}}/a", "http://{{host.other}}:{{port.other}}", "http://{{host}}:80/a",
        "http://{{host}}/a",
        "http://user@{{host.other}}:{{port.other}}/a",
    ])
    func `one that leads to this machine is taken`(_ url: String) {
        #expect(messages(yaml(url)) == [])
    }

    @Test(arguments: [
        "http://{{host}}.example.com/a", "http://{{host}}:{{port}}@example.com/a", "http://{{host}}:80@example.com/a",
        "http://{{host}}:{{port}}.example.com/", "http://{{host}}:{{host}}/a", "http://{{port}}/a",
    ])
    func `one that may lead elsewhere is not`(_ url: String) {
        #expect(messages(yaml(url)).count == 1)
    }
}
