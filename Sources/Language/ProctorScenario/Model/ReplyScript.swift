package import ProctorBase
import ProctorEvents

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

extension FixtureScript {
    private static let awaitCall = Array("await".utf8)

    /// The events that it awaits by a name in quotation marks, as in `await("data")`; a name that is computed is unknown.
    package var syncPoints: [SyncPoint] {
        text.indices.compactMap { start in
            guard text[start...].starts(with: Self.awaitCall), start == 0 || !text[start - 1].isWordByte else {
                return nil
            }
            let rest = text[(start + Self.awaitCall.count)...].drop { $0 == 0x20 || $0 == UInt8(ascii: "(") }
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            let name = String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self)
            return EventName(rawValue: name).map { SyncPoint(event: $0.rawValue) }
        }
    }
}

extension UInt8 {
    fileprivate var isWordByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
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
