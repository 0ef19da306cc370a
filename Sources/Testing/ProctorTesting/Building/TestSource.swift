internal import Foundation
internal import ProctorDocument

/// The source file of a test, and the line of the call that makes a scenario.
struct TestSource {
    let path: String
    /// Counted from 1.
    let line: Int

    /// The folder to which paths in a scenario are relative.
    var folder: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// `TEST-LINE`, where `TEST` is the file's name without extension.
    var scenarioID: String {
        let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        let word = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.drop { $0 == "-" })
        return "\(word.isEmpty ? "test" : word)-\(line)"
    }

    /// The place of a text literal: its first line is searched for in the lines after the call.
    ///
    /// Where the source can't be read, or does not contain that line, the place is that of the call.
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
    /// The most lines after the call that are searched for the literal.
    private static let distance = 200
}
