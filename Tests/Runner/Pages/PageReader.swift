import Foundation
import ProctorMarkdown

/// Reads pages from a folder such as `Tests/Data`.
struct PageReader {
    /// Absolute.
    let root: String
    /// How paths begin when they are told to a person.
    let shown: String

    /// The pages below these paths, all without any; sorted.
    ///
    /// A path is a page or a folder, with or without `Tests/Data/`.
    func pages(_ wanted: [String]) throws -> [Page] {
        let all = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".md") && $0.contains("/")
        }
        .sorted()
        let paths = wanted.map { path in
            var path = path[...]
            if path.hasPrefix(shown + "/") { path = path.dropFirst(shown.count + 1) }
            while path.hasSuffix("/") { path = path.dropLast() }
            return String(path)
        }
        for path in paths where !all.contains(where: { Self.is($0, in: path) }) {
            throw UsageError("there is no page \(shown)/\(path); pages are \(shown)/KIND/….md")
        }
        return try all.filter { name in paths.isEmpty || paths.contains { Self.is(name, in: $0) } }.map(page)
    }

    private static func `is`(_ name: String, in path: String) -> Bool {
        name == path || name == path + ".md" || name.hasPrefix(path + "/")
    }

    private func page(_ name: String) throws -> Page {
        let source = try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
        let path = "\(shown)/\(name)"
        var common: [Block] = []
        var rows: [Row] = []
        var heading: (name: String, line: Int)?
        var blocks: [Block] = []
        func endRow() {
            if let heading, !blocks.isEmpty {
                rows.append(Row(name: heading.name, path: path, line: heading.line, blocks: common + blocks))
            }
            blocks = []
        }
        for piece in Markdown.placedBlocks(of: source) {
            switch piece {
            case .heading(let level, let text, let line) where level >= 2:
                endRow()
                heading = (text, line)
            case .heading: break
            case .fence(let info, let text, let line):
                let block = Block(info: info, text: text, line: line)
                if heading == nil { common.append(block) } else { blocks.append(block) }
            }
        }
        endRow()
        return Page(path: path, kind: String(name.prefix { $0 != "/" }), rows: rows)
    }
}

/// What is wrong with the arguments.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
