import Foundation
import ProctorTestSupport
import Testing

/// A job that uses the action: what GitHub's runner sets and reads, in a folder that is the workspace too.
///
/// A server that the job did not end is killed with it.
final class RunnerJob {
    /// Lines of sh in which a program says that it serves, as proctor does: the ready file is there whole or not at all.
    static let announcement = """
        while [ "$1" != --ready-file ]; do shift; done
        echo '{"base":"http://127.0.0.1:1","scenarios":1}' >"$2.part" && mv "$2.part" "$2"
        """

    /// Lines and variables that the runner takes from a step, by the variable that names the file.
    enum File: String, CaseIterable {
        case env = "GITHUB_ENV"
        case output = "GITHUB_OUTPUT"
        case state = "GITHUB_STATE"
        case path = "GITHUB_PATH"
        case summary = "GITHUB_STEP_SUMMARY"
    }

    let folder: TestFolder
    private let node: String

    /// The test is cancelled where there is no node.
    init(_ files: [String: String] = Fixtures.files) async throws {
        node = try await Self.interpreter()
        folder = try TestFolder(files)
        try folder.makeFolder("temp")
        for file in File.allCases { try folder.write("", to: file.rawValue) }
    }

    private static func interpreter() async throws -> String {
        let found = try await Child.run(["-c", "command -v node"], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("node is not installed: apt-get install nodejs") }
        return found.out.trimmingCharacters(in: .newlines)
    }

    deinit {
        if let group { kill(-group, SIGKILL) }
    }

    /// Runs the step that starts the server; inputs that are not named have the defaults of action.yml.
    ///
    /// Without `program` it is up to the step to find one.
    func main(
        _ inputs: [String: String] = [:], program: String? = Child.binary, environment: [String: String] = [:]
    ) async throws -> Child.Outcome {
        var all = try Self.defaults().merging(inputs) { $1 }
        if let program { all["program"] = program }
        return try await step("main", environment.merging(Self.variables(all)) { $1 })
    }

    /// Runs the step that ends it.
    func post() async throws -> Child.Outcome {
        let saved = try values(.state).map { ("STATE_\($0.key)", $0.value) }
        return try await step("post", Dictionary(uniqueKeysWithValues: saved))
    }

    /// Starts the step and returns at once.
    func begin(_ inputs: [String: String], program: String) throws -> ChildProcess {
        let all = try Self.defaults().merging(inputs) { $1 }.merging(["program": program]) { $1 }
        return try ChildProcess(words("main"), environment: environment(Self.variables(all)))
    }

    private func step(_ name: String, _ variables: [String: String]) async throws -> Child.Outcome {
        try await ChildProcess.run(words(name), environment: environment(variables))
    }

    // A shell between them would drop variables with a dash in their names.
    private func words(_ step: String) -> [String] { [node, "\(Project.path)/Scripts/action/\(step).js"] }

    private func environment(_ variables: [String: String]) -> [String: String] {
        let files = File.allCases.map { ($0.rawValue, "\(folder.path)/\($0.rawValue)") }
        return Dictionary(uniqueKeysWithValues: files)
            .merging([
                "GITHUB_WORKSPACE": folder.path, "RUNNER_TEMP": "\(folder.path)/temp", "GITHUB_ACTION_REPOSITORY": "",
            ]) { $1 }
            .merging(variables) { $1 }
    }

    private static func variables(_ inputs: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: inputs.map { ("INPUT_\($0.key.uppercased())", $0.value) })
    }

    /// The defaults of all inputs, as the runner reads them.
    private static func defaults() throws -> [String: String] {
        let text = try Project.text("action.yml")
        let rows = text.matches(of: /\n  ([a-z-]+):\n    description: .*\n    default: "(.*)"/)
        try #require(rows.count > 10)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
    }

    // MARK: What the steps said

    func text(_ file: File) throws -> String { try folder.text(file.rawValue) }

    /// What stands between delimiters, by its name.
    func values(_ file: File) throws -> [String: String] {
        let lines = try text(file).components(separatedBy: "\n")
        var found: [String: String] = [:]
        var index = 0
        while index < lines.count - 1 {
            let opening = lines[index].components(separatedBy: "<<")
            try #require(opening.count == 2)
            let end = try #require(lines[index...].dropFirst().firstIndex(of: opening[1]))
            found[opening[0]] = lines[(index + 1)..<end].joined(separator: "\n")
            index = end + 1
        }
        return found
    }

    /// The process group that a step started and handed on; its first process has the same number.
    var group: Int32? {
        guard let text = try? values(.state)["server"],
            let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let group = object["group"] as? Int
        else { return nil }
        return Int32(group)
    }

    /// Writes a script of the shell that can be run; returns its path.
    func program(_ name: String, _ script: String) throws -> String {
        let path = try folder.write("#!/bin/sh\n\(script)", to: name)
        try makeExecutable(path)
        return path
    }
}

/// Whether a process runs; one that has ended and was not waited for does not.
func isRunning(_ id: Int32) -> Bool {
    guard kill(id, 0) == 0 else { return false }
    #if os(Linux)
        let text = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        // The state stands behind the name, which is in brackets.
        let state = text.components(separatedBy: ") ").last?.first
        return state != nil && state != "Z"
    #else
        return true
    #endif
}
