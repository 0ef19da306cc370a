import ProctorBase
package import ProctorDocument
package import ProctorScenario

extension ScenarioReader {
    /// A script, and the libraries at the top of the file; their text is checked by the module that runs them.
    package static let script = LanguageSlot<FixtureScript>("the part for scripts")
    package static let libraries = LanguageSlot<[FixtureScript]>("the part for scripts")
}

extension Shape where Value == FixtureScript {
    package static var script: Shape { ScenarioReader.script.shape }
}

/// The scripts of one file.
///
/// A class, so that all readers of one file share it; used by one thread.
package final class ScriptList {
    var libraries: [FixtureScript] = []
    /// Scripts that make replies, match requests, or have a WebSocket.
    package var answers: [FixtureScript] = []

    /// Whether any of the scripts contains the word `state`.
    var mayChangeState: Bool {
        let word = Array("state".utf8)
        return (libraries + answers).contains { $0.text.firstRange(ofBytes: word) != nil }
    }
}

extension ScenarioReader {
    /// The name of the fixture's file in messages.
    package var filePath: String { file.path }

    /// The content of a file beside the fixture, which is the scenario's own: other content makes another scenario.
    package func sidecarText(_ node: Node, byteLimit: Int) -> (path: String, text: [UInt8])? {
        guard let file = sidecar(node) else { return nil }
        do throws(Diagnostic) {
            let text = try FileBytes.read(file.path, limit: byteLimit)
            fingerprint.mix(text)
            return (file.path, text)
        } catch {
            return sink.refuseFile(node, for: error, of: file.path)
        }
    }

    /// Reads `script:` or `grpc:`, which stands in place of all keys of a message.
    func scripted(_ entry: Node.Entry, _ keys: Mapping<ReplyKeys>, kind: ReplyKind) -> Reply.Message? {
        guard kind == .own else {
            return sink.refuse(
                entry.keyNode, "\(quoted(entry.key)) does not go with a guard's reply, nor with the reply to ranges",
                hint: "write it as a reply of an exchange")
        }
        let beside: Set = [entry.key, "sets", "weight", "then"]
        let isCall = entry.key == "grpc"
        for other in keys.entries where !beside.contains(other.key) {
            sink.report(
                other.keyNode,
                "\(quoted(other.key)) does not go with \(quoted(entry.key)): the \(isCall ? "call" : "script") says it",
                hint: isCall ? "write it under grpc:" : "return it in the script's table")
        }
        return (isCall ? keys[\.grpc] : keys[\.script]).map { .script(replyScript($0)) }
    }

    package func replyScript(_ script: FixtureScript) -> ReplyScript {
        ReplyScript(script: script, libraries: scripts.libraries)
    }
}
