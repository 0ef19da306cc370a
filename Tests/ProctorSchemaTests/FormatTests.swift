import ProctorBase
import Testing

@testable import ProctorSchema

@Suite struct FormatTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let format: SchemaFormat
        let accepted: [String]
        let refused: [String]

        var testDescription: String { format.rawValue }
    }

    static let rows = [
        Row(
            format: .dateTime,
            accepted: ["2026-11-26T00:30:00Z", "2026-11-26t00:30:00.5+01:30", "1998-12-31T23:59:60Z"],
            refused: [
                "2026-11-26 00:30:00Z", "2026-02-30T00:00:00Z", "2026-11-26T00:30:00", "1998-12-31T23:58:60Z", "",
            ]),
        Row(format: .date, accepted: ["2024-02-29"], refused: ["2023-02-29", "2026-13-01", "2026-1-01", "20260101"]),
        Row(
            format: .time, accepted: ["23:59:59Z", "00:29:60-23:30"],
            refused: ["24:00:00Z", "12:00:00", "12:00Z", "12:00:00.Z"]),
        Row(
            format: .duration, accepted: ["P1Y2M3DT4H5M6S", "PT1M", "P2W"],
            refused: ["P", "PT", "P1", "1Y", "P1D2H", "P1Y2W"]),
        Row(
            format: .email, accepted: ["a.b@example.org", "\"a b\"@example.org", "a@[127.0.0.1]"],
            refused: ["a", "@b", ".a@b", "a..b@c", "a@b c"]),
        Row(format: .hostname, accepted: ["example.org", "a-1"], refused: ["-a", "a-", "a..b", "a_b", "", "ab--c"]),
        Row(format: .ipv4, accepted: ["127.0.0.1"], refused: ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"]),
        Row(
            format: .ipv6, accepted: ["::1", "::", "d6::", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"],
            refused: ["1:2:3:4:5:6:7", "1::2::3", ":1", "1:", "::12345", "::1.2.3", "fe80::a%eth1"]),
        Row(
            format: .uri, accepted: ["http://a.test/b?c#d", "urn:x:y", "http://[::1]:80/"],
            refused: ["/a", "http://a b", "http://[::1", "1:x", "http://a.test/%zz", "http://a:b/"]),
        Row(format: .uriReference, accepted: ["/a", "#x", "", "../b"], refused: ["\\\\a", "a b", "1:x"]),
        Row(
            format: .uuid, accepted: ["2eb8aa08-aa98-11ea-b4aa-73b441d16380"],
            refused: ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638"]),
        Row(format: .jsonPointer, accepted: ["", "/a~1b/0"], refused: ["a", "/a~2"]),
        Row(format: .relativeJSONPointer, accepted: ["0", "1/a", "2#"], refused: ["", "01", "-1", "1a"]),
        Row(format: .regex, accepted: ["a+", "^\\d$"], refused: ["(", "\\q"]),
        Row(format: .byte, accepted: ["YWJj", ""], refused: ["YWJ*"]),
    ]

    @Test(arguments: rows) func `a format that is asked for is asserted`(_ row: Row) throws {
        for (texts, isValid) in [(row.accepted, true), (row.refused, false)] {
            for text in texts {
                var json = JSONText()
                json.string(text)
                let value = String(decoding: json.bytes, as: UTF8.self)
                let schema = "format: \(row.format.rawValue)"
                let verdict = try SchemaText.verdict(schema, value, formats: [row.format])
                #expect(verdict.isValid == isValid, "\(text): \(verdict.sentences)")
                #expect(try SchemaText.verdict(schema, value).isValid, "a format that no list names says nothing")
            }
        }
        #expect(try SchemaText.verdict("format: \(row.format.rawValue)", "[1]", formats: [row.format]).isValid)
    }

    @Test func `whole numbers have their bits`() throws {
        func isValid(_ format: SchemaFormat, _ value: String) throws -> Bool {
            try SchemaText.verdict("format: \(format.rawValue)", value, formats: [format]).isValid
        }
        #expect(try isValid(.int32, "-2147483648") && !isValid(.int32, "2147483648") && !isValid(.int32, "1.5"))
        #expect(try isValid(.int64, "9223372036854775807") && !isValid(.int64, "9223372036854775808"))
        #expect(try isValid(.int64, "\"x\""))
    }
}
