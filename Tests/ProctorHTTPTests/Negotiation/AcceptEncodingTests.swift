import ProctorHTTP
import Testing

/// RFC 9110 §12.5.3.
struct AcceptEncodingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let value: String?
        let names: [String]
        let choice: AcceptEncoding.Choice
        var testDescription: String { "\(value ?? "no field") of \(names): \(choice)" }

        init(_ value: String?, _ names: [String], choice: AcceptEncoding.Choice) {
            self.value = value
            self.names = names
            self.choice = choice
        }
    }

    static let ours = ["br", "gzip", "deflate"]

    /// The examples of the section and its rules.
    static let rules: [Row] = [
        Row(nil, ours, choice: .identity), Row("", ours, choice: .identity), Row("*", ours, choice: .coding("br")),
        Row("compress, gzip", ours, choice: .coding("gzip")),
        Row("compress;q=0.5, gzip;q=1.0", ours, choice: .coding("gzip")),
        Row("gzip;q=1.0, identity; q=0.5, *;q=0", ours, choice: .coding("gzip")),
        Row("gzip, br", ours, choice: .coding("br")),
        Row("gzip, br;q=0.9", ours, choice: .coding("gzip")), Row("gzip;q=0", ours, choice: .identity),
        Row("identity;q=0", ours, choice: .nothing), Row("*;q=0", ours, choice: .nothing),
        Row("*;q=0, identity", ours, choice: .identity), Row("*;q=0, identity;q=0.001", ours, choice: .identity),
        Row("identity;q=0, gzip;q=0.001", ours, choice: .coding("gzip")),
        Row("identity, gzip;q=0.5", ours, choice: .identity),
        Row("identity;q=0.5, gzip;q=0.5", ours, choice: .coding("gzip")), Row("identity", ours, choice: .identity),
        Row("zstd", ours, choice: .identity), Row("zstd, *;q=0", ours, choice: .nothing),
        Row("gzip;q=0, *", ours, choice: .coding("br")),
        Row("gzip;q=0, *", ["gzip"], choice: .identity),
        Row("br;q=0, gzip;q=0.2, *;q=0.1", ours, choice: .coding("gzip")),
        Row("*;q=0.5, gzip;q=0.1", ours, choice: .coding("br")), Row("gzip", [], choice: .identity),
        Row("*;q=0", [], choice: .nothing),
        Row("x-gzip", ours, choice: .coding("gzip")), Row("gzip", ["x-gzip"], choice: .coding("x-gzip")),
        Row("X-Compress", ["compress"], choice: .coding("compress")), Row("GZIP", ours, choice: .coding("gzip")),
        Row("x-br", ours, choice: .identity), Row("gzip;q=0, gzip", ours, choice: .identity),
        Row("gzip, gzip;q=0", ours, choice: .coding("gzip")),
        Row("gzip;Q=0.4, br ; q=0.3", ours, choice: .coding("gzip")), Row(", ,gzip,", ours, choice: .coding("gzip")),
        Row("gzip", ["identity", "gzip"], choice: .coding("gzip")),
    ]

    /// What another implementation is tested with (jshttp/negotiator, test/encoding.js).
    static let outside: [Row] = [
        Row("gzip", ["identity", "gzip"], choice: .coding("gzip")),
        Row("gzip, compress", ["compress"], choice: .coding("compress")),
        Row("deflate", ["gzip", "identity"], choice: .identity),
        Row("gzip, compress", ["compress", "identity"], choice: .coding("compress")),
        Row("gzip;q=0.8, identity;q=0.5, *;q=0.3", ["identity", "gzip", "compress"], choice: .coding("gzip")),
        Row("gzip;q=0.8, identity;q=0.5, *;q=0.3", ["identity", "compress"], choice: .identity),
        Row("gzip;q=0.8, compress", ["gzip", "compress"], choice: .coding("compress")),
        Row("*;q=0, identity;q=0.5", ["gzip"], choice: .identity),
    ]

    @Test(arguments: rules + outside)
    func `the coding is chosen that the client likes best`(_ row: Row) {
        let accepted = AcceptEncoding(row.value.map { [HTTPField("Accept-Encoding", $0)] } ?? [])
        #expect(accepted.choose(among: row.names) == row.choice)
        #expect(accepted.violations.isEmpty)
    }

    @Test func `lines are one list`() {
        let fields = [HTTPField("Accept-Encoding", "gzip;q=0.5"), HTTPField("accept-encoding", "br;q=0.7, *;q=0")]
        let accepted = AcceptEncoding(fields)
        #expect(accepted.choose(among: Self.ours) == .coding("br"))
        #expect(accepted.weight(of: "x-gzip") == 500)
        #expect(accepted.weight(of: "zstd") == 0)
        #expect(AcceptEncoding([]).weight(of: "gzip") == nil)
    }

    @Test(arguments: [
        ("0", 0), ("0.", 0), ("0.0", 0), ("0.001", 1), ("0.01", 10), ("0.1", 100), ("0.999", 999), ("1", 1000),
        ("1.", 1000), ("1.0", 1000), ("1.000", 1000),
    ])
    func `a weight has at most three digits`(_ text: String, _ weight: Int) {
        let accepted = AcceptEncoding([HTTPField("Accept-Encoding", "gzip;q=\(text)")])
        #expect(accepted.codings.map(\.weight) == [weight])
    }

    @Test(arguments: [
        ("gzip;q=", FieldViolation.Kind.badWeight, 7), ("gzip;q=1.001", .badWeight, 7), ("gzip;q=2", .badWeight, 7),
        ("gzip;q=0.1234", .badWeight, 7), ("gzip;q=.5", .badWeight, 7), ("gzip;q=-0", .badWeight, 7),
        ("gzip;q=01", .badWeight, 7), ("gzip;q=0.5x", .badWeight, 7),
        ("gzip;level=1", .badCoding, 0), ("gzip br", .badCoding, 0), ("gzip;", .badCoding, 0), (";q=1", .badCoding, 0),
        ("\"gzip\"", .badCoding, 0), ("br, gzip;q=x", .badWeight, 11), ("gzip;q=1;q=1", .badWeight, 7),
    ])
    func `what can't be read is passed over`(_ value: String, _ kind: FieldViolation.Kind, _ offset: Int) {
        let accepted = AcceptEncoding([HTTPField("Accept-Encoding", value), HTTPField("Accept-Encoding", "deflate")])
        #expect(accepted.violations.map(\.kind) == [kind])
        #expect(accepted.violations.map(\.offset) == [offset])
        #expect(accepted.weight(of: "deflate") == 1000)
    }

    @Test func `a hundred codings are read, and one more is refused with the bound`() {
        let full = (0..<100).map { "c\($0)" }.joined(separator: ",")
        #expect(AcceptEncoding([HTTPField("Accept-Encoding", full)]).codings.count == 100)
        let over = AcceptEncoding([HTTPField("Accept-Encoding", full + ",gzip")])
        #expect(over.violations.map(\.kind) == [.tooManyCodings])
        #expect(over.violations.first?.sentence.contains("100") == true)
        #expect(over.choose(among: ["gzip"]) == .identity)
    }
}
