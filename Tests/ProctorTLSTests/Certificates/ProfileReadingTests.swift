import Foundation
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Reading profiles; Tests/Data/diagnostics has what is said of wrong ones.
struct ProfileReadingTests {
    private func parse(
        _ text: String, name: String = "it"
    ) -> (profile: CertificateProfile?, diagnostics: [String]) {
        let (profile, diagnostics) = CertificateProfile.parse(
            Array(text.utf8), name: name, role: .server, file: "f.yaml")
        return (profile, diagnostics.map(\.description))
    }

    @Test func `no profile is called by an empty name`() {
        #expect(parse("summary: a\nverdict: accept\n", name: "").profile == nil)
    }

    @Test func `any prefix of a profile is read or refused, never worse`() throws {
        let text =
            "summary: a\nissuers: [{ name: one }]\nextensions: [{ oid: 1.2.3, hex: \"0500\" }]\nverdict: accept\n"
        for end in 0...text.utf8.count {
            let (profile, diagnostics) = parse(String(decoding: Array(text.utf8.prefix(end)), as: UTF8.self))
            #expect((profile == nil) != diagnostics.isEmpty)
        }
    }

    @Test func `later folders have the last word, and what can't be read is told`() throws {
        let (first, second) = (try TestFolder(), try TestFolder())
        _ = try first.write("summary: one\nverdict: accept\n", to: "same.yaml")
        _ = try first.write("summary: one\nverdict: accept\n", to: "mine.yaml")
        _ = try second.write("summary: two\nverdict: accept\n", to: "same.yaml")
        let (catalog, diagnostics) = CertificateCatalog.load(folders: [first.path, second.path])
        #expect(diagnostics.isEmpty && catalog.names == ["mine", "same"] && catalog.profiles["same"]?.summary == "two")
        #expect(catalog.nearest(to: "smae") == "same")
        let missing = CertificateCatalog.load(folders: ["\(first.path)/nothing"]).diagnostics
        #expect(missing.map(\.description).first?.contains("can't be read: No such file") == true)
    }
}

/// Docs/format/certificates.md holds the tables that the profiles give, and they speak of every host of badssl.com.
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
        let text = try String(contentsOfFile: "\(Ours.project)/Docs/format/certificates.md", encoding: .utf8)
        let tables = ProfileTables(catalog: Ours.catalog, map: try map()).markdown
        let wanted = "<!-- profiles: begin -->\n\(tables)<!-- profiles: end -->"
        #expect(text.contains(wanted), "put the output of 'proctor ca profiles --markdown' between the two marks")
    }

    @Test func `the profiles that the page shows can be read`() throws {
        let text = try String(contentsOfFile: "\(Ours.project)/Docs/format/certificates.md", encoding: .utf8)
        let blocks = text.components(separatedBy: "```yaml,profile\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(blocks.count == 2)
        for block in blocks {
            let folder = try TestFolder()
            defer { folder.remove() }
            _ = try folder.write(block, to: "shown.yaml")
            let (catalog, diagnostics) = CertificateCatalog.load(folders: [folder.path])
            #expect(diagnostics.isEmpty && catalog.names == ["shown"], "\(diagnostics)")
        }
    }

    @Test func `every host of badssl.com has its like, or a reason why not`() throws {
        let tables = ProfileTables(catalog: Ours.catalog, map: try map()).markdown
        for host in Self.hosts { #expect(tables.contains("\n| \(host) | "), "\(host) is missing") }
        for name in Ours.catalog.names {
            for host in Ours.catalog.profiles[name]?.badssl ?? [] where host != "badssl.com" {
                #expect(Self.hosts.contains(host), "badssl.com has no '\(host)'")
            }
        }
    }

    @Test func `every scenario that the tables name is there`() throws {
        let tables = ProfileTables(catalog: Ours.catalog, map: try map()).markdown
        let ids = Set(tables.matches(of: /`(tls\/[a-z0-9.\/-]+)`/).map { String($0.1) })
        #expect(ids.count > 30)
        for id in ids {
            #expect(FileManager.default.fileExists(atPath: "\(Ours.project)/fixtures/\(id).yaml"), "\(id) is missing")
        }
    }
}
