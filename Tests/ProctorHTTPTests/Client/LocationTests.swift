import ProctorHTTP
import Testing

/// Where a Location leads; one row for each case of fixtures/redirect that is about one, and then some.
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
