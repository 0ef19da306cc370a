import ProctorBase
import Testing

struct SpanTests {
    @Test(arguments: [[], [1], Array(0...255)] as [[UInt8]])
    func `a span becomes an array, and is appended to one`(bytes: [UInt8]) {
        #expect(bytes.span.array == bytes)
        var target: [UInt8] = [9]
        target.append(bytes.span)
        #expect(target == [9] + bytes)
    }
}
