import FuzzSupport
import ProctorRegex

/// Input: a regular expression, a line's end, and a value.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let pattern = String(decoding: input.section(endingWith: UInt8(ascii: "\n")), as: UTF8.self)
    let value = input.remaining
    let expression: RegularExpression
    do throws(RegularExpressionFault) {
        expression = try RegularExpression(pattern)
    } catch {
        check(0...pattern.utf8.count ~= error.offset, "offset \(error.offset) outside \(shown(pattern.utf8))")
        check(!error.sentence.isEmpty, "no sentence for \(shown(pattern.utf8))")
        return 0
    }
    let outcome = expression.match(value.span)
    check(expression.match(value.span) == outcome, "another outcome for \(shown(pattern.utf8))")
    if case .matched(let ranges) = outcome {
        check(ranges.count == expression.groupNames.count, "\(ranges.count) ranges")
        for case let range? in ranges { check(range.upperBound <= value.count, "a range outside the value") }
    }
    if let reach = expression.reach(in: value) { check(0...value.count ~= reach, "a reach outside the value") }
    return 0
}
