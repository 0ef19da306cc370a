import ProctorHTTP
import Testing

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
