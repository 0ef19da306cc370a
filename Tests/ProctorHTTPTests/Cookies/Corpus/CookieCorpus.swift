import Foundation
import ProctorTestSupport

/// Set-Cookie fields of every attribute and spelling, each with its origin and the URLs asked afterwards; always the
/// same.
enum CookieCorpus {
    struct Row: Sendable {
        /// What the row is about.
        let topic: String
        let field: [UInt8]
        /// Where the field comes from.
        let origin: String
        /// The URLs for which the Cookie field is looked at.
        let asks: [String]

        init(_ topic: String, _ field: [UInt8], from origin: String = CookieCorpus.origin, asks: [String]? = nil) {
            self.topic = topic
            self.field = field
            self.origin = origin
            self.asks = asks ?? CookieCorpus.asks(of: origin)
        }

        init(_ topic: String, _ field: String, from origin: String = CookieCorpus.origin, asks: [String]? = nil) {
            self.init(topic, Array(field.utf8), from: origin, asks: asks)
        }
    }

    static let origin = "http://home.example.org/a/b/page"

    /// The same place, its neighbours in the path, the root, the other scheme, and hosts above, below and beside it.
    static func asks(of origin: String) -> [String] {
        [
            origin, "http://home.example.org/a/b", "http://home.example.org/a/bc", "http://home.example.org/",
            "https://home.example.org/a/b/page", "http://deep.home.example.org/a/b/page", "http://example.org/a/b/page",
            "http://sibling.example.org/a/b/page", "http://example.com/a/b/page",
        ]
    }

    static let rows: [Row] =
        pairs + domains + paths + dates + ages + flags + syntax + prefixes + history + sizes + mixtures(count: 260)

    // MARK: Topics

    private static let pairs = [
        "a=b", "a=", "=b", "a", "", "=", " = ", "a=b=c", "a==b", "a=b ", " a=b", "\ta=b\t", "a =b", "a= b", "a = b",
        "a=\"b\"", "a=\"b c\"", "a=\"b;c\"", "a=\"b", "\"a\"=b", "a=b,c", "a=b c", "a=b\\c", "a=%20", "a=+",
        "a=\u{e9}", "\u{e9}=b", "a=\u{1f36a}", "A=b", "a[0]=b", "a@b=c", "a:b=c", "a/b=c", "a(b)=c", "$a=b",
        "$Version=1",
        "a='b'", "a={\"b\":1}", "a=<b>", "a=b&c=d", "expires=b", "path=b", "domain=b", "secure=b", "secure",
        "max-age=1",
    ].map { Row("pair", $0) }

    private static let domains = [
        "home.example.org", ".home.example.org", "..home.example.org", "example.org", ".example.org", "EXAMPLE.org",
        ".EXAMPLE.ORG", "org", ".org", "xample.org", ".xample.org", "ome.example.org", "sibling.example.org",
        "deep.home.example.org", "example.com", "home.example.org.", ".example.org.", "example.org:80", "", ".",
        "home", " example.org ", "\"example.org\"", "example.org/", "example..org", "127.0.0.1", "*.example.org",
        "home.example.org, example.org",
    ].map { Row("domain", "a=b; Domain=\($0)") }

    private static let paths: [Row] = {
        let values = [
            "/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/page", "/a/b/page/", "/a/b/page/deep", "/A", "/A/b", "a", "a/b",
            "",
            "\"/a\"", "/a/b?x", "/a//b", "/a/./b", "/a/../a", "/%61", "/a/b/p", "/other", " /a ", "/a;", "/a,b", "/é",
        ]
        let defaults = [
            "http://home.example.org/", "http://home.example.org/a", "http://home.example.org/a/",
            "http://home.example.org/a/b/", "http://home.example.org/a/b/page?q=/x/y",
        ]
        return values.map { Row("path", "a=b; Path=\($0)") }
            + defaults.map { Row("default path", "a=b", from: $0) }
    }()

    private static let dates: [Row] = {
        let future = [
            "Wed, 09 Jun 2094 10:18:14 GMT", "Wednesday, 09-Jun-60 10:18:14 GMT", "Wed Jun  9 10:18:14 2094",
            "Wed, 09-Jun-2094 10:18:14 GMT", "Wed,09 Jun 2094 10:18:14 GMT", "09 Jun 2094 10:18:14 GMT",
            "09 Jun 2094 10:18:14", "9 Jun 2094 10:18:14 GMT", "09 June 2094 10:18:14 GMT", "09 jUN 2094 10:18:14 gmt",
            "2094 Jun 09 10:18:14", "10:18:14 09 Jun 2094", "Jun 09 2094 10:18:14", "09-Jun-2094 10:18:14 GMT",
            "09/Jun/2094 10:18:14 GMT", "09,Jun,2094,10:18:14", "Thu, 09 Jun 2094 10:18:14 GMT",
            "Wed, 09 Jun 2094 10:18:14 UTC", "Wed, 09 Jun 2094 10:18:14 +0000", "Wed, 09 Jun 2094 10:18:14 EST",
            "Wed, 09 Jun 2094 10:18:14", "Wed, 09 Jun 2094 1:2:3 GMT", "Wed, 09 Jun 2094 10:18:14.5 GMT",
            "Mittwoch, 09 Jun 2094 10:18:14 GMT", "Wed, 09 Jun 2094 10:18:14 GMT+1", "Wed, 09 Jun 69 10:18:14 GMT",
            "Wed, 09 Jun 2094 23:59:59 GMT", "\"Wed, 09 Jun 2094 10:18:14 GMT\"", "Wed, 09 Jun 9999 10:18:14 GMT",
        ]
        let past = [
            "Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:01 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "06 Nov 1994 08:49:37", "Wed, 09 Jun 70 10:18:14 GMT", "Wed, 09 Jun 99 10:18:14 GMT",
            "Sat, 31 Dec 1999 23:59:59 GMT", "Mon, 01 Jan 1601 00:00:00 GMT", "Tue, 31 Dec 1600 23:59:59 GMT",
        ]
        let none = [
            "", "0", "-1", "never", "Wed, 32 Jun 2094 10:18:14 GMT", "Wed, 00 Jun 2094 10:18:14 GMT",
            "Wed, 09 Jum 2094 10:18:14 GMT", "Wed, 09 Jun 2094", "Wed, 09 Jun 2094 24:18:14 GMT",
            "Wed, 09 Jun 2094 10:60:14 GMT", "Wed, 09 Jun 2094 10:18:60 GMT", "Wed, 09 Jun 2094 10:18 GMT",
            "10:18:14", "2094-06-09T10:18:14Z", "4000000000", "Wed, 31 Feb 1994 10:18:14 GMT",
            "Wed, 09 Jun 194 10:18:14 GMT", "Wed, 09 Jun 20945 10:18:14 GMT", "Wed, 09 Jun 5 10:18:14 GMT", "Jun",
        ]
        return (future + past + none).map { Row("expires", "a=b; Expires=\($0)") }
    }()

    private static let ages: [Row] = {
        let values = [
            "0", "1000", "-1", "-0", "+1000", "01000", "1e3", "1000.5", "1000 ", " 1000", "\"1000\"", "", "abc",
            "1000s",
            "0x10", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "99999999999999999999",
            "-9223372036854775808", "-99999999999999999999",
        ]
        let (gone, far) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Wed, 09 Jun 2094 10:18:14 GMT")
        return values.map { Row("max-age", "a=b; Max-Age=\($0)") } + [
            Row("max-age and expires", "a=b; Max-Age=1000; Expires=\(gone)"),
            Row("max-age and expires", "a=b; Expires=\(gone); Max-Age=1000"),
            Row("max-age and expires", "a=b; Max-Age=0; Expires=\(far)"),
            Row("max-age and expires", "a=b; Expires=\(far); Max-Age=0"),
            Row("max-age and expires", "a=b; Max-Age=x; Expires=\(gone)"),
            Row("max-age and expires", "a=b; Max-Age=x; Expires=\(far)"),
            Row("attribute twice", "a=b; Max-Age=0; Max-Age=1000"),
            Row("attribute twice", "a=b; Max-Age=1000; Max-Age=0"),
            Row("attribute twice", "a=b; Expires=\(gone); Expires=\(far)"),
            Row("attribute twice", "a=b; Expires=\(far); Expires=\(gone)"),
            Row("attribute twice", "a=b; Path=/x; Path=/a"), Row("attribute twice", "a=b; Path=/a; Path=/x"),
            Row("attribute twice", "a=b; Domain=example.com; Domain=example.org"),
            Row("attribute twice", "a=b; Domain=example.org; Domain=example.com"),
        ]
    }()

    private static let flags: [Row] = {
        let values = [
            "Secure", "secure", "SECURE", "Secure=", "Secure=no", "Secure=0", "HttpOnly", "httponly", "HttpOnly=no",
            "Secure; HttpOnly", "SameSite=Strict", "SameSite=Lax", "SameSite=None", "SameSite=None; Secure", "SameSite",
            "SameSite=", "SameSite=strict", "SameSite=Other", "Partitioned", "Priority=High", "Unknown", "Unknown=1",
        ]
        let secured = "https://home.example.org/a/b/page"
        return values.map { Row("flag", "a=b; \($0)") }
            + values.map { Row("flag over https", "a=b; \($0)", from: secured) }
    }()

    private static let syntax: [Row] = {
        let texts = [
            "a=b;Path=/", "a=b;;Path=/", "a=b; ;Path=/", "a=b;", ";a=b", "; a=b", "a=b ; Path = / ", "a=b;\tPath=/",
            "a=b;Path=/;", "a=b; Path=/ ; Secure", "a=b; path=/", "a=b; PATH=/", "a=b; pAtH=/", "a=b; Path", "a=b; =/",
            "a=b; Path==/", "a=b; Path=/=", "a=b, c=d", "a=b, c=d; Path=/", "a=b; Path=/, c=d; Path=/",
            "a=b; Expires=Wed, 09 Jun 2094 10:18:14 GMT, c=d", "a=b&Path=/", "a=b Path=/", "a:b; Path=/",
            "a=\"b; Path=/\"", "a=b; Path=\"/\"", "a=b; \"Path\"=/", "a=b; c=d", "a=b; c=d; e=f",
        ]
        let bytes: [[UInt8]] = [0x00, 0x01, 0x07, 0x0B, 0x0C, 0x1F, 0x7F].flatMap { byte -> [[UInt8]] in
            [
                Array("a=b".utf8) + [byte] + Array("c; Path=/".utf8), Array("a".utf8) + [byte] + Array("b=c".utf8),
                Array("a=b; Path=/a".utf8) + [byte], Array("a=b; X=".utf8) + [byte] + Array("; Path=/".utf8),
            ]
        }
        // A file of options can't ask clients about NUL, and a message parser can't take every control.
        return texts.map { Row("syntax", $0) } + bytes.map { Row("control character", $0) }
    }()

    private static let prefixes: [Row] = [
        "__Secure-a=b", "__Secure-a=b; Secure", "__Host-a=b; Secure", "__Host-a=b; Secure; Path=/",
        "__Host-a=b; Secure; Path=/; Domain=home.example.org", "__Host-a=b; Path=/", "__host-a=b; Path=/",
        "__secure-a=b", "__Secure-", "__Host-; Secure; Path=/", "=__Secure-a", "__Secure-a", "__SECURE-a=b; Secure",
    ].flatMap { [Row("prefix", $0), Row("prefix over https", $0, from: "https://home.example.org/a/b/page")] }

    private static let history = [
        "a=b; Version=1", "a=b; Version=0", "a=b; Version=\"1\"", "a=\"b\"; Version=1", "a=b; Comment=why",
        "a=b; Comment=\"why; so\"", "a=b; CommentURL=\"http://example.org/why\"", "a=b; Discard", "a=b; Port",
        "a=b; Port=\"80,8080\"", "a=b; Port=\"8080\"",
        "a=b; Version=1; Max-Age=1000; Path=\"/a\"; Domain=\".example.org\"",
        "a=b; Version=1; Discard; Comment=c",
    ].map { Row("history", $0) }

    private static let sizes: [Row] = {
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        return [
            Row("size", "a=\(text(4_000))"), Row("size", "a=\(text(4_095))"), Row("size", "a=\(text(4_096))"),
            Row("size", "a=\(text(4_500))"), Row("size", "\(text(2_048))=\(text(2_048))"),
            Row("size", "\(text(2_048))=\(text(2_049))"), Row("size", "\(text(4_096))="),
            Row("size", "\(text(4_097))="),
            Row("size", "a=b; Path=/a/\(text(1_021))"), Row("size", "a=b; Path=/a/\(text(1_022))"),
            Row("size", "a=b; X=\(text(1_024))"), Row("size", "a=b; X=\(text(2_000)); Path=/"),
            Row("size", "a=b" + String(repeating: "; X=1", count: 500)),
        ]
    }()

    /// Several attributes at once, in every order, drawn from a seed.
    private static func mixtures(count: Int) -> [Row] {
        var generator = SeededGenerator(seed: 9)
        let parts = [
            ["Domain=example.org", "Domain=.example.org", "domain=home.example.org", "Domain=example.com", "Domain="],
            ["Path=/", "Path=/a", "path=/a/b/", "Path=/a/bc", "Path=x", "Path="],
            ["Expires=Wed, 09 Jun 2094 10:18:14 GMT", "Expires=Sun, 06-Nov-1994 08:49:37 GMT", "expires=junk"],
            ["Max-Age=1000", "max-age=0", "Max-Age=-5", "Max-Age=ten"], ["Secure", "secure", "HttpOnly"],
            ["SameSite=Lax", "SameSite=Strict", "Version=1", "Comment=x", "Unknown=1"],
        ]
        let names = ["a", "sid", "_b", "c.d", "long-name", "N"]
        let values = ["b", "", "1234567890", "x=y", "\"quoted\"", "a%3Db", "dG9rZW4=", "with space"]
        let origins = [origin, "https://home.example.org/a/b/page", "http://example.org/a/b/page"]
        return (0..<count).map { _ in
            var field =
                "\(names.randomElement(using: &generator) ?? "a")=\(values.randomElement(using: &generator) ?? "")"
            for group in parts.shuffled(using: &generator) where Bool.random(using: &generator) {
                let gap = Int.random(in: 0..<8, using: &generator)
                field += [";", ";  ", "; ", "; ", "; ", "; ", "; ", "; "][gap]
                field += group.randomElement(using: &generator) ?? ""
            }
            return Row("mixture", field, from: origins.randomElement(using: &generator) ?? origin)
        }
    }
}

/// An independent cookie client, called through `Tests/Clients/cookie_judge.py`.
enum CookieClient: String, CaseIterable, Sendable {
    case cookiejar, curl

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Answer: Decodable {
        let cookies: [String?]
    }

    /// For every row, the Cookie field of each of its asks; nil where there was none.
    func answers(to rows: [CookieCorpus.Row]) async throws -> [[[UInt8]?]] {
        var lines = ""
        for row in rows {
            let object: [String: Any] = [
                "field": Data(row.field).base64EncodedString(), "set": row.origin, "asks": row.asks,
            ]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self) + "\n"
        }
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        // .../Tests/ProctorHTTPTests/Cookies/Corpus/CookieClient.swift
        let script = parts.dropLast(4).joined(separator: "/") + "/Clients/cookie_judge.py"
        let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "python3", "-B", script, rawValue], input: Array(lines.utf8), within: .seconds(300))
        guard outcome.status == 0 else { throw Failure(description: "\(self) can't be asked: \(outcome.err)") }
        let answers = try outcome.out.split(separator: "\n").map { line in
            try JSONDecoder().decode(Answer.self, from: Data(line.utf8)).cookies
        }
        guard answers.count == rows.count else { throw Failure(description: "\(self) left rows out: \(outcome.err)") }
        return answers.map { cookies in cookies.map { $0.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) } } }
    }
}
