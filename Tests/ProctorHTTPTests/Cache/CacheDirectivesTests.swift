import ProctorHTTP
import Testing

/// RFC 9111 §5.2 and §1.2.2.
struct CacheDirectivesTests {
    private static func directives(_ values: String...) -> CacheDirectives {
        CacheDirectives(values.map { HTTPField("Cache-Control", $0) })
    }

    @Test func `names are compared in lower case, arguments come without quotes`() {
        let directives = Self.directives(
            "Max-Age=60, no-cache=\"Set-Cookie, X\"", "private , ext=\"a\\\"b\", max-age=70, odd = 5")
        for name in ["max-age", "no-cache", "private", "ext", "odd"] { #expect(directives.contains(name), "\(name)") }
        #expect(!directives.contains("x") && !directives.contains("no-store"))
        #expect(directives.argument(of: "no-cache") == bytes("Set-Cookie, X"))
        #expect(directives.argument(of: "private") == nil)
        #expect(directives.argument(of: "ext") == bytes("a\"b"))
        #expect(directives.seconds(of: "odd") == 5)
        #expect(directives.seconds(of: "max-age") == 60, "the first counts")
    }

    @Test(arguments: [
        ("max-age=0", 0), ("max-age=60", 60), ("max-age=\"60\"", 60), ("max-age=2147483648", 1 << 31),
        ("max-age=99999999999999999999999", 1 << 31), ("max-age", 0), ("max-age=", 0), ("max-age=-1", 0),
        ("max-age=1.5", 0), ("max-age=60s", 0), ("max-age=+60", 0), ("max-age=6 0", 0), ("s-maxage=60", nil), ("", nil),
        (",,max-age=5,", 5), ("max-age=007", 7),
    ])
    func `seconds that nobody can read are none`(_ value: String, _ seconds: Int?) {
        #expect(Self.directives(value).seconds(of: "max-age") == seconds)
    }
}
