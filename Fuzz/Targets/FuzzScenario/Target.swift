import FuzzSupport
import ProctorFixtures
import ProctorModules
import ProctorScenario

/// Once, so that keys of modules are read too.
private let modules: Void = ServerModules.register()

/// Input: a fixture file.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = modules
    let bytes = unsafe FuzzInput(start, count).remaining
    // No folder, so that no sidecar file is looked for.
    let result = ScenarioLoader.parse(bytes, id: "fuzz/input", file: "input.yaml")
    check(
        (result.scenario == nil) == !result.diagnostics.isEmpty,
        "\(result.diagnostics.count) errors, and \(result.scenario == nil ? "no" : "a") scenario")
    let lineCount = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D } + unicodeBreakCount(bytes)
    for diagnostic in result.diagnostics {
        let text = diagnostic.description
        check(text.hasPrefix("input.yaml"), "an error without its file: \(text)")
        check(0...lineCount ~= diagnostic.location.line, "a line that is not there: \(text)")
        check(0...bytes.count + 4 ~= diagnostic.location.column, "a column that is not there: \(text)")
        check(
            !text.unicodeScalars.contains { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value },
            "control characters in \(shown(text.utf8))")
    }
    if let scenario = result.scenario { useParts(of: scenario) }
    return 0
}

/// NEL, LS and PS end lines for YAML.
private func unicodeBreakCount(_ bytes: [UInt8]) -> Int {
    bytes.indices.count { index in
        bytes[index...].starts(with: [0xC2, 0x85]) || bytes[index...].starts(with: [0xE2, 0x80, 0xA8])
            || bytes[index...].starts(with: [0xE2, 0x80, 0xA9])
    }
}

private let sampleTarget = Array("/a/b%20c;d=1/index.html?x=1&y=2".utf8)

/// What is loaded can be used: templates rendered, patterns matched, expressions asked for warnings.
private func useParts(of scenario: Scenario) {
    let context = TemplateContext(
        base: Array("http://127.0.0.1:1".utf8),
        authorities: scenario.origins.map { _ in Array("127.0.0.1:1".utf8) })
    for exchange in scenario.exchanges {
        check(!exchange.replies.isEmpty, "an exchange without a reply")
        _ = exchange.request.target.match(sampleTarget.span)
        for case .structured(let reply)? in exchange.replies.map(\.message) {
            check(100...999 ~= reply.status, "status \(reply.status)")
            for field in reply.headers + reply.trailers { _ = field.value.rendered(in: context) }
            for case .reply(let interim) in reply.interim {
                check(100...199 ~= interim.status, "interim status \(interim.status)")
            }
        }
    }
    for test in scenario.cases {
        check(!test.client.isEmpty, "a case without a client")
    }
    check(!scenario.origins.isEmpty, "a scenario without an origin")
}
