internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario

/// A command of `proctor run` that does the load of the case: its exit is the end, and its output or a file the content.
struct CommandLoad {
    /// The URL of the case's only step, in the command.
    static let mark = "{{url}}"

    /// The file that the command makes; nil: standard output.
    private let file: String?

    /// nil where neither the mark nor `--body` says that the command does the load.
    ///
    /// Throws where the case is not one load, and where the file is there already.
    init?(
        _ command: [String], body: String?, item: Case?, of scenario: Scenario, ignoresExit: Bool
    ) throws {
        guard body != nil || command.contains(where: { $0.contains(text: Self.mark) }) else { return nil }
        let what = body == nil ? Self.mark : "--body"
        guard let item else {
            throw UsageError(
                "\(what) is for the load of a case: \(CaseChoice(scenario: scenario).hint)")
        }
        guard item.client.count == 1 else {
            throw UsageError(
                "\(what) is for a case of one load, and \(scenario.id)#\(item.name) has \(item.client.count) steps; write the "
                    + "addresses with {{base}}, and the requests are judged")
        }
        if ignoresExit {
            throw UsageError(
                "with \(what) the exit is judged as the end of the load, so --ignore-exit does not go with it")
        }
        if let body, body != "-", try FileKind.certain(of: body) != nil, try !InputFile.bytes(of: body).isEmpty {
            throw UsageError("--body \(body) is a file that has content already; name one that the command makes")
        }
        file = body == "-" ? nil : body
    }

    /// What copies the command's output; nil where a file has the content.
    func outputCopy() throws(CallFailure) -> OutputCopy? { file == nil ? try OutputCopy() : nil }

    /// What the command wrote, once it has ended; a file that it did not make has no content.
    func content(_ copy: OutputCopy?) throws -> CommandResult.Content {
        if let copy { return copy.finish() }
        var content = CommandResult.Content()
        guard let file, try FileKind.certain(of: file) != nil else { return content }
        var input = try InputFile(file)
        while try input.next({ content.append($0) }) {}
        return content
    }
}
