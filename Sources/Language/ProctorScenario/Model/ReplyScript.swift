package import ProctorBase

/// A script of a fixture, which was checked when the fixture was loaded.
package final class FixtureScript: Sendable {
    package let text: [UInt8]
    /// The last component of its file's path.
    package let name: String
    /// The place of the script in the fixture, or of its file name.
    package let location: SourceLocation
    /// What the module that reads scripts runs.
    package let program: any Sendable
    /// Whether it reads the content of the request as it comes, so that nothing reads it before.
    package let readsContent: Bool

    package init(
        text: [UInt8], name: String, location: SourceLocation, program: any Sendable, readsContent: Bool = false
    ) {
        (self.text, self.name, self.location, self.program) = (text, name, location, program)
        self.readsContent = readsContent
    }
}

package final class ReplyScript: Sendable {
    package let script: FixtureScript
    /// The libraries of the scenario, which the script may call.
    package let libraries: [FixtureScript]

    package init(script: FixtureScript, libraries: [FixtureScript]) {
        (self.script, self.libraries) = (script, libraries)
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

    /// Whether its script reads the content of the request as it comes.
    package var readsContent: Bool { script?.script.readsContent ?? false }
}
