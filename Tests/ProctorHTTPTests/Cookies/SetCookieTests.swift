import ProctorHTTP
import Testing

/// Reading a Set-Cookie field by RFC 6265 §5.2 and by its revision's §5.6.
struct SetCookieTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let field: String
        /// `NAME|VALUE`; nil: ignored.
        let first: String?
        let revised: String?
        let section: String

        init(_ field: String, _ both: String?, _ section: String) { self.init(field, both, both, section) }

        init(_ field: String, _ first: String?, _ revised: String?, _ section: String) {
            self.field = field
            self.first = first
            self.revised = revised
            self.section = section
        }

        var testDescription: String { "\(field.prefix(60)) (\(section))" }
    }

    static let pairs: [Row] = [
        Row("SID=31d4d96e407aad42", "SID|31d4d96e407aad42", "RFC 6265 §3.1"),
        Row("SID=31d4d96e407aad42; Path=/; Secure; HttpOnly", "SID|31d4d96e407aad42", "RFC 6265 §3.1"),
        Row("lang=en-US; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "lang|en-US", "RFC 6265 §3.1"),
        Row("lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "lang|", "RFC 6265 §3.1"),
        Row(" \t a \t = \t b \t ; Path=/", "a|b", "§5.2 step 4: white space around both goes"),
        Row("a=b c\td", "a|b c\td", "§5.2 step 4: white space inside stays"),
        Row("a b=c", "a b|c", "§5.2: a name may hold anything but = and ;"),
        Row("a=b=c==", "a|b=c==", "§5.2 step 2: the first = parts them"),
        Row("a==", "a|=", "§5.2 step 2"),
        Row(#"a="b c""#, #"a|"b c""#, "§5.2: quotation marks are kept"),
        Row(#"a="b;c""#, #"a|"b"#, "§5.2 step 1: a semicolon ends it, quoted or not"),
        Row("a=b, c=d", "a|b, c=d", "§5.2: a comma parts nothing"),
        Row("a=%41%2", "a|%41%2", "§5.2: nothing is decoded"),
        Row("a=\u{C3}\u{A9}", "a|\u{C3}\u{A9}", "§5.2: bytes"),
        Row("a=\u{FF}", "a|\u{FF}", "§5.2: bytes that are no UTF-8"),
        Row("a=", "a|", "§5.2 step 2: a value may be empty"),
        Row("a=;", "a|", "§5.2"),
        Row("token", nil, "|token", "§5.2 step 2; bis §5.6 step 3: a cookie without a name"),
        Row("token; Path=/", nil, "|token", "§5.2 step 2; bis §5.6 step 3"),
        Row("=value", nil, "|value", "§5.2 step 5; bis §5.6 step 3"),
        Row(" = value ", nil, "|value", "§5.2 step 5; bis §5.6 step 4"),
        Row("=a=b", nil, "|a=b", "bis §5.6 step 3"),
        Row("", nil, "§5.2 step 2; bis §5.7 step 2"),
        Row("=", nil, "§5.2 step 5; bis §5.7 step 2"),
        Row(";", nil, "§5.2 step 2; bis §5.7 step 2"),
        Row("; a=b", nil, "§5.2 step 2; bis §5.7 step 2"),
        Row("   ;Path=/", nil, "§5.2 step 2; bis §5.7 step 2"),
        Row("a=b\u{0}c", "a|b\u{0}c", nil, "bis §5.6 step 1: control characters"),
        Row("a=b\u{1F}", "a|b\u{1F}", nil, "bis §5.6 step 1"),
        Row("a=b\u{7F}", "a|b\u{7F}", nil, "bis §5.6 step 1"),
        Row("a=b; Path=/\u{8}", "a|b", nil, "bis §5.6 step 1: in an attribute too"),
        Row("a=b\tc; Path=/\t", "a|b\tc", "bis §5.6 step 1: the tab is none of them"),
        Row("a=" + String(repeating: "x", count: 4095), "a|" + String(repeating: "x", count: 4095), "bis §5.6 step 5"),
        Row(
            "a=" + String(repeating: "x", count: 4096), "a|" + String(repeating: "x", count: 4096), nil,
            "bis §5.6 step 5: name and value together"),
        Row(String(repeating: "n", count: 4096) + "=", String(repeating: "n", count: 4096) + "|", "bis §5.6 step 5"),
        Row(String(repeating: "v", count: 4097), nil, "§5.2 step 2; bis §5.6 step 5"),
        Row("a=b; x=" + String(repeating: "x", count: 9000), "a|b", "bis §5.6 step 5: attributes do not count"),
    ]

    @Test(arguments: pairs)
    func `name and value are read as their section says`(_ row: Row) {
        for (edition, expected) in [(CookieEdition.rfc6265, row.first), (.rfc6265bis, row.revised)] {
            let cookie = SetCookie(parsing: bytes(row.field), edition: edition)
            let found = cookie.map { $0.name + bytes("|") + $0.value }
            #expect(found == expected.map(bytes), "\(edition)")
            #expect((SetCookie.refusal(of: bytes(row.field), edition: edition) == nil) == (expected != nil))
        }
    }

    struct Attributes: Sendable, CustomTestStringConvertible {
        let text: String
        let section: String
        let edition: CookieEdition?
        let holds: @Sendable (SetCookie) -> Bool

        init(
            _ text: String, _ section: String, _ edition: CookieEdition? = nil,
            _ holds: @escaping @Sendable (SetCookie) -> Bool
        ) {
            self.text = text
            self.section = section
            self.edition = edition
            self.holds = holds
        }

        var testDescription: String { "\(text.prefix(60)) (\(section))" }
    }

    static let long = String(repeating: "x", count: 1024)

    static let attributes: [Attributes] = [
        Attributes("Expires=Sun, 06 Nov 1994 08:49:37 GMT", "§5.2.1") { $0.expires == 784_111_777 },
        Attributes("expires = Sun, 06 Nov 1994 08:49:37 GMT ", "§5.2 step 5") { $0.expires == 784_111_777 },
        Attributes(#"Expires="Sun, 06 Nov 1994 08:49:37 GMT""#, "§5.1.1: a quotation mark is a delimiter") {
            $0.expires == 784_111_777
        },
        Attributes("Expires=never", "§5.2.1: ignored") { $0.expires == nil },
        Attributes("Expires", "§5.2.1: ignored") { $0.expires == nil },
        Attributes(
            "Expires=Sun, 06 Nov 1994 08:49:37 GMT; Expires=never", "§5.2.1: what can't be read hides nothing"
        ) { $0.expires == 784_111_777 },
        Attributes("Expires=1 Jan 1970 00:00:00; Expires=1 Jan 1970 00:00:09", "§5.3 step 3: the last one") {
            $0.expires == 9
        },
        Attributes("Max-Age=60", "§5.2.2") { $0.maxAge == 60 },
        Attributes("MAX-AGE=0", "§5.2.2") { $0.maxAge == 0 },
        Attributes("Max-Age=-1", "§5.2.2") { $0.maxAge == -1 },
        Attributes("Max-Age=00060", "§5.2.2: digits") { $0.maxAge == 60 },
        Attributes("Max-Age=+60", "§5.2.2 step 1") { $0.maxAge == nil },
        Attributes(#"Max-Age="60""#, "§5.2.2 step 1") { $0.maxAge == nil },
        Attributes("Max-Age=60s", "§5.2.2 step 2") { $0.maxAge == nil },
        Attributes("Max-Age=6 0", "§5.2.2 step 2") { $0.maxAge == nil },
        Attributes("Max-Age=1e3", "§5.2.2 step 2") { $0.maxAge == nil },
        Attributes("Max-Age=6.5", "§5.2.2 step 2") { $0.maxAge == nil },
        Attributes("Max-Age=", "bis §5.6.2 step 1") { $0.maxAge == nil },
        Attributes("Max-Age=-", "bis §5.6.2 step 2") { $0.maxAge == nil },
        Attributes("Max-Age=--1", "§5.2.2 step 2") { $0.maxAge == nil },
        Attributes("Max-Age=99999999999999999999999", "§5.2.2: beyond any integer") { $0.maxAge == .max },
        Attributes("Max-Age=-99999999999999999999999", "§5.2.2: beyond any integer") { $0.maxAge == -.max },
        Attributes("Max-Age=1; Max-Age=2; Max-Age=x", "§5.3 step 3: the last one that is read") { $0.maxAge == 2 },
        Attributes("Domain=Example.COM", "§5.2.3 step 3") { $0.domain == bytes("example.com") },
        Attributes("Domain=.example.com", "§5.2.3 step 2") { $0.domain == bytes("example.com") },
        Attributes("Domain=..example.com", "§5.2.3 step 2: one dot") { $0.domain == bytes(".example.com") },
        Attributes("Domain=.", "§5.2.3 step 2") { $0.domain == [] },
        Attributes("Domain=a.example; Domain=b.example", "§5.3 step 4") { $0.domain == bytes("b.example") },
        Attributes("Domain=a.example; Domain=", "§5.2.3: an empty one is ignored", .rfc6265) {
            $0.domain == bytes("a.example")
        },
        Attributes("Domain=a.example; Domain", "bis §5.6.3: an empty one counts", .rfc6265bis) { $0.domain == [] },
        Attributes("Domain=\(long)y", "bis §5.6 step 6: too long, so ignored", .rfc6265bis) { $0.domain == nil },
        Attributes("Domain=\(long)", "bis §5.6 step 6: as long as may be", .rfc6265bis) {
            $0.domain == bytes(long)
        },
        Attributes("Domain=\(long)y", "RFC 6265 has no such limit", .rfc6265) { $0.domain?.count == 1025 },
        Attributes("Path=/a/B", "§5.2.4") { $0.path == bytes("/a/B") },
        Attributes("Path=a", "§5.2.4 step 1: the default-path") { $0.path == nil && $0.hasPath },
        Attributes("Path=", "§5.2.4 step 1") { $0.path == nil && $0.hasPath },
        Attributes(#"Path="/a""#, "§5.2.4 step 1: a quotation mark is no slash") { $0.path == nil },
        Attributes("Path=/a; Path=b", "§5.3 step 7: the last one, though it means the default") { $0.path == nil },
        Attributes("Path=/a; Path=/b", "§5.3 step 7") { $0.path == bytes("/b") },
        Attributes("Path=/\(long); Path=/a; Path=/\(long)", "bis §5.6 step 6", .rfc6265bis) {
            $0.path == bytes("/a")
        },
        Attributes("HttpOnly", "§5.2.6") { $0.isHTTPOnly && !$0.isSecure && !$0.hasPath },
        Attributes("secure=no", "§5.2.5: whatever its value") { $0.isSecure && !$0.isHTTPOnly },
        Attributes("Secured; Http-Only", "§5.2: unknown names are ignored") { !$0.isSecure && !$0.isHTTPOnly },
        Attributes("SameSite=STRICT", "bis §5.6.7") { $0.sameSite == .strict },
        Attributes("samesite=lax", "bis §5.6.7") { $0.sameSite == .lax },
        Attributes("SameSite=None", "bis §5.6.7") { $0.sameSite == SetCookie.SameSite.none },
        Attributes("SameSite=Other", "bis §5.6.7: the default") { $0.sameSite == nil },
        Attributes("SameSite=Strict; SameSite=Other", "bis §5.7 step 17: the last one") { $0.sameSite == nil },
        Attributes(
            #"Version="1"; Comment="x, y"; CommentURL="http://h/"; Port="80,81"; Discard; Max-Age=5"#,
            "RFC 2109 and RFC 2965: unknown names"
        ) { $0.maxAge == 5 && $0.domain == nil && $0.path == nil && $0.attributes.count == 6 },
        Attributes(";;  ; Path=/a ;;", "§5.2: empty parts are passed over") { $0.path == bytes("/a") },
        Attributes("=x; Path=/a", "§5.2: an attribute without a name") { $0.path == bytes("/a") },
        Attributes("Path=/a=b=c", "§5.2 step 4: the first = parts them") { $0.path == bytes("/a=b=c") },
    ]

    @Test(arguments: attributes)
    func `an attribute means what its section says`(_ row: Attributes) throws {
        for edition in CookieEdition.allCases where row.edition == nil || row.edition == edition {
            let cookie = try #require(SetCookie(parsing: bytes("a=b; " + row.text), edition: edition))
            #expect(row.holds(cookie), "\(edition): \(cookie.attributes.count) attributes")
            #expect(cookie.name == bytes("a") && cookie.value == bytes("b"))
        }
    }
}

/// The strict grammars of RFC 6265 §4.1.1 and §4.2.1; `▸` marks the byte of each violation.
struct CookieGrammarTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let marked: String
        let kinds: [CookieViolation.Kind]

        init(_ marked: String, _ kinds: CookieViolation.Kind...) {
            self.marked = marked
            self.kinds = kinds
        }

        var testDescription: String { marked }

        var input: [UInt8] { bytes(marked.filter { $0 != "▸" }) }

        /// Kind and place of each mark.
        var expected: [String] {
            var offsets: [Int] = []
            var count = 0
            for scalar in marked.unicodeScalars {
                if scalar == "▸" { offsets.append(count) } else { count += 1 }
            }
            #expect(offsets.count == kinds.count, "\(marked): as many marks as kinds")
            return zip(kinds, offsets).map { "\($0.rawValue) at \($1)" }
        }
    }

    static let setCookies: [Row] = [
        Row("SID=31d4d96e407aad42"), Row("SID=31d4d96e407aad42; Path=/; Domain=example.com"),
        Row("SID=31d4d96e407aad42; Path=/; Secure; HttpOnly"),
        Row("lang=en-US; Expires=Wed, 09 Jun 2021 10:18:14 GMT"), Row("lang=; Max-Age=1"), Row("a=b=c"),
        Row(#"a="b""#), Row(#"a="""#), Row("a=!#$%&'()*+-./09:<=>?@AZ[]^_`az{|}~"),
        Row("a=b; secure; PATH=/x y, \"z\"; x-ext=any thing; SameSite=lax"),
        Row(#"a=b; Version="1"; Comment="x"; Port="80,81"; Discard"#),
        Row("▸token", .missingEqualsSign), Row("▸", .missingEqualsSign), Row("▸=b", .emptyName),
        Row("a▸ b=c", .nameByte), Row("▸\"a\"=c", .nameByte), Row("a▸,b=c", .nameByte), Row("▸\u{E9}=c", .nameByte),
        Row("a=b▸ c", .valueByte), Row("a=b▸,c", .valueByte), Row("a=b▸\\c", .valueByte), Row("a=b▸\u{FF}", .valueByte),
        Row("a=b▸\u{7}", .valueByte), Row("a=b▸\"c", .valueByte), Row(#"a="b▸"c""#, .valueByte),
        Row(#"a=▸"b"#, .loneQuote), Row(#"a=▸b""#, .loneQuote), Row("a=▸\"", .loneQuote),
        Row("▸ a=b", .extraSpace), Row("▸a=b ", .extraSpace), Row("a▸ =b", .nameByte), Row("a=▸ b", .valueByte),
        Row("a=b;▸Path=/", .missingSpace), Row("a=b;▸  Path=/", .extraSpace), Row("a=b;▸\tPath=/", .extraSpace),
        Row("a=b; Path=/▸ ; Secure", .extraSpace), Row("a=b;▸", .emptyPart), Row("a=b;▸ ; Path=/", .emptyPart),
        Row("a=b; Path=/▸\u{1}", .attributeByte), Row("a=b; x=▸\u{E9}", .attributeByte),
        Row("a=b; Expires=▸Sunday, 06-Nov-94 08:49:37 GMT", .expires),
        Row("a=b; Expires=▸Mon, 06 Nov 1994 08:49:37 GMT", .expires), Row("a=b; Expires=▸0", .expires),
        Row("a=b; Expires▸", .expires), Row("a=b; Max-Age=▸0", .maxAge), Row("a=b; Max-Age=▸-1", .maxAge),
        Row("a=b; Max-Age=▸", .maxAge), Row("a=b; Max-Age=▸1s", .maxAge),
        Row("a=b; Domain=▸.example.com", .domain), Row("a=b; Domain=▸", .domain),
        Row("a=b; Domain=▸a_b.example", .domain), Row("a=b; Domain=▸-a.example", .domain),
        Row("a=b; Domain=▸example.com.", .domain), Row("a=b; ▸Secure=1", .flagValue),
        Row("a=b; ▸HttpOnly=", .flagValue),
        Row("a=b; SameSite=▸Other", .sameSite), Row("a=b; Path=/; ▸path=/x", .twice),
        Row("▸a;▸Max-Age=▸0;▸", .missingEqualsSign, .missingSpace, .maxAge, .emptyPart),
    ]

    @Test(arguments: setCookies)
    func `a departure from the grammar of Set-Cookie has its byte`(_ row: Row) {
        let found = SetCookie.violations(of: row.input)
        #expect(found.map { "\($0.kind.rawValue) at \($0.offset)" } == row.expected)
        for violation in found { Self.check(violation) }
    }

    static let cookies: [Row] = [
        Row("SID=31d4d96e407aad42"), Row("SID=31d4d96e407aad42; lang=en-US"), Row(#"a=; b="c"; d=e=f"#),
        Row("▸", .emptyPart), Row("▸token", .missingEqualsSign), Row("▸=b", .emptyName), Row("▸ a=b", .extraSpace),
        Row("a=b;▸c=d", .missingSpace), Row("a=b;▸  c=d", .extraSpace), Row("a=b;▸", .emptyPart),
        Row("a=b; c=d▸ ", .extraSpace), Row("a=b▸,c=d", .valueByte), Row("a=b▸ c; d=e", .valueByte),
        Row("a▸@=b", .nameByte), Row(#"a=▸"b; c=d"#, .loneQuote),
        Row(#"$Version="1"; a="b"; $Path="/""#),
    ]

    @Test(arguments: cookies)
    func `a departure from the grammar of Cookie has its byte`(_ row: Row) {
        let found = CookieField.violations(of: row.input)
        #expect(found.map { "\($0.kind.rawValue) at \($0.offset)" } == row.expected)
        for violation in found { Self.check(violation) }
    }

    private static func check(_ violation: CookieViolation) {
        #expect(violation.section.hasPrefix("RFC 6265"))
        #expect(!violation.sentence.isEmpty && violation.sentence.count < 300)
        #expect(violation.description.hasPrefix("byte \(violation.offset): "))
    }

    @Test func `every kind of departure is met`() {
        let met = Set((Self.setCookies + Self.cookies).flatMap(\.kinds))
        #expect(met == Set(CookieViolation.Kind.allCases))
    }

    @Test func `pairs of a Cookie field are read with their places`() {
        let field = CookieField(parsing: bytes(#" a = 1 ;;b;=c; d="x=y";"#))
        let found = field.pairs.map { "\(text($0.name))|\(text($0.value))@\($0.offset)" }
        #expect(found == ["a|1@1", "|b@9", "|c@11", #"d|"x=y"@15"#])
    }

    @Test func `no more than 64 departures of a field are told`() {
        let field = bytes(String(repeating: ";", count: 100_000))
        #expect(SetCookie.violations(of: field).count == 64)
        #expect(CookieField.violations(of: field).count == 64)
    }
}
