import Foundation
import ProctorTestSupport
import Testing

/// The scenarios in `fixtures/example/`, which users copy.
struct ExampleTests {
    private static let folder = "\(Project.path)/fixtures/example"

    /// Each example with the statuses that the lines of its comment show, in their order.
    static let examples: [(name: String, statuses: [Int])] = [
        ("chat", [200, 204]),
        ("crud-resource", [201, 200]),
        ("echo", [200, 201]),
        ("oauth", [401, 302, 200, 200, 200, 200, 401, 200, 200]),
        ("pages", [200, 304, 200, 200, 204, 412, 200]),
        ("rate-limit", [200, 200, 200, 429]),
        ("resumable-upload", [104, 104, 204, 409, 201, 200]),
        ("shopping-list", [201, 201, 204, 200]),
    ]

    @Test func `every example is tried`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        let names = files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }
        #expect(names.sorted() == Self.examples.map(\.name))
    }

    @Test(arguments: examples)
    func `the lines of an example's comment do what they say`(_ row: (name: String, statuses: [Int])) async throws {
        let fixtures = try TestFolder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(fixtures.path)/fixtures", withDestinationPath: "\(Project.path)/fixtures")
        let child = try await onThread { try ServingChild(fixtures) }
        let text = try String(contentsOfFile: "\(Self.folder)/\(row.name).yaml", encoding: .utf8)
        let commands = text.split(separator: "\n").prefix { $0.hasPrefix("#") }
            .filter { $0.hasPrefix("#     ") }.map { $0.dropFirst(6) }
        #expect(commands.first == "proctor serve fixtures &")
        let script = (commands.dropFirst() + ["wait"]).joined(separator: "\n")
            .replacingOccurrences(of: "http://127.0.0.1:8088", with: child.base)
        let bash = try #require(Project.tool("bash"))
        let outcome = try await Child.run(["-c", script], program: bash)
        let shown = outcome.out.matches(of: /HTTP\/1\.1 (\d{3})/).compactMap { Int($0.1) }
        #expect(shown == row.statuses, "\(outcome.out)\(outcome.err)")
    }

    /// Python's http.client takes an interim response that it does not know for the final one (RFC 9110 §15.2).
    private static let interim = [
        "example/resumable-upload#broken-and-resumed", "example/resumable-upload#interim-responses",
    ]

    @Test(arguments: [("curl", 19), ("requests", 17)])
    func `a client passes the cases that it can be told`(_ row: (adapter: String, passes: Int)) async throws {
        let results = try TestFolder()
        let adapter = "\(Project.path)/clients/adapters/\(row.adapter)"
        // A case of a client in Python may take seconds on a busy machine.
        let sat = try await ChildProcess.run(
            [
                Child.binary, "exam", "example/", "--fixtures", "\(Project.path)/fixtures", "--json", "out.json",
                "--adapter",
                row.adapter == "curl" ? adapter : "/usr/bin/python3 -E -s -B \(adapter)",
            ], in: results.path, within: .seconds(300))
        guard !sat.out.contains("is not installed") else { try Test.cancel("\(row.adapter) is not installed") }
        var passes = 0
        for line in try results.text("out.json").split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            guard let name = object?["case"] as? String else { continue }
            switch object?["outcome"] as? String {
            case "pass": passes += 1
            case "lacks", "not-in-this-adapter": break
            case "fail" where row.adapter == "requests" && Self.interim.contains(name) && line.contains("104"): break
            default: Issue.record("\(line)")
            }
        }
        #expect(passes >= row.passes, "\(sat.out)")
    }
}
