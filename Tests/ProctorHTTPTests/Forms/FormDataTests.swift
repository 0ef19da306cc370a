import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

/// WHATWG URL §5.1 and §5.2.
struct URLEncodedFormTests {
    @Test func `no bytes have no pairs`() {
        #expect(URLEncodedForm.pieceCount(in: []) == 0)
        URLEncodedForm.forEachFromLast(in: []) { Issue.record("lent \($0) and \($1)") }
    }

    @Test func `values are found by name, in order`() throws {
        let form = try URLEncodedForm(parsing: bytes("a=1&b=2&a=3"))
        #expect(form.values(of: "a") == [bytes("1"), bytes("3")])
        #expect(form.values(of: "c").isEmpty)
    }

    @Test(arguments: 0..<4)
    func `any bytes written are the bytes read`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            func some() -> [UInt8] { (0..<(random.next() % 12)).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
            let form = URLEncodedForm(
                (0..<(random.next() % 5)).map { _ in URLEncodedForm.Pair(name: some(), value: some()) })
            #expect(try URLEncodedForm(parsing: form.bytes) == form)
        }
    }
}

struct FormDataTests {
    @Test func `a part has all its fields`() throws {
        let body = "--b\r\nContent-Disposition: form-data; name=a\r\nX-Other: 1\r\n\r\nx\r\n--b--"
        let form = try FormData(parsing: bytes(body), contentType: bytes("multipart/form-data; boundary=b"))
        #expect(form.parts.first?.fields.value(of: "X-Other") == "1")
    }
}
