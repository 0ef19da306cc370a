import Foundation
import ProctorBase
import ProctorScript
import ProctorTestWire

extension ReaderRunner {
    static let scripts: [String: DataReader] = [
        // `SCRIPT`, or `LIBRARY ;; LIBRARY >> SCRIPT ;; SCRIPT`, in one state. Words: `order 1121` (which are started), `with
        // TEXT,-` (what steps give), `line N`, `pauses` (it may), and bounds: `instructions N`, `stretch N`, `whole-stretch N`,
        // `memory N`, `allocated N`.
        "script": .text { text, block in try ScriptLines(text, block).lines() }
    ]
}

private struct ScriptLines {
    private let libraries: [String]
    private let scripts: [String]
    private let block: Block

    init(_ text: String, _ block: Block) {
        let halves = text.components(separatedBy: " >> ")
        libraries = halves.count > 1 ? halves[0].components(separatedBy: " ;; ") : []
        scripts = halves[halves.count - 1].components(separatedBy: " ;; ")
        self.block = block
    }

    func lines() throws -> [String] {
        var bounds = ScriptBounds()
        // So that a slow machine does not come to this one first.
        bounds.duration = .seconds(60)
        bounds.instructionCount = try block.number(of: "instructions") ?? bounds.instructionCount
        bounds.stretchCount = try block.number(of: "stretch") ?? bounds.stretchCount
        bounds.wholeStretchCount = try block.number(of: "whole-stretch") ?? bounds.wholeStretchCount
        bounds.memoryByteCount = try block.number(of: "memory") ?? bounds.memoryByteCount
        bounds.allocatedByteCount = try block.number(of: "allocated") ?? bounds.allocatedByteCount
        let order = (block.value(of: "order") ?? String(scripts.indices.map { "\($0 + 1)" }.joined())).compactMap(
            \.wholeNumberValue)
        let (first, results) = (try block.number(of: "line"), block.value(of: "with")?.components(separatedBy: ","))
        do throws(ScriptFailure) {
            let state = try ScriptState(bounds, effects: ["reset", "half_close", "stall"])
            for (index, text) in libraries.enumerated() {
                let source = ScriptSource(text: Array(text.utf8), file: "folder/\(index).lua", role: .library)
                if let mistake = source.mistake() { return [told(mistake)] }
                try state.load(try state.compile(source), for: TrialHost())
            }
            var compiled: [ScriptState.Compiled] = []
            for text in scripts {
                var source = ScriptSource(text: Array(text.utf8), file: "folder/trial.lua")
                if let first { source = ScriptSource(text: Array(text.utf8), file: "trial.yaml", firstLine: first) }
                if let mistake = source.mistake() { return [told(mistake)] }
                compiled.append(try state.compile(source))
            }
            return order.flatMap { play(compiled[$0 - 1], in: state, with: results ?? []) }
        } catch {
            return [error.message]
        }
    }

    private func told(_ mistake: ScriptSource.Mistake) -> String {
        "\(mistake.line):\(mistake.column): \(mistake.sentence)"
    }

    /// A minus sign gives nothing, `zeros:N` so many bytes.
    private func play(_ script: ScriptState.Compiled, in state: ScriptState, with results: [String]) -> [String] {
        var outcome = state.start(script, for: TrialHost(), pauses: block.has("pauses"))
        var lines = [describe(outcome)]
        for result in results {
            guard case .step(_, let call) = outcome else { break }
            let zeros = result.hasPrefix("zeros:") ? Int(result.dropFirst(6)) : nil
            let value =
                zeros.map { ScriptValue.text([UInt8](repeating: 0, count: $0)) }
                ?? (result == "-" ? .none : .text(Array(result.utf8)))
            outcome = state.resume(call, with: value)
            lines.append(describe(outcome))
        }
        return lines.map { $0.replacing("\n", with: "\\n") }
    }
}
