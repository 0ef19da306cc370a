internal import ProctorServer

/// The form in which `proctor serve` prints requests: the values of --log, of which the first is that of a bare --log.
enum RequestLog: String, CaseIterable {
    /// Lines for a person on standard error.
    case text
    /// One JSON object a line on standard output, behind the ready line.
    case json
    case none

    /// Prints until the lines have ended; to be called once.
    func print(_ lines: RequestLines, to output: Output) async {
        let style = output.style
        await lines.run { (line: RequestLine) in
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
