internal import ProctorBase
internal import ProctorExam
internal import ProctorGrading

/// The version that the program of a command line tells of itself.
enum ProgramVersion {
    private static let patience = Duration.seconds(10)

    /// The first line of `--version`; nil where it has no number of a version.
    ///
    /// An interpreter is asked with its script or module; by itself it tells nothing of the client.
    static func ask(_ command: [String], environment: [String: String]) async -> String? {
        guard let place = AdapterName.place(of: command) else { return nil }
        let child = WatchedChild(
            command: command[...place] + ["--version"], environment: environment, deadline: patience)
        let outcome = await child.run()
        // Some programs tell their version and exit with an error.
        guard case .exited = outcome.ending else { return nil }
        let lines = outcome.output.split { $0 == 0x0A || $0 == 0x0D }
        let line = PrintableText.sanitize(
            String(decoding: lines.first ?? [], as: UTF8.self), limit: RecordBounds.line)
        return hasVersion(line) ? line : nil
    }

    /// Whether the text has digits, a dot and a digit.
    private static func hasVersion(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.indices.dropFirst().dropLast().contains { index in
            bytes[index] == 0x2E && bytes[index - 1].isASCIIDigit && bytes[index + 1].isASCIIDigit
        }
    }
}
