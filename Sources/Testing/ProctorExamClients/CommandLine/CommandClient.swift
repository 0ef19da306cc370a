internal import ProctorBase
package import ProctorEvents
package import ProctorExam
package import ProctorGrading
package import ProctorJournal
package import ProctorProgram
package import ProctorScenario

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A command line as a client: it is run once for a case, and its exit and what it wrote are the result of the load.
package struct CommandClient: AdapterlessClient {
    package let template: CommandTemplate
    /// The name in reports.
    let name: String
    /// What its exit codes mean.
    let errors: ErrorTable
    /// What no placeholder shows.
    let declared: Set<Ability>
    /// What placeholders show and the client lacks all the same, such as methods of any name.
    let lacking: Set<Ability>

    package init(
        _ template: CommandTemplate, name: String, errors: ErrorTable, abilities: Set<Ability>,
        lacking: Set<Ability> = []
    ) {
        (self.template, self.name, self.errors) = (template, name, errors)
        declared = abilities
        self.lacking = lacking
    }

    /// The abilities that placeholders show, and the declared ones, without those that the client lacks.
    package var abilities: Set<Ability> {
        let names = Set(template.placeholders.map(\.rawValue))
        let shown = Ability.allCases.filter { $0.row.shownBy?.isSubset(of: names) ?? false }
        return declared.union(shown).union([.verbatimURLs]).subtracting(lacking)
    }

    /// The result of the load stands for a trace, once the journal says what became of it.
    package func perform(
        _ assignment: Assignment, of item: Case, child: WatchedChild, journal: Journal
    ) async -> AdapterlessPerformance {
        let done = await run(assignment, of: item, child: child)
        return AdapterlessPerformance(done.outcome) { trace(of: done.result, done.obstacle, by: $0) }
    }

    private func trace(
        of loaded: CommandResult?, _ obstacle: String?, by journal: [JournalEntry]
    ) -> (header: TraceHeader, events: [TraceEvent]) {
        let result = loaded?.settled(by: journal)
        let header = TraceHeader(
            client: name, lanes: [.harness], facts: result?.reportedFacts ?? [], abilities: abilities,
            adapter: ExamHeader.commandLineAdapter)
        let isUnknown = loaded != nil && result == nil
        guard let obstacle = isUnknown ? loaded?.reasonUnsettled : obstacle else {
            return (header, result?.events ?? [])
        }
        let event = TraceEvent(
            sequence: 1, time: nil, lane: .harness, task: 0, name: .unimplemented, argument: obstacle, facts: [])
        return (header, [event])
    }

    /// The words that are run for an assignment with these files, and the variables that are set for it.
    package func call(
        for assignment: Assignment, files: CommandFiles
    ) -> (words: [String], environment: [String: String]) {
        let command = CommandAssignment(template: template, assignment: assignment, abilities: abilities)
        return (command.words(files), command.environment)
    }

    /// The exit codes beside 0 that tell no failed load.
    package var harmlessCodes: [Int] { errors.harmlessCodes }

    /// Runs the command for a case; one that it can't do, or whose abilities it lacks, is not begun.
    private func run(
        _ assignment: Assignment, of item: Case, child: WatchedChild
    ) async -> (outcome: WatchedChild.Outcome, result: CommandResult?, obstacle: String?) {
        let command = CommandAssignment(template: template, assignment: assignment, abilities: abilities)
        let has = ClientAbilities(declared: abilities, reportsCallbacks: false, reportedFacts: [])
        if let missing = has.firstMissing(of: item.needs, oneOf: item.applies) {
            return (WatchedChild.Outcome(ending: .exited(0)), nil, "needs: \(name) has no \(missing.rawValue)")
        }
        if let obstacle = command.obstacle { return (WatchedChild.Outcome(ending: .exited(0)), nil, obstacle) }
        let folder: ClientFolder
        var child = child
        do throws(CallFailure) {
            folder = try ClientFolder(.storage)
            child.command = try command.words(folder: folder.path)
        } catch {
            return (WatchedChild.Outcome(ending: .notStarted(error)), nil, nil)
        }
        defer { folder.remove() }
        child.environment.merge(command.environment) { $1 }
        let written = Locked(CommandResult.Content())
        let begin = MonotonicClock.nanoseconds
        var outcome = await child.run { bytes in
            written.withLock { $0.append(bytes.span) }
            return true
        }
        let end = MonotonicClock.nanoseconds
        guard case .exited(let code) = outcome.ending else { return (outcome, nil, nil) }
        let content =
            template.placeholders.contains(.out) ? CommandFile.content("\(folder.path)/out") : written.withLock { $0 }
        let result = CommandResult(
            error: errors.error(ofExit: Int(code), saying: outcome.errorOutput), content: content,
            time: begin...max(begin, end), message: outcome.lastErrorLine)
        // The exit code is the result of the load, and no fault of an adapter.
        outcome.ending = .exited(0)
        return (outcome, result, nil)
    }
}

/// The paths of what a command reads and writes.
package struct CommandFiles {
    let output: String
    let body: String
    /// The authority to trust; nil: none of its own.
    let authority: String?

    package init(output: String, body: String, authority: String?) {
        (self.output, self.body, self.authority) = (output, body, authority)
    }
}

/// Files beside a command.
enum CommandFile {
    /// A file that the command did not make has no content.
    static func content(_ path: String) -> CommandResult.Content {
        var content = CommandResult.Content()
        let descriptor = FileCalls.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return content }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe FileCalls.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count > 0 else { return content }
            content.append(buffer.span.extracting(first: count))
        }
    }
}
