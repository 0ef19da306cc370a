internal import ProctorJournal
internal import ProctorServer

/// The form in which `proctor serve` prints requests: the values of --log, of which a --log without a value means the
/// first.
enum RequestLogForm: String, CaseIterable {
    /// Lines for a person on standard error.
    case text
    /// One JSON object a line on standard output, after the ready line.
    case json
    case none

    /// Prints until the last line; call it once.
    func print(_ lines: RequestLines, to output: Output) async {
        let style = output.style
        await lines.run { (line: RequestLogLine) in
            switch self {
            case .none: break
            case .json: output.line(line.json)
            case .text:
                let text = line.text { text, outcome in
                    switch outcome {
                    case .good: style.good(text)
                    case .refused: style.odd(text)
                    case .wrong: style.bad(text)
                    }
                }
                output.err(text + "\n")
            }
        }
    }
}
