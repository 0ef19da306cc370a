import Foundation
import ProctorDocument
import Testing

@testable import ProctorTLS

/// Docs/tls.md holds the tables that the profiles give, and they speak of every host of badssl.com.
struct BadSSLTests {
    /// The certificate, cipher, key-exchange, protocol and client groups of badssl.com, as its repository has them.
    private static let hosts = """
        expired wrong.host self-signed untrusted-root revoked pinning-test no-common-name no-subject incomplete-chain
        sha1-intermediate sha256 sha384 sha512 1000-sans 10000-sans ecc256 ecc384 rsa2048 rsa4096 rsa8192 rsa512 rsa1024
        extended-validation reversed-chain no-sct invalid-expected-sct sha1-2016 sha1-2017 captive-portal mitm-software
        blocked-interception known-interception preloaded-expect-ct superfish edellroot dsdtestprovider preact-cli
        webpack-dev-server
        cbc rc4-md5 rc4 3des null mozilla-old mozilla-intermediate mozilla-modern
        dh480 dh512 dh1024 dh2048 dh-small-subgroup dh-composite static-rsa
        ssl-v2 ssl-v3 tls-v1-0 tls-v1-1 tls-v1-2 tls-v1-3
        client client-cert-missing
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    private func map() throws -> BadSSLMap {
        let path = "\(Ours.project)/certs/badssl.yaml"
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let (map, diagnostics) = BadSSLMap.parse(bytes, file: path)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        return map
    }

    @Test func `the tables of the document are those of the profiles`() throws {
        let text = try String(contentsOfFile: "\(Ours.project)/Docs/tls.md", encoding: .utf8)
        let tables = ProfileTables(book: Ours.book, map: try map()).markdown
        let wanted = "<!-- profiles: begin -->\n\(tables)<!-- profiles: end -->"
        #expect(text.contains(wanted), "put the output of 'proctor ca profiles --markdown' between the two marks")
    }

    @Test func `every host of badssl.com has its like, or a reason why not`() throws {
        let tables = ProfileTables(book: Ours.book, map: try map()).markdown
        for host in Self.hosts { #expect(tables.contains("\n| \(host) | "), "\(host) is missing") }
        for name in Ours.book.names {
            for host in Ours.book.profiles[name]?.badssl ?? [] where host != "badssl.com" {
                #expect(Self.hosts.contains(host), "badssl.com has no '\(host)'")
            }
        }
    }

    @Test func `every scenario that the tables name is there`() throws {
        let tables = ProfileTables(book: Ours.book, map: try map()).markdown
        let ids = Set(tables.matches(of: /`(tls\/[a-z0-9.\/-]+)`/).map { String($0.1) })
        #expect(ids.count > 30)
        for id in ids {
            #expect(FileManager.default.fileExists(atPath: "\(Ours.project)/fixtures/\(id).yaml"), "\(id) is missing")
        }
    }

    @Test(arguments: [
        ("ciper: {}\n", "f:1:1: error: unknown key \"ciper\""), ("cipher: x\n", "f:1:9: error: expected hosts"),
        ("cipher: { a: { wy: b } }\n", "f:1:16: error: unknown key \"wy\""),
        ("- a\n", "f:1:1: error: expected the hosts"),
        ("cipher: { a: [] }\n", "f:1:14: error: expected a host"),
    ])
    func `a wrong map is told with its place`(text: String, message: String) {
        let diagnostics = BadSSLMap.parse(Array(text.utf8), file: "f").diagnostics.map(\.description)
        #expect(diagnostics.contains { $0.hasPrefix(message) }, "\(diagnostics)")
    }
}
