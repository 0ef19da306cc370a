internal import Foundation
internal import ProctorDocument

/// The source file of a test, and the line of a call in it.
struct TestSource {
    let path: String
    /// From 1.
    let line: Int

    /// The folder for files that a scenario names.
    var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// `TEST-LINE`, made of the file's name.
    var scenarioID: String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let word = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.drop { $0 == "-" })
        return "\(word.isEmpty ? "test" : word)-\(line)"
    }

    /// Where the literal of a text stands: its first line is looked for in the lines behind the call.
    ///
    /// Where the source can't be read, or the text is not written there, the place is that of the call.
    func place(of text: String) -> TextPlace {
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.longest else {
            return TextPlace(line: line)
        }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let first = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        guard !first.isEmpty, line <= lines.count else { return TextPlace(line: line) }
        for (offset, candidate) in lines[(line - 1)...].prefix(Self.distance).enumerated()
        where candidate.hasSuffix(first) {
            let indentation = candidate.dropLast(first.count)
            guard indentation.allSatisfy({ $0 == " " || $0 == "\t" }) else { continue }
            return TextPlace(
                line: line + offset, column: indentation.utf8.count + 1, indentation: indentation.utf8.count)
        }
        return TextPlace(line: line)
    }

    private static let longest = 16 << 20
    /// How far behind the call a literal may begin, in lines.
    private static let distance = 200
}
