import Foundation
import ProctorBase
import ProctorModules
import ProctorTestLanguage
import ProctorTestSupport

/// Runs the tests under `Tests/Data`.
@main
struct Main {
    static func main() async {
        // A connection that is gone is an error and no signal.
        signal(SIGPIPE, SIG_IGN)
        ServerModules.register()
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            if arguments.wantsHelp { return print(Arguments.help) }
            if arguments.isOfLanguage { exit(try compareLanguage(arguments.isRecording) ? 0 : 1) }
            exit(try await run(arguments) ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("proctor-data: \(error)\n".utf8))
            exit(2)
        }
    }

    private static func compareLanguage(_ isRecording: Bool) throws -> Bool {
        let faults = try LanguageFiles.faults(isRecording: isRecording)
        print(
            faults.isEmpty
                ? "the schema and the tables of keys are what the language makes" : faults.joined(separator: "\n"))
        return faults.isEmpty || isRecording
    }

    private static func run(_ arguments: Arguments) async throws -> Bool {
        let reader = PageReader(root: Project.path + "/Tests/Data", shown: "Tests/Data")
        let all = try reader.pages(arguments.paths)
        // The reference client is built for them alone, and whoever names them has built it.
        let hasClients = arguments.clientPrograms != nil || !arguments.paths.isEmpty
        let pages = hasClients ? all : all.filter { $0.kind != "clients" }
        let rows = pages.flatMap { page in page.rows.map { (page.kind, $0) } }
            .filter { row in arguments.filter.map { row.1.name.contains($0) } ?? true }
        guard !rows.isEmpty else { throw UsageError("no row has such a name, so nothing was tested") }
        let start = ContinuousClock.now
        var runners = Runners.all
        runners["clients"] = ClientRunner(programs: ClientPrograms(folder: arguments.clientPrograms))
        let suite = Suite(runners: runners, width: arguments.width, isRecording: arguments.isRecording)
        let results = await suite.run(rows) { result in
            if !result.isPass, !arguments.isRecording { print(Report.failure(result), terminator: "") }
        }
        if arguments.isRecording { try record(results) }
        if arguments.showsTimes { tellTimes(results) }
        let failed = results.count { !$0.isPass }
        let seconds =
            Double((ContinuousClock.now - start).components.seconds)
            + Double((ContinuousClock.now - start).components.attoseconds) / 1e18
        let what = "\(results.count) rows of \(pages.count) pages"
        let left = all.filter { $0.kind == "clients" }.reduce(0) { $0 + $1.rows.count }
        let rest = hasClients || left == 0 ? "" : "; \(left) rows of clients left out, as without --client-programs"
        print(
            failed == 0
                ? "\(what) passed in \(String(format: "%.1f", seconds)) s\(rest)"
                : "\(failed) of \(what) failed in \(String(format: "%.1f", seconds)) s\(rest)")
        return failed == 0 || arguments.isRecording
    }

    /// Writes what came into the pages; a row that could not be run is told.
    private static func record(_ results: [Suite.Result]) throws {
        let recording = Recording(base: Project.path)
        for (path, group) in Dictionary(grouping: results, by: \.row.path) {
            let mismatches = group.flatMap(\.mismatches).filter(\.isOfBlock)
            if !mismatches.isEmpty {
                try recording.record(mismatches, in: path)
                print("wrote \(Plural.count(mismatches.count, "block")) of \(path); read them as a diff")
            }
        }
        // What no block has can't be written into one.
        for result in results where result.trouble != nil || result.mismatches.contains(where: { !$0.isOfBlock }) {
            print(Report.failure(result), terminator: "")
        }
    }

    private static func tellTimes(_ results: [Suite.Result]) {
        for result in results.sorted(by: { $0.duration > $1.duration }).prefix(30) {
            let milliseconds = result.duration / .milliseconds(1)
            print(
                String(format: "%8.1f ms  ", milliseconds) + "\(result.row.path):\(result.row.line) \(result.row.name)")
        }
    }
}
