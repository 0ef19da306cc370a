import Foundation
import ProctorHTTP
import ProctorTestSupport
import Testing

struct OriginTests {
    @Test func `brackets and capitals are no part of a host`() {
        let origin = Origin(scheme: .http, host: "[FE80::1]", port: 8080)
        #expect(origin.host == "fe80::1")
        #expect(origin.authority == "[fe80::1]:8080")
        #expect(origin.description == "http://[fe80::1]:8080")
        #expect(Origin(scheme: .https, host: "H", port: 443).description == "https://h")
        #expect(Origin(scheme: .https, host: "h", port: 80).authority == "h:80")
    }
}

struct ClientURLFuzzTests {
    @Test(arguments: 0..<8)
    func `whatever is typed or sent, a URL is legal and canonical or refused`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let specialBytes = bytes("http://u@h:8/.%2e\\?#[] \"\r\n\t\u{0}\u{FF}\u{C3}%zA")
        let base = try ClientURL("http://h/a/b?c#d")
        var taken = 0
        for _ in 0..<2000 {
            var input = random.next() % 2 == 0 ? bytes("http://h") : []
            for _ in 0...(random.next() % 12) {
                input.append(specialBytes[Int(random.next() % UInt64(specialBytes.count))])
            }
            for url in [try? ClientURL(input), try? base.resolving(location: input)].compactMap(\.self) {
                taken += 1
                let parsed = try URIReference(parsing: url.reference.bytes)
                #expect(parsed == url.reference)
                #expect(url.target.first == UInt8(ascii: "/"))
                #expect(url.target.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
                #expect(url.hostField.isSendable)
                #expect(try ClientURL(url.text) == url)
            }
        }
        #expect(taken > 500)
    }
}
