import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

/// The wire form of URLs; one row for each case of fixtures/canonical, and some more.
struct ClientURLTests {
    @Test(arguments: [
        ("http://a/%7e?b", "http://user@A:80/~?b#c", true), ("http://a/%2f", "http://a/%2F", true),
        ("http://a/%2f", "http://a//", false), ("http://a/?", "http://a/", false), ("http://a/", "https://a/", false),
    ])
    func `URLs are equivalent with their escapes in one spelling`(_ one: String, _ other: String, _ isSame: Bool) throws
    {
        #expect(try ClientURL(one).isEquivalent(to: ClientURL(other)) == isSame)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let target: String

        init(_ url: String, _ target: String) {
            self.url = url
            self.target = target
        }

        var testDescription: String { "\(url) is asked for as \(target)" }
    }

    /// Behind `http://h:8080`, in the order of the fixtures.
    static let fixtures: [Row] = [
        Row(#"/a\b"#, "/a/b"), Row("/Dir/File.TXT?Name=Value", "/Dir/File.TXT?Name=Value"), Row("/a:b/c", "/a:b/c"),
        Row("/dir/", "/dir/"), Row("/dir", "/dir"), Row("/a/b/..", "/a/"), Row("/../a", "/a"), Row("/a/b/../c", "/a/c"),
        Row("/a/./b", "/a/b"), Row("/a?file=../b/./c//d", "/a?file=../b/./c//d"), Row("/a/...", "/a/..."),
        Row("/a/..b/.c/d.", "/a/..b/.c/d."), Row("//a", "//a"), Row("/a//", "/a//"), Row("/a//b", "/a//b"),
        Row("?a=1", "/?a=1"), Row("", "/"), Row("/a?", "/a?"), Row("/a%2Fb", "/a%2Fb"), Row("/a%3Fb", "/a%3Fb"),
        Row("/a%23b", "/a%23b"), Row("/a/%2e%2e/b", "/b"), Row("/%7Euser/%41", "/%7Euser/%41"),
        Row("/100%25", "/100%25"), Row("/a#part", "/a"), Row("/a#part?b=1", "/a"), Row("/caf%c3%a9", "/caf%c3%a9"),
        Row("/a;v=1.1/b;x", "/a;v=1.1/b;x"), Row("/a!$&'+,;=:@b", "/a!$&'+,;=:@b"),
        Row("/search?q=a+b%20c%2Bd%26e%3Df", "/search?q=a+b%20c%2Bd%26e%3Df"),
        Row("/search?b=2&a=1&b=1&a=1", "/search?b=2&a=1&b=1&a=1"),
        Row("/go?to=http://example.com:80/a?b&x=$1,2;@!", "/go?to=http://example.com:80/a?b&x=$1,2;@!"),
        Row("/search?q=two words", "/search?q=two%20words"), Row("/search?&a=&&=b&c&", "/search?&a=&&=b&c&"),
        Row(#"/a"b<c>d"#, "/a%22b%3Cc%3Ed"), Row("/café", "/caf%C3%A9"), Row("/two words", "/two%20words"),
        Row("/Az09-._~", "/Az09-._~"), Row("/caf%C3%A9", "/caf%C3%A9"),
    ]

    /// Bytes that RFC 3986 forbids are escaped, though two fixtures that only observe name the URL Standard's choice.
    static let escaped: [Row] = [
        Row("/100%/x", "/100%25/x"), Row("/list?id[]=1|2", "/list?id%5B%5D=1%7C2"), Row("/%zz%4", "/%25zz%254"),
        Row("/a[b]{c}^`", "/a%5Bb%5D%7Bc%7D%5E%60"), Row("/a\r\nHost: b", "/a%0D%0AHost:%20b"),
        Row("/a\u{0}\t\u{7F}", "/a%00%09%7F"), Row("/%", "/%25"), Row("/?%", "/?%25"), Row(#"/a?b\c"#, #"/a?b%5Cc"#),
        Row("/%2E", "/"), Row("/a/.%2e/%2E/b/%2e", "/b/"), Row("/a%2e/..%2e", "/a%2e/..%2e"), Row("/a/b ", "/a/b"),
    ]

    @Test(arguments: fixtures + escaped)
    func `a URL becomes a request target`(_ row: Row) throws {
        let url = try ClientURL("http://h:8080\(row.url)")
        #expect(text(url.target) == row.target)
        #expect(text(url.absoluteTarget) == "http://h:8080\(row.target)")
        #expect(url.hostField == HTTPField("Host", "h:8080"))
        #expect(throws: Never.self) { try URIReference(parsing: url.reference.bytes) }
        #expect(try ClientURL(url.text) == url, "canonical is canonical")
    }

    @Test(arguments: [
        ("HTTP://h/a", "http://h/a", "h"), ("Https://EXAMPLE.Com/A", "https://example.com/A", "example.com"),
        ("http://user:secret@h/a", "http://user:secret@h/a", "h"), ("http://h:80", "http://h/", "h"),
        ("https://h:443/a", "https://h/a", "h"), ("https://h:80/a", "https://h:80/a", "h:80"),
        ("http://h:/a", "http://h/a", "h"), ("http://h:08080/", "http://h:8080/", "h:8080"),
        ("http://[FE80::1]:81/a", "http://[fe80::1]:81/a", "[fe80::1]:81"),
        ("http://U s@h/#a b", "http://U%20s@h/#a%20b", "h"), ("http://h#f", "http://h/#f", "h"),
        ("HTTP://EXAMPLE.COM?Q=A", "http://example.com/?Q=A", "example.com"), (" http://h/a\n", "http://h/a", "h"),
        (#"http:\\h\a"#, "http://h/a", "h"), (#"http://good\@bad/"#, "http://good/@bad/", "good"),
        ("http://a@b@h/", "http://a%40b@h/", "h"),
    ])
    func `a URL has one canonical spelling`(_ given: String, _ canonical: String, _ host: String) throws {
        let url = try ClientURL(given)
        #expect(url.text == canonical)
        #expect(url.hostField.value == host)
        #expect(try ClientURL(canonical) == url)
    }

    @Test func `userinfo and fragment stay with the client`() throws {
        let url = try ClientURL("http://u:p@h/a?b#c")
        #expect(url.userinfo == "u:p")
        #expect(url.fragment == "c")
        #expect(text(url.absoluteTarget) == "http://h/a?b")
        #expect(url.description == "http://h/a?b#c")
    }

    @Test(arguments: [
        ("", ClientURLError.noScheme([])), ("/a", .noScheme(bytes("/a"))), ("h:8080/a", .unsupportedScheme("h")),
        ("ftp://h/", .unsupportedScheme("ftp")), ("FILE:///etc/hosts", .unsupportedScheme("file")),
        ("http:///a", .noHost), ("http://", .noHost), ("http:a", .noHost), ("http://:80/", .noHost),
        ("http://u@/", .noHost), ("data:text/plain,x", .unsupportedScheme("data")),
    ])
    func `what is no http URL is refused`(_ given: String, _ error: ClientURLError) {
        #expect(throws: error) { try ClientURL(given) }
        #expect(!error.description.isEmpty)
    }

    @Test(arguments: [
        ("http://a b/", URIViolation.Kind.badHost), ("http://[broken/a", .badHost), ("http://h:99999/", .badPort),
        ("http://h:x/", .badPort), ("http://ex\u{E4}mple/", .badHost), ("http://::1/", .badHost),
    ])
    func `host and port are not mended`(_ given: String, _ kind: URIViolation.Kind) {
        let error = #expect(throws: ClientURLError.self) { try ClientURL(given) }
        guard case .syntax(let violation) = error else {
            Issue.record("expected a syntax error, got \(String(describing: error))")
            return
        }
        #expect(violation.kind == kind)
        #expect(error?.description == violation.description)
    }

    @Test(arguments: [
        ("http:example.com/a", "http://example.com/a"), ("http:/example.com/a", "http://example.com/a"),
        ("http:///a", "http://localhost/a"), ("https://:8443", "https://localhost:8443/"),
        ("http://u@:81/", "http://u@localhost:81/"), ("http://Example.com", "http://example.com/"),
    ])
    func `what people type is mended as Apple's loader does`(_ given: String, _ canonical: String) throws {
        #expect(try ClientURL(typed: given).text == canonical)
    }

    @Test func `a typed URL of another scheme is refused`() {
        #expect(throws: ClientURLError.unsupportedScheme("mailto")) { try ClientURL(typed: "mailto:a@b") }
        #expect(throws: ClientURLError.noScheme(bytes("example.com"))) { try ClientURL(typed: "example.com") }
    }
}

/// The target of a Location; one row for each such case of fixtures/redirect, and some more.
struct LocationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let location: String
        let base: String
        let target: String

        init(_ location: String, from base: String = "http://h:8080/start", _ target: String) {
            self.location = location
            self.base = base
            self.target = target
        }

        var testDescription: String { "\"\(location)\" from \(base) is \(target)" }
    }

    static let rows: [Row] = [
        Row("/done", from: "http://h/a/b/start", "http://h/done"), Row("http://h:8080/done", "http://h:8080/done"),
        Row("http://h:8080/a/./b/../done", "http://h:8080/a/done"),
        Row("../../../done", from: "http://h/a/start", "http://h/done"),
        Row("../done", from: "http://h/a/b/start", "http://h/a/done"),
        Row("./done", from: "http://h/a/b/start", "http://h/a/b/done"),
        Row("", "http://h:8080/start"), Row("#part", from: "http://h/start?x=1", "http://h/start?x=1#part"),
        Row("http://h/caf%c3%a9", "http://h/caf%c3%a9"), Row("//g:81/done", "http://g:81/done"),
        Row("//g/done", from: "https://h/", "https://g/done"), Row("   http://h/done  ", "http://h/done"),
        Row("/caf%C3%A9%2F100%25", from: "http://h/", "http://h/caf%C3%A9%2F100%25"),
        Row("http://h/done?b=2&a=%20+x&&a=", "http://h/done?b=2&a=%20+x&&a="),
        Row("?page=2", from: "http://h/list/all?page=1", "http://h/list/all?page=2"),
        Row("http://h/caf\u{C3}\u{A9}", "http://h/caf%C3%A9"), Row("caf\u{E9}", "http://h:8080/caf%E9"),
        Row("done", from: "http://h/a/b/start", "http://h/a/b/done"), Row("HTTP://H:8080/done", "http://h:8080/done"),
        Row(#"http://h\done"#, "http://h/done"), Row(#"\done"#, from: "http://h/a/b", "http://h/done"),
        Row("http://h/done#part", "http://h/done#part"), Row("http://h/two words", "http://h/two%20words"),
        Row("http://h?page=2", "http://h/?page=2"), Row("http://h", "http://h/"),
        Row("/done", from: "http://h/start#part", "http://h/done#part"),
        Row("/done#new", from: "http://h/start#old", "http://h/done#new"),
        Row("/done#", from: "http://h/start#old", "http://h/done#"),
        Row("done", from: "http://h/start?token=secret", "http://h/done"),
        Row("1a:b", from: "http://h/c", "http://h/1a:b"),
        Row("/a\u{0}b\tc", from: "http://h/", "http://h/a%00b%09c"), Row("https://h/", "https://h/"),
        Row("/", from: "http://u:p@h/a", "http://u:p@h/"),
    ]

    @Test(arguments: rows)
    func `a Location is mended and resolved`(_ row: Row) throws {
        let resolved = try ClientURL(row.base).resolving(location: bytes(row.location))
        #expect(resolved.text == row.target)
        #expect(try ClientURL(row.target) == resolved)
    }

    @Test(arguments: [
        ("data:text/plain,hello", ClientURLError.unsupportedScheme("data")),
        ("file:///etc/hostname", .unsupportedScheme("file")), ("ftp://h:21/file", .unsupportedScheme("ftp")),
        ("javascript:alert(1)", .unsupportedScheme("javascript")),
        ("JavaScript:alert(1)", .unsupportedScheme("javascript")),
        ("http://user:secret@h/done", .userinfoFromServer), ("//@h/", .userinfoFromServer), ("http:done", .noHost),
        ("http:///done", .noHost), ("//", .noHost),
    ])
    func `a Location that a client can't or should not go to is refused`(
        _ location: String, _ error: ClientURLError
    ) throws {
        let url = try ClientURL("http://h:8080/start")
        #expect(throws: error) { try url.resolving(location: bytes(location)) }
    }

    @Test(arguments: ["http://127.0.0.1:99999/done", "http://[broken/done", "http://a b/", "//h:-1/"])
    func `a Location without a host or port that can be is refused`(_ location: String) throws {
        let url = try ClientURL("http://h:8080/start")
        let error = #expect(throws: ClientURLError.self) { try url.resolving(location: bytes(location)) }
        guard case .syntax = error else {
            Issue.record("expected a syntax error, got \(String(describing: error))")
            return
        }
    }
}

struct OriginTests {
    @Test(arguments: [
        ("http://example.com", "http://EXAMPLE.com:80/a", true), ("http://h", "https://h", false),
        ("http://h:443", "https://h:443", false), ("http://h", "http://h:8080", false), ("http://h", "http://g", false),
        ("http://[::1]:80/", "http://[::1]", true), ("http://u:p@h", "http://h", true),
        ("https://h:0443/", "https://h", true),
    ])
    func `scheme, host and port make an origin`(_ left: String, _ right: String, _ isSame: Bool) throws {
        #expect(try (ClientURL(left).origin == ClientURL(right).origin) == isSame)
    }

    @Test func `brackets and capitals are no part of a host`() {
        let origin = Origin(scheme: .http, host: "[FE80::1]", port: 8080)
        #expect(origin.host == "fe80::1")
        #expect(origin.authority == "[fe80::1]:8080")
        #expect(origin.description == "http://[fe80::1]:8080")
        #expect(Origin(scheme: .https, host: "H", port: 443).description == "https://h")
        #expect(Origin(scheme: .https, host: "h", port: 80).authority == "h:80")
    }
}

struct ClientURLFuzzTests {
    @Test(arguments: 0..<8)
    func `whatever is typed or sent, a URL is legal and canonical or refused`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let specialBytes = bytes("http://u@h:8/.%2e\\?#[] \"\r\n\t\u{0}\u{FF}\u{C3}%zA")
        let base = try ClientURL("http://h/a/b?c#d")
        var taken = 0
        for _ in 0..<2000 {
            var input = random.next() % 2 == 0 ? bytes("http://h") : []
            for _ in 0...(random.next() % 12) {
                input.append(specialBytes[Int(random.next() % UInt64(specialBytes.count))])
            }
            for url in [try? ClientURL(input), try? base.resolving(location: input)].compactMap(\.self) {
                taken += 1
                let parsed = try URIReference(parsing: url.reference.bytes)
                #expect(parsed == url.reference)
                #expect(url.target.first == UInt8(ascii: "/"))
                #expect(url.target.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
                #expect(url.hostField.isSendable)
                #expect(try ClientURL(url.text) == url)
            }
        }
        #expect(taken > 500)
    }
}

/// Compares `ClientURL` with the fixtures themselves, so that a new one is checked too.
struct CanonicalFixtureTests {
    struct Expectation: Sendable, CustomTestStringConvertible {
        let fixture: String
        let url: String
        let target: String

        var testDescription: String { "\(fixture): \(url)" }
    }

    /// These two only observe, and name what the URL Standard sends; bytes that RFC 3986 forbids are escaped here.
    private static let watched = ["percent-that-escapes-nothing", "query-with-brackets-and-bars"]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "fixtures/canonical")

    /// The first target of every case, whose URL stands on the `client:` line before.
    static let expectations: [Expectation] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "yaml" }.flatMap { file -> [Expectation] in
            let name = file.deletingPathExtension().lastPathComponent
            var url: String?
            var found: [Expectation] = []
            for line in ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n") {
                if let range = line.range(of: "client: { url: "), line.hasSuffix(" }") {
                    url = unquoted(line[range.upperBound...].dropLast(2))
                } else if let range = line.range(of: "wire[0].target: "), let url, !watched.contains(name) {
                    let target = unquoted(line[range.upperBound...])
                    found.append(Expectation(fixture: name, url: absolute(url), target: target))
                }
            }
            return found
        }
    }()

    private static func unquoted(_ text: Substring) -> String {
        guard let quote = text.first, quote == "\"" || quote == "'", text.last == quote else { return String(text) }
        return String(text.dropFirst().dropLast())
    }

    private static func absolute(_ url: String) -> String {
        let filled = url.replacingOccurrences(of: "{{base}}", with: "http://h:1")
            .replacingOccurrences(of: "{{authority}}", with: "h:1")
        return filled.isEmpty || filled.hasPrefix("/") ? "http://h:1" + filled : filled
    }

    @Test func `the fixtures are found`() {
        #expect(Self.expectations.count >= 40)
        #expect(Self.watched.allSatisfy { FileManager.default.fileExists(atPath: Self.folder.path + "/\($0).yaml") })
    }

    @Test(arguments: expectations)
    func `what a fixture wants on the wire is what a URL gives`(_ expected: Expectation) throws {
        let url = try ClientURL(expected.url)
        #expect(text(url.target) == expected.target)
        let isNamed = expected.url.lowercased().contains("home.example.org")
        #expect(isNamed ? url.hostField.value.hasPrefix("home.example.org") : url.hostField.value == "h:1")
    }
}
