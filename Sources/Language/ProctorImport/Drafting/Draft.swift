/// A scenario that is to be written.
package struct Draft: Sendable {
    package var summary: String
    /// Lines above the summary.
    package var comments: [String] = []
    /// The first is `main`.
    package var origins: [DraftOrigin] = []
    package var guards: [YAMLTree.Member] = []
    package var state: [YAMLTree.Member] = []
    package var exchanges: [DraftExchange] = []
    package var cases: [YAMLTree.Member] = []
    package var remarks = ImportRemarks()
    package var secrets = ReplacedSecrets()
    /// What the source says came, to which the scenario is held.
    package var claims: [SourceClaim] = []
    /// The description that replies are held to; nil where the source is none.
    package var description: SourceDescription?
    /// The file of the description as the scenario names it, under `expect`; nil: messages of a run are not held to it.
    package var expectation: Expectation?

    /// What of a run is held to the description.
    package struct Expectation: Sendable {
        package let replies: Bool

        package init(replies: Bool) { self.replies = replies }
    }

    package init(summary: String) { self.summary = summary }
}

package struct DraftOrigin: Sendable {
    /// The name in the scenario.
    package let name: String
    /// The URL that the source has, as `https://shop.example.com`.
    package let url: String
    /// Its keys in a fixture.
    var settings: [YAMLTree.Member] = []
}

package struct DraftExchange: Sendable {
    package var request: DraftRequest
    /// The replies by turn; never empty.
    package var replies: [DraftReply]
    /// nil: the first origin.
    package var origin: String?
    /// `when`, `times` and other keys beside the request.
    package var more: [YAMLTree.Member] = []
    /// The place in the source of what it is made of, the first where there are several; empty where it is not known.
    package var place = ""

    package init(_ request: DraftRequest, _ replies: [DraftReply], origin: String? = nil) {
        (self.request, self.replies, self.origin) = (request, replies, origin)
    }
}

/// Texts are patterns of the language already.
package struct DraftRequest: Sendable, Hashable {
    package var method: String
    package var path: YAMLTree
    package var query: [YAMLTree.Member]?
    package var headers: [YAMLTree.Member] = []
    package var cookies: [YAMLTree.Member] = []
    /// `json`, `form`, `parts`, `body` or `any of`, and `where`.
    package var content: [YAMLTree.Member] = []

    package init(_ method: String, _ path: YAMLTree) {
        (self.method, self.path) = (method, path)
    }
}

package struct DraftReply: Sendable, Hashable {
    package var status: Int
    package var reason: String?
    package var version: String?
    /// Values are late-bound text.
    package var headers: [YAMLTree.Member] = []
    /// The steps in their order.
    package var coding: [YAMLTree] = []
    package var framing: String?
    package var trailers: [YAMLTree.Member] = []
    package var interim: [YAMLTree] = []
    package var body = DraftBody.none
    /// What happens behind the body in place of the rest: `close`, `reset` or `stall`.
    package var ending: String?
    /// Whether `more` says all of it, as `raw` does.
    package var isRaw = false
    /// `effects`, `sets` and other keys.
    package var more: [YAMLTree.Member] = []

    package init(_ status: Int) { self.status = status }
}

package enum DraftBody: Sendable, Hashable {
    case none
    /// Late-bound text, which stands in the fixture.
    case late(String)
    /// Text that means itself.
    case text(String)
    case bytes([UInt8])
    case made(YAMLTree)
    /// A file that becomes one of the scenario.
    case stored(StoredContent)
}

/// Text of the language that means the bytes themselves.
enum LiteralText {
    /// In a pattern: `*`, `{`, `}` and `\` stand for themselves.
    static func pattern(_ text: String) -> String {
        var pattern = ""
        for scalar in text.unicodeScalars {
            if "*{}\\".unicodeScalars.contains(scalar) { pattern += "\\" }
            pattern.unicodeScalars.append(scalar)
        }
        return pattern
    }

    /// In late-bound text: `{{` stands for itself.
    static func late(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "{")) ? doubling(text) : text
    }

    private static func doubling(_ text: String) -> String {
        var doubled = ""
        var rest = text[...]
        while let index = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
            let next = rest.utf8.index(after: index)
            doubled += rest[..<index]
            guard next < rest.endIndex, rest.utf8[next] == UInt8(ascii: "{") else {
                doubled += "{"
                rest = rest[next...]
                continue
            }
            doubled += "{{{{"
            rest = rest[rest.utf8.index(after: next)...]
        }
        return doubled + rest
    }
}
