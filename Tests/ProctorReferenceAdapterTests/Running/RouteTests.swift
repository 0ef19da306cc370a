import ProctorHTTP
import ProctorTrace
import Testing

@testable import ProctorReference
@testable import ProctorReferenceAdapter

/// By which way an assignment has a session come to its servers.
struct RouteTests {
    private static func setup(
        proxy: String? = nil, names: [Assignment.NamedHost]? = nil, namesProxy: String? = nil
    ) -> SessionSetup {
        var setup = SessionSetup()
        setup.proxy = proxy
        setup.names = names
        setup.namesProxy = namesProxy
        return setup
    }

    private static let home = [Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:4711")]
    private static let origin = Origin(scheme: .http, host: "home.example.org", port: 80)

    @Test func `names have addresses, and then their proxy is left alone`() throws {
        let setup = Self.setup(names: Self.home, namesProxy: "127.0.0.1:8080")
        #expect(setup.missingRoute == nil)
        #expect(setup.proxyOrigin == nil && !setup.sparesLoopback)
        #expect("\(try #require(try setup.hostTable().address(of: Self.origin)))" == "127.0.0.1:4711")
    }

    @Test func `who prefers the proxy of names comes by it alone, but for what has an address`() throws {
        var setup = Self.setup(names: Self.home, namesProxy: "127.0.0.1:8080")
        setup.preferNamesProxy()
        #expect(setup.missingRoute == nil)
        #expect(setup.proxyOrigin?.description == "http://127.0.0.1:8080" && setup.sparesLoopback)
        #expect(try setup.hostTable().isEmpty)
        var configuration = ReferenceConfiguration()
        configuration.takeRoute(of: setup, breaking: nil)
        #expect(configuration.proxy == setup.proxyOrigin && configuration.sparesLoopback && configuration.names.isEmpty)
    }

    @Test func `where nothing has a name, to prefer the proxy changes nothing`() {
        for names in [nil, Self.home] {
            var setup = Self.setup(names: names)
            setup.preferNamesProxy()
            #expect(setup == Self.setup(names: names))
        }
    }

    @Test func `the proxy of the assignment goes before both, and spares nobody`() throws {
        var setup = Self.setup(proxy: "127.0.0.1:3128", names: Self.home, namesProxy: "127.0.0.1:8080")
        for _ in 0..<2 {
            #expect(setup.missingRoute == nil)
            #expect(setup.proxyOrigin?.description == "http://127.0.0.1:3128" && !setup.sparesLoopback)
            #expect(try setup.hostTable().isEmpty)
            setup.preferNamesProxy()
        }
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let setup: SessionSetup
        let complaint: String
        var testDescription: String { complaint }
    }

    @Test(arguments: [
        Bad(setup: setup(proxy: "a b"), complaint: "proxy: 'a b' is no address of a proxy; expected a host and a port"),
        Bad(setup: setup(proxy: "127.0.0.1:65536"), complaint: "proxy: '127.0.0.1:65536' is no address of a proxy"),
        Bad(setup: setup(namesProxy: ""), complaint: "namesProxy: '' is no address of a proxy"),
        Bad(setup: setup(proxy: "127.0.0.1:1/a"), complaint: "proxy: '127.0.0.1:1/a' is no address of a proxy"),
        Bad(setup: setup(proxy: "u:p@127.0.0.1:1"), complaint: "proxy: 'u:p@127.0.0.1:1' is no address of a proxy"),
        Bad(
            setup: setup(names: [Assignment.NamedHost(name: "a.test", port: 0, address: "127.0.0.1:1")]),
            complaint: "names: the port 0 of a.test is none"),
        Bad(
            setup: setup(names: [Assignment.NamedHost(name: "a.test", port: 80, address: "127.0.0.1")]),
            complaint: "is no address for a.test"),
    ])
    func `a way that can't be read is refused in a sentence`(bad: Bad) throws {
        let sentence = try #require(bad.setup.missingRoute)
        #expect(sentence.contains(bad.complaint), "\(sentence)")
    }
}
