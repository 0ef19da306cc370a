package import ProctorBase
package import ProctorScript

/// A script of a fixture, checked for its syntax when the fixture was loaded.
package final class FixtureScript: Sendable {
    package let source: ScriptSource
    /// Where the fixture has it, or names its file.
    package let location: SourceLocation

    init(source: ScriptSource, location: SourceLocation) {
        self.source = source
        self.location = location
    }
}

extension FixtureScript {
    package var text: [UInt8] { source.text }

    /// The last part of its file's path.
    package var name: String { source.name }
}

/// A script that answers.
package final class ReplyScript: Sendable {
    package let script: FixtureScript
    /// Reads the tables that the script returns.
    package let tables: ReplyTables
    /// Of the scenario: what its script may call.
    package let libraries: [FixtureScript]

    init(script: FixtureScript, tables: ReplyTables, libraries: [FixtureScript]) {
        self.script = script
        self.tables = tables
        self.libraries = libraries
    }
}

extension Scenario {
    /// All scripts that answer, each once.
    package var scripts: [FixtureScript] {
        exchanges.flatMap { exchange in
            exchange.replies.compactMap(\.script?.script) + (exchange.request.script.map { [$0] } ?? [])
        }
    }
}

extension Reply {
    /// Nil for a reply that the fixture writes.
    package var script: ReplyScript? {
        if case .script(let script)? = message { script } else { nil }
    }
}
