internal import ProctorBase
internal import ProctorGrading
internal import ProctorTrace

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Tells a journal file in sentences, one journal after the other.
struct JournalFileTelling {
    let path: String
    /// nil: of all scenarios.
    let scenario: String?

    /// Whether an operand names a file and no run.
    static func isFile(_ operand: String) -> Bool {
        if operand == "-" { return true }
        guard !StandingRun.isRun(operand) else { return false }
        var status = stat()
        return unsafe stat(operand, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    func tell(to output: Output) throws -> ExitCode {
        let name = InputFile.name(of: path)
        let file = try JournalParts(try InputFile.bytes(of: path), file: name)
        let parts = file.parts.filter { scenario == nil || $0.scenario == scenario }
        if let scenario, parts.isEmpty {
            let ids = Set(file.parts.compactMap(\.scenario)).sorted()
            let hint = NearestName.find(scenario, in: ids).map { "did you mean '\($0)'?" }
            let known = ids.isEmpty ? "it names none" : "it has \(ids.prefix(10).joined(separator: ", "))"
            throw UsageError("\(name) holds no line of scenario '\(scenario)'; \(hint ?? known)")
        }
        for (index, part) in parts.enumerated() {
            if index > 0 { output.line("") }
            output.line(heading(of: part, file.startCount))
            for line in WireTimeline(part.entries, droppedCount: part.droppedCount).lines { output.line(line) }
        }
        if file.lostLineCount > 0 {
            output.note(
                "\(FixtureReport.count(file.lostLineCount, "line")) could not be written when they came, and are lost")
        }
        if file.cutCount > 0 { output.note("\(FixtureReport.count(file.cutCount, "line")) broken off, left out") }
        if file.unknownCount > 0 {
            output.note("\(FixtureReport.count(file.unknownCount, "line")) of a later version, left out")
        }
        return .success
    }

    private func heading(of part: JournalParts.Part, _ startCount: Int) -> String {
        let owner = part.scenario.map { $0 + (part.run.map { ", run \($0)" } ?? "") } ?? "the shared port itself"
        return startCount > 1 ? "\(owner) (start \(part.start) of \(startCount))" : owner
    }
}
