import Foundation
import ProctorProgram
import Testing

/// The rows of the assignment's table against all that knows its keys: the page, and the kit that has types of its own.
struct AssignmentKeyTests {
    private static func text(_ path: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    private static let names = [
        "assignment": Assignment.keys.map { "\($0.name)" }, "session": SessionSetup.keys.map { "\($0.name)" },
        "step": Assignment.Step.keys.map { "\($0.name)" },
    ]

    @Test func `the tables of the page have each key, and no other`() throws {
        let page = try Self.text("Docs/clients/assignment.md")
        let parts = page.components(separatedBy: "\n| key | missing means | value |\n")
        try #require(parts.count == 4)
        for (part, names) in zip(
            parts.dropFirst(), [Self.names["assignment"], Self.names["step"], Self.names["session"]])
        {
            let rows = part.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
            let written = rows.flatMap { row in
                row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
            }
            #expect(written.sorted() == names?.sorted())
        }
    }

    /// What a client without callbacks, or without bytes of its own, can't be told; its abilities refuse such cases.
    private static let withoutCallbacks = [
        "step": [
            "address", "task", "onBodyStream", "onWillCache", "onCanAuthenticate", "onCredentialStorage",
            "onShouldDecode", "onCanonicalize", "answerAfter", "suspendAt", "suspendFor", "resume",
            "producesResumeData", "cachePolicy", "schedule", "protocolScript", "byHand", "reads", "redirectCount",
            "session", "reference", "bytes", "trailers", "bodyLength", "bodyFailsAt", "bodyTurns", "bodyAfter",
            "cancelAfter", "suspendUntil", "trailerNames",
        ],
        "session": [
            "delegates", "without", "challengeMethods", "queue", "end", "endAt", "cache", "namesProxy", "protocols",
            "shared", "keepsObjects", "callsAtOnce", "httpsProxy", "noProxy", "baseURL", "evaluatesTrust",
            "redirectLimit", "redirectCycles", "redirectKeeps", "decodedLimit", "decodedRatio", "connectTimeout",
            "idleTime", "connectionUses", "netrc",
        ],
        "assignment": ["base", "awaited"],
    ]

    @Test(arguments: ["assignment", "session", "step"])
    func `the kit in Go has a field for each key, but for those of clients with callbacks`(object: String) throws {
        let kit = try Self.text("clients/kits/go/assignment.go")
        let start = object == "session" ? "\tSession  struct {" : "type \(object.capitalized) struct {"
        let body = try #require(kit.components(separatedBy: start).dropFirst().first)
        // Fields of the object alone: one level of tabs less stands behind them.
        let indent = object == "session" ? "\t\t" : "\t"
        let lines = body.split(separator: "\n").prefix { !$0.hasPrefix(String(indent.dropLast()) + "}") }
            .filter { $0.hasPrefix(indent) && !["\t", "}", "/"].contains($0.dropFirst(indent.count).prefix(1)) }
        let fields = lines.flatMap { line in
            let words = line.dropFirst(indent.count).prefix { $0 != "*" && $0 != "[" }
            let declared = words.split(separator: ",").map { $0.split(separator: " ").first.map(String.init) ?? "" }
            return declared.filter { !$0.isEmpty }.map { $0.lowercased() }
        }
        let names = try #require(Self.names[object])
        let left = Self.withoutCallbacks[object] ?? []
        #expect(fields.sorted() == names.filter { !left.contains($0) }.map { $0.lowercased() }.sorted())
        #expect(Set(left).isSubset(of: names))
    }
}
