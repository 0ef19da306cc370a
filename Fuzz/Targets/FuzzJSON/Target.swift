import FuzzSupport
import ProctorBase
import ProctorFixtures
import ProctorScenario

/// Input: what a fixture writes behind `json:`, as flow YAML on one line, and behind the line's end a document.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let wanted = input.section(endingWith: UInt8(ascii: "\n"))
    let text = input.remaining
    guard let document = read(text) else { return 0 }
    guard let pattern = pattern(wanted) else { return 0 }
    compare(pattern, document)
    // What a pattern makes matches it, and is read as often as one likes.
    guard let json = pattern.json else { return 0 }
    guard let made = read(Array(json.utf8)) else { finding("no JSON: \(json)") }
    var matcher = JSONMatcher(made)
    check(matcher.verdict(pattern) != .fails, "\(json) does not match the pattern that made it")
    return 0
}

private func pattern(_ wanted: [UInt8]) -> JSONPattern? {
    let yaml =
        Array("summary: s\nexchanges:\n  - reply: { status: 200 }\n    request: { method: POST, path: /, json: ".utf8)
        + wanted + Array(" }\n".utf8)
    let scenario = ScenarioLoader.parse(yaml, id: "fuzz/json", file: "input.yaml").scenario
    guard case .json(let pattern)? = scenario?.exchanges.first?.request.body else { return nil }
    return pattern
}

/// There is a difference unless the pattern matches; the contrary has the contrary verdict.
private func compare(_ pattern: JSONPattern, _ document: JSONDocument) {
    var (first, second, third) = (JSONMatcher(document), JSONMatcher(document), JSONMatcher(document))
    let verdict = first.verdict(pattern)
    let difference = second.difference(pattern)
    check((verdict == .holds) == (difference == nil), "\(verdict) with \(difference?.sentence ?? "no difference")")
    let contrary = third.verdict(.not(pattern))
    // The contrary takes one comparison more, which may be the one too many.
    check(contrary == !verdict || third.isExhausted, "not \(verdict) is \(contrary)")
    if let difference {
        check(
            difference.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F },
            "control characters: \(difference.sentence)")
        _ = try? JSONPointer(difference.pointer)
    }
}
