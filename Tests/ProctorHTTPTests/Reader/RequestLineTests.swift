import ProctorBase
import Testing

@testable import ProctorHTTP

struct RequestLineTests {
    @Test(arguments: [
        "GET / HTTP/1.1", "G / HTTP/1.0", "get /a?b=c HTTP/1.2", "!#$%&'*+-.^_`|~09azAZ / HTTP/1.1",
        "OPTIONS * HTTP/1.1", "CONNECT a.example:443 HTTP/1.1", "CONNECT [::1]:8088 HTTP/1.1", "GET http://a HTTP/1.1",
        "GET http://[::1]:8088/x?y HTTP/1.1", "GET urn:isbn:0 HTTP/1.1", "GET //a//b HTTP/1.1",
        "GET /azAZ09-._~!$&'()*+,;=:@/%20%ff HTTP/1.1", "GET /?azAZ09-._~!$&'()*+,;=:@/?%00 HTTP/1.1",
    ])
    func `the quick way and the careful way read a line alike`(_ line: String) throws {
        let input = bytes(line + "\r\n")
        var findings = Findings(of: .request)
        let quick = try RequestLine(
            input.span, end: input.count, limits: RequestLimits(), findings: &findings)
        let careful = try RequestLine(
            careful: input.span, end: input.count, limits: RequestLimits(), findings: &findings)
        #expect(quick == careful)
        #expect(findings.violations == [])
    }

    @Test func `a line feed is found at every place of inputs of every length`() {
        for count in 0..<40 {
            var input = [UInt8](repeating: 0x0B, count: count)
            #expect(input.span.indexOfLineFeed(from: 0) == count)
            for place in 0..<count {
                input[place] = 0x0A
                for start in 0...place { #expect(input.span.indexOfLineFeed(from: start) == place) }
                input[place] = 0x8A
            }
        }
    }

    @Test(arguments: [
        ("", [""]), ("a", ["a"]), (" a , b\t", ["a", "b"]), ("a,,b", ["a", "", "b"]), (",", ["", ""]),
        ("\"a,b\",c", ["\"a,b\"", "c"]), ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"a,b", ["\"a,b"]),
        ("\"a\\", ["\"a\\"]),
    ])
    func `a list is parted at its commas`(_ value: String, _ expected: [String]) {
        let value = bytes(value)
        var elements = ListElements()
        var found: [String] = []
        while let element = elements.next(in: value.span) { found.append(text(value[element])) }
        #expect(found == expected)
    }
}
