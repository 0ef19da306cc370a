@testable package import ProctorScript

/// The world of a script in tests: a state that counts, and values that stay.
package final class TrialHost: ScriptHost {
    private var kept: [[UInt8]: [UInt8]] = [:]
    private var randomCount: UInt64 = 0

    package init() {}

    package var body: [UInt8]? { nil }

    package func write(_ property: RequestProperty, to values: ValueBuffer) {
        switch property {
        case .method: values.text("GET")
        case .header:
            values.table(elements: 0, members: 1)
            values.text("host")
            values.text("a.example")
            values.setMember()
            values.setMetatable(.fields)
        default: values.none()
        }
    }

    /// No hash: the last byte and the number of bytes.
    package func hash(_ function: String, _ bytes: [UInt8]) -> [UInt8]? {
        function == "md5" ? [bytes.last ?? 0, UInt8(truncatingIfNeeded: bytes.count)] : nil
    }

    /// No keys.
    package func use(_ key: ScriptKey, to act: ScriptKey.Act) -> Result<ScriptValue, ScriptFailure> {
        .failure(ScriptFailure("no keys for \(String(decoding: key.algorithm, as: UTF8.self))"))
    }

    package func nextRandom() -> UInt64 {
        randomCount += 1
        return randomCount << 60
    }

    package func unixTime() -> Double { 1_700_000_000.5 }
    package func monotonicTime() -> Double { 12.25 }
    package func httpDate(_ unixSeconds: Int64) -> [UInt8]? { Array("date \(unixSeconds)".utf8) }
    package func state(_ scope: ScriptScope, _ name: [UInt8]) -> [UInt8]? { kept[name] }

    package func setState(_ scope: ScriptScope, _ name: [UInt8], to value: [UInt8]?) -> String? {
        kept[name] = value
        return nil
    }

    package func addToState(_ scope: ScriptScope, _ name: [UInt8], _ number: Int64) -> Result<Int64, ScriptFailure> {
        let sum = (kept[name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? 0) + number
        kept[name] = Array("\(sum)".utf8)
        return .success(sum)
    }

    package func takeFromState(_ scope: ScriptScope, _ name: [UInt8]) -> Result<[UInt8]?, ScriptFailure> {
        .success(kept.removeValue(forKey: name))
    }

    package var hasMessages: Bool { false }
    package func joinChannel(_ name: [UInt8]) -> String? { nil }

    package func sendToChannel(_ name: [UInt8], _ message: ScriptMessage) -> Result<Int64, ScriptFailure> {
        .success(Int64(name.count))
    }
}

/// What a script comes to, in one line of text.
package func outcome(of text: String, _ bounds: ScriptBounds = ScriptBounds()) -> String {
    let source = ScriptSource(text: Array(text.utf8), file: "folder/trial.lua")
    if let mistake = source.mistake() { return "\(mistake.line):\(mistake.column): \(mistake.sentence)" }
    do throws(ScriptFailure) {
        let state = try ScriptState(bounds, effects: ["reset", "half_close", "stall"])
        return describe(state.start(try state.compile(source), for: TrialHost()))
    } catch {
        return error.message
    }
}

/// The answer, the step or the failure as a line.
package func describe(_ outcome: ScriptState.Outcome) -> String {
    switch outcome {
    case .answer(.plain(let plain)):
        return "\(plain.status) "
            + (0..<plain.fields.count).map {
                "\(text(Array(plain.fields.name($0))))=\(text(Array(plain.fields.value($0)))) "
            }.joined()
            + text(plain.body)
    case .answer(.table(let value)):
        var bytes: [UInt8] = []
        try? LuaJSON.encode(value, into: &bytes)
        return text(bytes)
    case .answer(.nothing): return "nothing"
    case .answer(.flag(let flag)): return "\(flag)"
    case .step(let step, _): return "\(step)"
    case .failure(let failure): return failure.message
    }
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
