import ProctorHTTP
import Testing

struct HTTPFieldTests {
    private let fields = [
        HTTPField("Vary", "Accept"), HTTPField("Set-Cookie", "a=1"), HTTPField("vary", "Origin"),
        HTTPField("VARY", "X"),
    ]

    @Test(
        arguments: [
            ([0x5A, 0x6F, 0xC3, 0xAB], "Zoë"), ([0x5A, 0x6F, 0xEB], "Zoë"), ([0xFF, 0x00], "ÿ\u{0}"), ([], ""),
        ] as [([UInt8], String)])
    func `a value is read as UTF-8, else as Latin-1, and keeps its bytes`(_ raw: [UInt8], _ value: String) {
        let field = HTTPField(name: "X", bytes: raw)
        #expect(field.value == value)
        #expect(field.bytes == raw)
    }

    @Test func `a value that is set is UTF-8`() {
        var field = HTTPField(name: "X", bytes: [0xEB])
        field.value = "ë"
        #expect(field.bytes == [0xC3, 0xAB])
    }

    @Test func `names are found in any case`() {
        #expect(fields.value(of: "VaRy") == "Accept")
        #expect(fields.first(named: "set-cookie") == fields[1])
        #expect(fields.all(named: "vary").map(\.value) == ["Accept", "Origin", "X"])
        #expect(fields.contains(named: "VARY"))
        #expect(!fields.contains(named: "Var"))
        #expect(fields.value(of: "Varies") == nil)
    }

    @Test func `case is that of ASCII only`() {
        #expect(!HTTPField("K", "").isNamed("\u{212A}"), "the Kelvin sign is no K")
        #expect(!HTTPField("[", "").isNamed("{"))
    }

    @Test func `one is set in the place of all of its name`() {
        var changed = fields
        changed.set("vArY", to: "*")
        #expect(changed == [HTTPField("vArY", "*"), HTTPField("Set-Cookie", "a=1")])
        changed.set(HTTPField("Age", "1"))
        #expect(changed.last == HTTPField("Age", "1"))
        #expect(changed.count == 3)
        changed.removeAll(named: "SET-COOKIE")
        #expect(changed.map(\.name) == ["vArY", "Age"])
    }

    @Test(arguments: [
        (HTTPField("X-A", "b\tc"), true), (HTTPField("X-A", ""), true),
        (HTTPField(name: "X", bytes: [0x80, 0xFF]), true),
        (HTTPField("X-A", "b\r\nHost: c"), false), (HTTPField("X-A", "b\nc"), false),
        (HTTPField("X-A", "\u{0}"), false),
        (HTTPField("X A", "b"), false), (HTTPField("", "b"), false), (HTTPField("X:", "b"), false),
        (HTTPField("X-A", "\u{7F}"), false),
    ])
    func `what would end its line can't be sent`(_ field: HTTPField, _ isSendable: Bool) {
        #expect(field.isSendable == isSendable)
    }

    @Test func `a line that was read is taken as it is`() {
        let section = FieldSection([(name: bytes("X-Name"), value: [0x5A, 0xEB])])
        #expect([HTTPField](section) == [HTTPField(name: "X-Name", bytes: [0x5A, 0xEB])])
    }
}

/// RFC 9110 §5.6.1 and §5.3.
struct HTTPFieldElementsTests {
    @Test func `a name is listed whatever its letter case`() {
        let fields = [HTTPField("Connection", "Keep-Alive"), HTTPField("connection", "x, CLOSE")]
        #expect(fields.lists("close", in: "Connection"))
        #expect(fields.lists("keep-alive", in: "Connection"))
        #expect(fields.lists("Close", in: "Connection"))
        #expect(!fields.lists("clos", in: "Connection"))
        #expect(!fields.lists("close", in: "Proxy-Connection"))
        #expect(fields.elements(of: "Connection").map { text($0) } == ["Keep-Alive", "x", "CLOSE"])
    }

    @Test func `a field with one value is refused when it comes twice`() throws {
        #expect(try [HTTPField]().singleValue(of: "A") == nil)
        #expect(try [HTTPField("a", "1")].singleValue(of: "A") == bytes("1"))
        let error = try #require(throws: FieldViolation.self) {
            try [HTTPField("a", "1"), HTTPField("A", "2")].singleValue(of: "A")
        }
        #expect(error.kind == .severalValues)
        #expect(error.description.contains("\"2\""))
    }
}
