import Foundation

/// Writes what came in place of what was wanted, for a person to read as a diff.
struct Recording {
    /// Absolute path of the folder that paths of pages begin in.
    let base: String

    /// Lines that still fit stay as they are, so that a mark for what varies is kept.
    func record(_ mismatches: [Mismatch], in path: String) throws {
        let file = "\(base)/\(path)"
        var lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
        for mismatch in mismatches.sorted(by: { $0.block.line > $1.block.line }) {
            let first = mismatch.block.line
            var count = mismatch.block.text.components(separatedBy: "\n").count - 1
            if let line = mismatch.lineInBlock {
                // One line of a block of cases.
                lines[first + line] = mismatch.got
                count = 0
                continue
            }
            let indent = lines[first - 1].prefix { $0 == " " }
            let old = Array(lines[first..<first + count])
            var new = mismatch.got.components(separatedBy: "\n")
            if new.last?.isEmpty == true { new.removeLast() }
            let kept = new.map { line in
                let fitting =
                    mismatch.isLiteral ? nil : old.first { LinePattern($0.trimmed(indent: indent.count)).matches(line) }
                return fitting ?? indent + line
            }
            lines.replaceSubrange(first..<first + count, with: kept)
        }
        try lines.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
    }
}

extension String {
    fileprivate func trimmed(indent: Int) -> String { String(dropFirst(indent)) }
}
