import Foundation
import ProctorBase
import ProctorTestSupport

/// Where a row's commands run: a folder, an environment that says nothing of the machine, and programs in the background.
final class Desk {
    let folder: TestFolder
    private var jobs: [Job] = []
    /// Of the program that the commands call `proctor`.
    private var programs = URL(fileURLWithPath: BuiltProduct.proctor).deletingLastPathComponent().path
    /// Addresses of this machine with ports, which are others in each run, in the order in which they were shown.
    private var addresses: [String] = []
    private var installation: TestFolder?

    init() throws {
        folder = try TestFolder()
    }

    // MARK: Files

    /// `files NAME`: all files of the folder `Tests/Data/commands/files/NAME`.
    func copy(_ block: Block) throws {
        guard let name = block.words.first else { throw RowError(block.line, "files need a name: files NAME") }
        let source = "\(Project.path)/Tests/Data/commands/files/\(name)"
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: source) else {
            throw RowError(block.line, "there is no folder Tests/Data/commands/files/\(name)")
        }
        for name in names {
            try FileManager.default.copyItem(atPath: "\(source)/\(name)", toPath: "\(folder.path)/\(name)")
        }
    }

    /// `file NAME`, and `file NAME executable`.
    func write(_ block: Block, _ check: Check) async throws {
        guard let name = block.words.first else { throw RowError(block.line, "a file needs a name: file NAME") }
        let path = try folder.write(fill(block.text, check), to: name)
        if block.has("executable") { try await onThread { try makeExecutable(path) } }
    }

    /// `shipped`: the program as a package installs it, with these scenarios, a line each, and no others.
    func install(_ block: Block) throws {
        let place = try TestFolder()
        for name in block.lines {
            guard let text = FileManager.default.contents(atPath: "\(Project.path)/fixtures/\(name)") else {
                throw RowError(block.line, "there is no fixtures/\(name)")
            }
            try place.write([UInt8](text), to: "share/proctor/fixtures/\(name)")
        }
        try place.link("share/proctor/Docs", to: "\(Project.path)/Docs", folderFirst: "share/proctor")
        try place.makeFolder("bin")
        // A program finds what is installed beside its own file, so a symbolic link would not do.
        do {
            try FileManager.default.linkItem(atPath: BuiltProduct.proctor, toPath: "\(place.path)/bin/proctor")
        } catch {
            try FileManager.default.copyItem(atPath: BuiltProduct.proctor, toPath: "\(place.path)/bin/proctor")
        }
        installation = place
        programs = "\(place.path)/bin"
    }

    // MARK: Commands

    private static let prelude = """
        awaits() { until "$@" >/dev/null 2>&1; do sleep 0.01; done; }

        """

    private func words(_ command: String) -> [String] {
        let variables = [
            "PATH=\(programs):/usr/local/bin:/usr/bin:/bin", "HOME=\(folder.path)/home", "LC_ALL=C.UTF-8",
            "PYTHONDONTWRITEBYTECODE=1", "FOLDER=\(folder.path)", "PROJECT=\(Project.path)",
        ]
        let kept = ProcessInfo.processInfo.environment.filter {
            $0.key.hasSuffix("SAN_OPTIONS") || $0.key.hasPrefix("PROCTOR_MISTAKE")
        }
        return ["/usr/bin/env", "-i"] + variables + kept.map { "\($0)=\($1)" } + ["/bin/sh", "-c", command]
    }

    /// What the step prints; a command that ends in `&` goes on until `kill %N`, `wait %N` or the end of the row.
    func run(_ step: Transcript.Step, _ check: inout Check) async throws -> String {
        let command = fill(step.command, check)
        if let match = command.wholeMatch(of: /wait %(\d+)/) {
            guard let number = Int(match.1), jobs.indices.contains(number - 1) else {
                throw RowError(step.line, "there is no program \(match.1) in the background")
            }
            return unfill(try await jobs[number - 1].end(0), &check)
        }
        if let match = command.wholeMatch(of: /kill (?:-([A-Z]+) )?%(\d+)/) {
            guard let number = Int(match.2), jobs.indices.contains(number - 1) else {
                throw RowError(step.line, "there is no program \(match.2) in the background")
            }
            return unfill(try await jobs[number - 1].end(Self.signal(match.1 ?? "TERM", at: step.line)), &check)
        }
        if command.hasSuffix(" &") {
            guard !command.contains("; ") else { throw RowError(step.line, "before & stands one command alone") }
            let process = try ChildProcess(words("exec " + command.dropLast(2)), in: folder.path)
            let job = Job(process, line: step.line)
            jobs.append(job)
            let suffix = jobs.count == 1 ? "" : ".\(jobs.count)"
            // What goes to a file has no first line here.
            for (name, value) in command.contains(" > ") ? [:] : try await job.begin() {
                check.names[name + suffix] = value
            }
            return ""
        }
        let outcome = try await ChildProcess.run(words(Self.prelude + command), in: folder.path)
        let text = Transcript.render(output: outcome.output, errors: outcome.errors, status: outcome.status)
        return unfill(text, &check)
    }

    private static func signal(_ name: some StringProtocol, at line: Int) throws(RowError) -> Int32 {
        switch String(name) {
        case "TERM": SIGTERM
        case "INT": SIGINT
        case "QUIT": SIGQUIT
        case "HUP": SIGHUP
        case "KILL": SIGKILL
        default: throw RowError(line, "unknown signal \(name); signals are TERM, INT, QUIT, HUP, KILL")
        }
    }

    /// Programs that run still are ended, and must end well.
    func clear(_ row: Row) async throws {
        for job in jobs where !job.isOver {
            let text = try await job.end(SIGTERM)
            if text.contains("[exit ") {
                throw RowError(
                    job.line, "this program failed in the end; with kill %N its words are compared:\n\(text)")
            }
        }
    }

    // MARK: What varies

    private func fill(_ text: String, _ check: Check) -> String { check.fill(text) }

    /// Places of this run by their names again.
    private func unfill(_ text: String, _ check: inout Check) -> String {
        var text = text
        for (value, name) in Self.places(check) { text = text.replacing(value, with: "$(\(name))") }
        text = text.replacing(folder.path, with: "$FOLDER").replacing(Project.path, with: "$PROJECT")
        if let installation { text = text.replacing(installation.path, with: "$INSTALLED") }
        return text.replacing(/127(\.\d{1,3}){3}(:\d{5})?/) { match in
            ["127.0.0.1", "127.0.0.0"].contains(match.output.0)
                ? String(match.output.0) : "$(\(number(String(match.output.0), &check)))"
        }
    }

    /// `at.1` for the first address of this machine that the row shows, and so on.
    private func number(_ address: String, _ check: inout Check) -> String {
        if let index = addresses.firstIndex(of: address) { return "at.\(index + 1)" }
        addresses.append(address)
        check.names["at.\(addresses.count)"] = address
        return "at.\(addresses.count)"
    }

    private static func places(_ check: Check) -> [(value: String, name: String)] {
        check.names.compactMap { name, value in
            Job.places.contains(String(name.prefix { $0 != "." })) && !value.isEmpty ? (value, name) : nil
        }
        .sorted { ($0.value.count, $1.name) > ($1.value.count, $0.name) }
    }
}
