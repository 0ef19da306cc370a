package import ProctorBase
package import ProctorScript

/// A script of a fixture, whose syntax was checked when the fixture was loaded.
package final class FixtureScript: Sendable {
    package let source: ScriptSource
    /// The place of the script in the fixture, or of its file name.
    package let location: SourceLocation

    package init(source: ScriptSource, location: SourceLocation) {
        (self.source, self.location) = (source, location)
    }
}

extension FixtureScript {
    package var text: [UInt8] { source.text }

    /// The last component of its file's path.
    package var name: String { source.name }
}

/// Reads tables that scripts return, with the keys and words of a fixture.
package protocol ScriptTables: Sendable {
    /// Reads an effect; nil for a step that is no effect.
    ///
    /// Throws a sentence without a place.
    func action(of step: ScriptStep, of script: FixtureScript) throws(ScriptFailure) -> Effect.Action?

    /// Reads a reply, whose text is never late-bound.
    ///
    /// Throws a sentence without a place.
    func reply(_ table: ScriptValue, of script: FixtureScript) throws(ScriptFailure) -> Reply
}

package final class ReplyScript: Sendable {
    package let script: FixtureScript
    /// Reads the tables that the script returns.
    package let tables: any ScriptTables
    /// The libraries of the scenario, which the script may call.
    package let libraries: [FixtureScript]

    package init(script: FixtureScript, tables: any ScriptTables, libraries: [FixtureScript]) {
        (self.script, self.tables, self.libraries) = (script, tables, libraries)
    }
}

extension Scenario {
    /// All scripts of requests, replies and turns of WebSockets, each once.
    package var scripts: [FixtureScript] {
        exchanges.flatMap { exchange in
            exchange.replies.flatMap { reply in
                (reply.script.map { [$0.script] } ?? []) + (reply.webSocket?.scripts.map(\.script) ?? [])
            } + (exchange.request.script.map { [$0] } ?? [])
        }
    }
}

extension Reply {
    /// The script of the reply; nil for a reply that the fixture writes.
    package var script: ReplyScript? {
        if case .script(let script)? = message { script } else { nil }
    }
}
