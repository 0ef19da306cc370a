internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading
internal import ProctorScenario
internal import ProctorServer

let adapterCommand = Command(name: "adapter") { arguments, context in
    if arguments.operands.first == "new" { return try AdapterTemplate(arguments).write(to: context.output) }
    guard arguments.operands.first == "check" else {
        throw UsageError(
            "'adapter' can check one and begin one: proctor adapter check COMMAND, "
                + "proctor adapter new FOLDER --language swift")
    }
    // A command in one word is parted as --adapter is; several words were parted by the shell.
    let operands = Array(arguments.operands.dropFirst())
    let command = try operands.count == 1 ? AdapterWords.split(operands[0], option: "COMMAND") : operands
    guard let program = command.first else { throw UsageError("'adapter check' needs the COMMAND of an adapter") }
    let port = try AdapterPortOptions(arguments, adapter: command, environment: context.environment)
    if port == nil, let reason = ProgramSearch.reasonNotToRun(program, environment: context.environment) {
        throw UsageError("the adapter can't be run: \(reason)")
    }
    var adapter = Adapter(command: command, environment: context.environment)
    adapter.takesManyAssignments = !arguments.has("--fresh-adapter")
    var configuration = ServerConfiguration.ofProgram
    if let port {
        adapter.link = try await port.open(context.output)
        guard adapter.link != nil else { return .failure }
        if let address = port.serverAddress { (configuration.address, configuration.token) = (address, port.token) }
    }
    let server = try await Server.start(AdapterTrial.catalogue, configuration: configuration)
    let printer = TrialPrinter(
        output: context.output, isVerbose: arguments.has("--verbose"), wantedProtocol: try arguments.wantedProtocol)
    let trial = AdapterTrial(adapter, on: server, speaking: try arguments.wantedProtocol)
    await trial.run { printer.print($0) }
    await adapter.link?.close()
    await server.stop(grace: .zero)
    return printer.finish(modeRemark: trial.modeRemark) ? .success : .failure
}

/// Prints the small cases as they end, and after the last one what to build next.
private final class TrialPrinter {
    private let output: Output
    private let isVerbose: Bool
    private let wantedProtocol: RunProtocol
    private var results: [TrialResult] = []
    /// The reason and the messages of the last case that failed.
    private var saidLast: (reason: String, lines: String)?

    /// The most lines of an assignment or a trace that are printed, and the most characters of a line.
    private static let lineLimit = (count: 200, length: 4_000)

    init(output: Output, isVerbose: Bool, wantedProtocol: RunProtocol) {
        (self.output, self.isVerbose, self.wantedProtocol) = (output, isVerbose, wantedProtocol)
    }

    func print(_ result: TrialResult) {
        results.append(result)
        let place = "\(results.count) of \(TrialCase.all.count)  \(result.trial.name)"
        let sitting = result.sitting
        switch result.state {
        case .done: output.line("\(place): as it should")
        case .notForClient(let reason): output.line("\(place): not for this client: \(printable(reason))")
        case .stopped(let reason):
            output.line("\(place): \(printable(reason))")
            output.out(sitting.errorLines)
        case .missing(let reason):
            let said =
                sitting.record.clientLines.map { "\($0)\n" }.joined() + Self.errorLines(of: sitting, beside: reason)
            if let last = saidLast, last == (reason, said) {
                output.line("\(place): missing, for the same reason")
            } else {
                output.line("\(place): missing: \(printable(reason))")
                output.out(said)
            }
            saidLast = (reason, said)
            if isVerbose { output.line(sitting.verdict.text(around: sitting.timeline, notation: true)) }
        }
        guard isVerbose else { return }
        show("assignment", sitting.assignment)
        show("trace", sitting.trace)
    }

    /// The adapter's messages; empty when the reason contains all of them.
    private static func errorLines(of sitting: Sitting, beside reason: String) -> String {
        let lines = sitting.errorLines.split(separator: "\n")
        if lines.count == 2, reason.hasSuffix(lines[1].drop { $0 == " " }) { return "" }
        return sitting.errorLines
    }

    /// Prints the bytes as they were written, without characters that control a terminal.
    private func show(_ title: String, _ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A)
        output.line("\(title):\(lines.isEmpty ? " nothing" : "")")
        for line in lines.prefix(Self.lineLimit.count) {
            let text = String(decoding: line, as: UTF8.self)
            output.line("  \(PrintableText.sanitize(text, limit: Self.lineLimit.length))")
        }
        let left = lines.count - Self.lineLimit.count
        if left > 0 { output.line("  … and \(Plural.count(left, "line")) more") }
    }

    /// Prints what to build next; returns whether nothing is missing.
    func finish(modeRemark: String?) -> Bool {
        if let last = results.last, case .stopped = last.state {
            if last.sitting.header == nil, last.sitting.trace.isEmpty, last.sitting.evidence.ending == .finished {
                output.line("build next: \(last.trial.advice)")
            }
            output.line("the other \(TrialCase.all.count - results.count) small cases were not tried")
            return false
        }
        let missing = results.filter { if case .missing = $0.state { true } else { false } }
        if let header = results.lazy.compactMap({ $0.sitting.header }).first {
            for remark in AdapterTrial.remarks(on: header) { output.line("remark: \(remark)") }
        }
        if let modeRemark { output.line("remark: \(modeRemark)") }
        let isOneReason = missing.count > 1 && missing.allSatisfy { $0.state == missing[0].state }
        for (index, result) in missing.prefix(isOneReason ? 1 : missing.count).enumerated() {
            output.line("\(index == 0 ? "build next" : "then"): \(result.advice)")
        }
        let option = wantedProtocol.flags.isEmpty ? "" : wantedProtocol.flags + " "
        output.line(
            missing.isEmpty
                ? "nothing is missing; go on with: proctor exam plain/ \(option)--adapter COMMAND"
                : "\(missing.count) of \(Plural.count(results.count, "small case")) did not go as it should")
        return missing.isEmpty
    }

    private func printable(_ text: String) -> String { PrintableText.sanitize(text, limit: 1_000) }
}
