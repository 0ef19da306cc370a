import Testing

@testable import ProctorHTTP

/// Labels beyond ASCII, and hosts as people type them.
struct PunycodeTests {
    @Test(arguments: [
        ("b\u{FC}cher", "bcher-kva"), ("m\u{FC}nchen", "mnchen-3ya"), ("\u{65E5}\u{672C}\u{8A9E}", "wgv71a119e"),
        ("3\u{5E74}b\u{7D44}\u{91D1}\u{516B}\u{5148}\u{751F}", "3b-ww4c5e180e575a65lsy2b"),
        ("porqu\u{E9}nopuedensimplementehablarenespa\u{F1}ol", "porqunopuedensimplementehablarenespaol-fmd56a"),
        ("\u{43F}\u{440}\u{438}\u{43C}\u{435}\u{440}", "e1afmkfd"), ("\u{1F600}a", "a-iv3s"), ("fa\u{DF}", "fa-hia"),
    ])
    func `a label has one form in ASCII`(label: String, encoded: String) {
        #expect(Punycode.encode(label).map { String(decoding: $0, as: UTF8.self) } == encoded)
    }

    @Test func `a label that no name could hold is none`() {
        #expect(Punycode.encode(String(repeating: "\u{FC}", count: 58)) == nil)
        #expect(Punycode.encode(String(repeating: "\u{FC}", count: 57)) != nil)
    }

    @Test(arguments: [
        ("http://B\u{FC}cher.example/", "xn--bcher-kva.example"),
        ("http://b%C3%BCcher.example/", "xn--bcher-kva.example"),
        ("http://B\u{DC}CHER\u{3002}EXAMPLE:81/", "xn--bcher-kva.example:81"), ("http://%65xample.org/", "example.org"),
        ("http:b\u{FC}cher.example/", "xn--bcher-kva.example"), ("http://\u{FC}.\u{FC}./", "xn--tda.xn--tda."),
        ("http://bu\u{308}cher.example/", "xn--bcher-kva.example"),
        ("http://BU\u{308}CHER.example/", "xn--bcher-kva.example"),
        ("http://\u{FF48}\u{FF4F}\u{FF2D}\u{FF45}\u{FF0E}example/", "home.example"),
        ("http://example\u{FF61}org/", "example.org"),
        ("http://\u{30CF}\u{309A}.example/", "xn--odk.example"), ("http://example.org/", "example.org"),
        ("http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ])
    func `a host that is typed becomes what the DNS has`(url: String, authority: String) throws {
        #expect(try ClientURL(typed: url).origin.authority == authority)
    }

    @Test(arguments: [
        ("http://b\u{FC}cher.example/a", "http://xn--bcher-kva.example/a"),
        ("//b%C3%BCcher.example", "http://xn--bcher-kva.example/"),
        ("/b\u{FC}cher", "http://h/b%C3%BCcher"),
    ])
    func `a host in a Location is read so, too`(location: String, url: String) throws {
        #expect(try ClientURL("http://h/").resolving(location: Array(location.utf8)).text == url)
    }

    @Test(arguments: ["http://a%2Fb/", "http://a%40b/", "http://a%3A80/", "http://a%20b/"])
    func `an escape does not end a host`(url: String) throws {
        let host = try ClientURL(typed: url).origin.host
        #expect(host.contains("%"))
    }

    @Test(arguments: ["http://%FF/", "http://a\u{FF}/".replacing("\u{FF}", with: " "), "http://[::1%C3%BC]/"])
    func `what is no name stays, or is refused`(url: String) {
        let host = try? ClientURL(typed: url).origin.host
        #expect(host == nil || host == "%ff" || host == "%FF")
    }

    @Test(arguments: [
        ("http://example.org/", false), ("HTTP://example.org/", true), ("http://example.org", true),
        ("http://example.org:80/", true), ("http://\u{FC}.example/", true),
    ])
    func `whether it was spelled otherwise is known`(url: String, isRespelled: Bool) throws {
        #expect(try ClientURL(typed: url).isRespelled == isRespelled)
    }
}
