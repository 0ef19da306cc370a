import Foundation
import ProctorBase
import ProctorGrading

@testable import ProctorReport

extension ReaderRunner {
    /// Words and literals of reports.
    static let words: [String: DataReader] = [
        "python-bytes": .whole { input, block in
            let text = PythonLiteral.bytes(
                input, indentation: try block.number(of: "indent") ?? 0, now: try block.number(of: "now"))
            return text.split(separator: "\n").map(String.init)
        },
        "shell-word": .line { ShellWords.quote($0) },
        "text-literal": .line { PythonLiteral.text($0) },
        "page-path": .line { PathSegments.path($0) },
        // Names with `, ` between them, which get their places one after the other.
        "page-names": .line { text in
            var segments = PathSegments(reserved: CasePage.ids)
            return text.components(separatedBy: ", ").map { segments.segment(for: $0) }.joined(separator: ", ")
        },
        "milliseconds": .line { TimelineTime.text(Int($0) ?? 0) },
        // What an expression wants of a load that ended with status 200 and no error.
        "wanted-end": .line { ResultWords.wanted($0, insteadOf: result(200, 5)) ?? "-" },
        // `STATUS BYTES` or `error`, and which load it is of how many.
        "load-end": .line { text in
            let words = text.split(separator: " ").map(String.init)
            let numbers = words.compactMap { Int($0) }
            let result = words.first == "error" ? result(nil, 0) : result(numbers[0], numbers[1])
            return ResultWords.came(result, step: numbers[numbers.count - 2] - 1, of: numbers[numbers.count - 1])
        },
    ]

    private static func result(_ status: Int?, _ count: Int) -> ClientResult {
        ClientResult(
            status: status, tellsStatus: true, url: nil, byteCount: count, isError: status == nil,
            message: status == nil ? "x" : nil)
    }
}
