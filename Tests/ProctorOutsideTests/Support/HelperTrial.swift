import Foundation
import ProctorTestSupport
import Testing

/// What the tests of the helpers in `helpers/` share: the `proctor` under test, and the blocks of a README.
enum HelperTrial {
    /// Two exchanges, and a case that asks for the first one.
    static let twoPages = """
        summary: Two
        exchanges: [ { request: GET /a, reply: { status: 200 } }, { request: GET /b, reply: { status: 200 } } ]
        cases: { a: { client: { url: /a }, wire: request(GET /a) } }
        """
    /// What is said behind a session that asked for the first of them.
    static let unused = "proctor: exchanges that no test asked for:\n  inline: never came: GET /b, exchange 1\n"

    /// A busy machine takes seconds to start an interpreter.
    static let patience = Duration.seconds(300)

    /// The variables by which a helper finds the `proctor` under test and the shipped scenarios, and nothing of the user's.
    static let environment = [
        "PROCTOR_BINARY": Child.binary, "PROCTOR_FIXTURES": "\(Project.path)/fixtures", "PROCTOR_SERVER": "",
        "PROCTOR_TOKEN": "",
    ]

    /// The content of the only fenced block of a kind.
    static func block(_ kind: String, of readme: String) throws -> String {
        let pieces = try Project.text(readme).components(separatedBy: "```\(kind)\n")
        try #require(pieces.count == 2, "\(readme) has one block of \(kind)")
        return try #require(pieces[1].components(separatedBy: "```\n").first)
    }

    /// A text in which two runs of a test are equal: without times, ports, spaces, and ends of connections, which come
    /// when they may.
    static func comparable(_ text: String) -> String {
        text.replacing("\(Project.path)/", with: "").split(separator: "\n")
            .filter { !$0.contains("closed by the ") }
            .map { $0.replacing(/[0-9.]+/, with: "0").split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// A program in place of `proctor` that writes the number of its process to `pid` in the folder, and then is `proctor`.
    static func makeTracedBinary(in folder: TestFolder) throws -> String {
        let path = try folder.write(
            "#!/bin/sh\necho $$ > '\(folder.path)/pid'\nexec '\(Child.binary)' \"$@\"\n", to: "proctor")
        try makeExecutable(path)
        return path
    }

    /// Waits until the process that ``makeTracedBinary(in:)`` has noted is gone.
    static func expectEnd(in folder: TestFolder) async throws {
        let text = try folder.text("pid").trimmingCharacters(in: .whitespacesAndNewlines)
        let id = try #require(pid_t(text))
        try await onThread { try wait(for: "the end of the server") { kill(id, 0) != 0 } }
    }
}
