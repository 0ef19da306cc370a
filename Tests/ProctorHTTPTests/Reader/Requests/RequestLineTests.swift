import Testing

@testable import ProctorHTTP

struct RequestLineTests {
    @Test(arguments: WellFormed.all)
    func `the quick way and the careful way read a line alike`(_ row: WellFormed) throws {
        let end = try #require(row.input.firstIndex(of: 0x0A)) + 1
        var findings = Findings(of: .request)
        let quick = try RequestLine(row.input.span, end: end, limits: RequestLimits(), findings: &findings)
        let careful = try RequestLine(careful: row.input.span, end: end, limits: RequestLimits(), findings: &findings)
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
