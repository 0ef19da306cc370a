import Foundation
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Reading profiles, and what is said of wrong ones.
struct ProfileReadingTests {
    private func parse(
        _ text: String, name: String = "it", role: CertificateProfile.Role = .server
    ) -> (profile: CertificateProfile?, diagnostics: [String]) {
        let (profile, diagnostics) = CertificateProfile.parse(Array(text.utf8), name: name, role: role, file: "f.yaml")
        return (profile, diagnostics.map(\.description))
    }

    @Test func `two keys are enough`() throws {
        let profile = try #require(parse("summary: Fine\nverdict: accept\n").profile)
        #expect(profile.key == .ecc256 && profile.digest == .sha256 && profile.validity == .ordinary)
        #expect(profile.extendedUsage == [.serverAuth] && profile.usage == [.digitalSignature])
        let client = try #require(parse("summary: Fine\nverdict: accept\n", role: .client).profile)
        #expect(client.extendedUsage == [.clientAuth])
    }

    @Test func `every key is read`() throws {
        let text = """
            summary: All of it
            wrong: much
            badssl: [a, b]
            key: rsa1024
            digest: sha1
            subject: { common-name: none, organization: Somebody }
            names: { hosts: [a.test], addresses: none, filler: 3 }
            validity: { from: -2d, until: +3d }
            usage: [key-cert-sign, crl-sign]
            extended-usage: none
            issuers: [one, { name: two, authority: false, path-length: 0, key: ecc384, digest: md5 }]
            anchor: stranger
            sends: reversed
            must-staple: true
            serial: 17
            extensions: [{ oid: 1.2.3, critical: true, hex: "05 00" }, { oid: 1.2.4, bytes: 2 }]
            verdict: refuse
            openssl: words
            exceptions: { curl: { verdict: accept, why: because } }
            """
        let (found, diagnostics) = parse(text)
        let profile = try #require(found, "\(diagnostics)")
        #expect(profile.badssl == ["a", "b"] && profile.key == .rsa1024 && profile.digest == .sha1)
        #expect(profile.subject.commonName == nil && profile.subject.organization == "Somebody")
        #expect(profile.names.hosts == .list(["a.test"]) && profile.names.addresses == .list([]))
        #expect(profile.names.fillerCount == 3 && profile.validity == .init(from: -2, until: 3))
        #expect(profile.usage == [.keyCertSign, .crlSign] && profile.extendedUsage == nil)
        #expect(profile.issuers.map(\.name) == ["one", "two"] && profile.issuers[1].pathLength == 0)
        #expect(
            !profile.issuers[1].isAuthority && profile.issuers[1].key == .ecc384 && profile.issuers[1].digest == .md5)
        #expect(profile.anchor == .untrusted && profile.sends == .reversed)
        #expect(profile.mustStaple && profile.serial == 17)
        #expect(profile.extensions.map(\.value) == [[5, 0], [4, 2, 0, 0]] && profile.extensions[0].isCritical)
        #expect(profile.verdict(of: .curl) == .accept && profile.verdict(of: .python) == .refuse)
        #expect(profile.neededSecurityLevel == 0)
    }

    @Test(arguments: [
        ("summary: a\nverdict: maybe\n", "f.yaml:2:10: error: unknown verdict \"maybe\"; permitted: accept, refuse"),
        ("summary: a\nverdict: acept\n", "f.yaml:2:10: error: unknown verdict \"acept\"; did you mean \"accept\"?"),
        ("summary: a\nverdict: refuse\n", "f.yaml:1:1: error: a certificate to be refused needs the key \"wrong\""),
        ("summary: a\nverdict: accept\nkeyy: x\n", "f.yaml:3:1: error: unknown key \"keyy\" in a certificate profile"),
        ("verdict: accept\n", "f.yaml:1:1: error: a certificate profile needs the key \"summary\""),
        ("summary: a\nverdict: accept\nkey: rsa2049\n", "f.yaml:3:6: error: unknown key \"rsa2049\"; did you mean"),
        (
            "summary: a\nverdict: accept\nvalidity: { from: 1d, until: 0d }\n",
            "f.yaml:3:11: error: the certificate would end"
        ),
        (
            "summary: a\nverdict: accept\nvalidity: { from: 1h, until: 2d }\n",
            "f.yaml:3:19: error: expected days from today"
        ),
        (
            "summary: a\nverdict: accept\nvalidity: { from: 1d, until: 99999999999999999999d }\n",
            "f.yaml:3:30: error: expected days"
        ),
        ("summary: a\nverdict: accept\nnames: { hosts: onw }\n", "f.yaml:3:17: error: expected hosts as a list"),
        ("summary: a\nverdict: accept\nnames: { addresses: [a.test] }\n", "f.yaml:3:21: error: expected IP addresses"),
        (
            "summary: a\nverdict: accept\nextensions: [{ oid: 1.x, hex: \"00\" }]\n",
            "f.yaml:3:21: error: expected an object identifier"
        ),
        (
            "summary: a\nverdict: accept\nextensions: [{ oid: 1.2, hex: \"0g\" }]\n",
            "f.yaml:3:33: error: expected pairs"
        ),
        (
            "summary: a\nverdict: accept\nextensions: [{ oid: 9.2, hex: \"00\" }]\n",
            "f.yaml:3:21: error: expected an object identifier"
        ),
        ("summary: a\nverdict: accept\nissuers: [one, one]\n", "f.yaml:3:16: error: there are two issuers \"one\""),
        ("summary: a\nverdict: accept\nissuers: [A/B]\n", "f.yaml:3:11: error: expected an issuer's name"),
        (
            "summary: a\nverdict: accept\nanchor: self\nissuers: [one]\n",
            "f.yaml:4:10: error: a certificate that signs itself"
        ),
        (
            "summary: a\nverdict: accept\nstaple: good\nanchor: stranger\n",
            "f.yaml:3:9: error: only what the authority signs"
        ),
        (
            "summary: a\nverdict: accept\nexceptions: { crul: x }\n",
            "f.yaml:3:15: error: unknown key \"crul\" in exceptions; did you mean"
        ),
        ("summary: a\nverdict: accept\nserial: -1\n", "f.yaml:3:9: error: serial number is -1"),
        ("- a\n", "f.yaml:1:1: error: expected a certificate profile as a mapping, found a list"),
    ])
    func `what is wrong is told with its place`(text: String, message: String) throws {
        let (profile, diagnostics) = parse(text)
        #expect(profile == nil)
        #expect(diagnostics.contains { $0.hasPrefix(message) }, "\(diagnostics)")
    }

    @Test func `a client identity has no staple, and a name that SNI can't hold is none`() {
        let client = parse("summary: a\nverdict: accept\nstaple: good\n", role: .client).diagnostics
        #expect(client.first?.contains("it is for certificates of servers") == true)
        for name in ["", "A", "a--b", "-a", "a.b", String(repeating: "a", count: 41)] {
            #expect(parse("summary: a\nverdict: accept\n", name: name).profile == nil)
        }
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
