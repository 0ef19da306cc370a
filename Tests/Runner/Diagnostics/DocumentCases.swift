import Foundation

/// The rows of a block `cases`: what is given, and behind `=>` the lines that it gives.
///
/// One line of both is written `given => wanted`; of several, each wanted line begins with `=> `. A line that begins with `# `
/// before a case says what it shows, and an empty line ends a case.
struct DocumentCases {
    struct Item {
        /// Index of the first line in the block.
        var line: Int
        var given: [String] = []
        var wanted: [String] = []
        var isOneLine = false

        func text(_ wanted: [String]) -> String {
            if isOneLine, wanted.count == 1 { return "\(given.joined()) => \(wanted.joined())" }
            return (given + wanted.map { "=> \($0)" }).joined(separator: "\n")
        }
    }

    /// A case, or a line that stands between cases.
    enum Piece {
        case item(Item)
        case between(String)
    }

    private(set) var pieces: [Piece] = []

    init(_ block: Block) {
        var open: Item?
        func end() {
            if let item = open { pieces.append(.item(item)) }
            open = nil
        }
        for (index, line) in block.lines.enumerated() {
            if line.isEmpty || (line.hasPrefix("# ") && (open == nil || open?.wanted.isEmpty == false)) {
                end()
                pieces.append(.between(line))
            } else if line.hasPrefix("=> ") {
                open?.wanted.append(String(line.dropFirst(3)))
            } else {
                if open?.wanted.isEmpty == false { end() }
                let parts = (line.hasSuffix(" =>") ? line + " " : line).components(separatedBy: " => ")
                if open == nil, parts.count == 2 {
                    let wanted = parts[1].isEmpty ? [] : [parts[1]]
                    pieces.append(
                        .item(Item(line: index, given: [parts[0]], wanted: wanted, isOneLine: true)))
                } else {
                    open = open ?? Item(line: index)
                    open?.given.append(line)
                }
            }
        }
        end()
    }
}
