import Foundation
import ProctorDocument
import ProctorTestSupport

/// Reads a document, such as a fixture, and compares its mistakes to the letter, or what was read.
///
/// Nothing varies here but the folder, so a `…` stands for itself.
struct DiagnosticsRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        let source = try Source(row)
        for block in row.blocks where !source.isInput(block) {
            switch block.name {
            case "error": expect(block, try source.read(nil).errors, &check)
            case "warning": expect(block, try source.read(nil).warnings, &check)
            case "read": try expectFacts(block, try source.read(nil), &check)
            case "cases": try runCases(block, source, &check)
            default:
                throw RowError(
                    block.line,
                    "unknown block \"\(block.name)\"; blocks are row, file, error, warning, read, cases and the documents: "
                        + DocumentKind.all.keys.sorted().joined(separator: ", "))
            }
        }
    }

    private func expect(_ block: Block, _ lines: [String], _ check: inout Check) {
        check.expectLiterally(block, got: lines.map { $0 + "\n" }.joined())
    }

    /// Lines `PATH = VALUE`; the word behind `read` stands before each path.
    private func expectFacts(_ block: Block, _ document: ReadDocument, _ check: inout Check) throws {
        var lines: [String] = []
        for (index, line) in block.lines.enumerated() {
            let path = line.components(separatedBy: " = ")[0]
            let place = block.words.first.map { path.isEmpty ? $0 : "\($0).\(path)" } ?? path
            lines.append("\(path) = \(try document.fact(place, at: block.line + index + 1))")
        }
        expect(block, lines, &check)
    }

    /// Puts what each case gives in the place of `$(row)`, and compares its mistakes, warnings or the value at a path.
    ///
    /// With `cases match PATH` the text behind its last ` | ` is matched with the value at that path.
    private func runCases(_ block: Block, _ source: Source, _ check: inout Check) throws {
        var text = ""
        for piece in DocumentCases(block).pieces {
            guard case .item(let item) = piece else {
                if case .between(let line) = piece { text += line + "\n" }
                continue
            }
            let number = block.line + item.line + 1
            guard !item.wanted.isEmpty || check.isRecording else { throw RowError(number, "expected given => wanted") }
            let got = try answer(block, item.given.joined(separator: "\n"), source, number)
            text += item.text(got) + "\n"
            if !check.isRecording {
                check.expect(
                    block, line: item.line, isSame: item.wanted == got, given: item.given.joined(separator: "\n"),
                    wanted: item.wanted.joined(separator: "\n=> "), got: got.joined(separator: "\n=> "))
            }
        }
        if check.isRecording { check.expectLiterally(block, got: text) }
    }

    private func answer(_ block: Block, _ given: String, _ source: Source, _ line: Int) throws -> [String] {
        switch block.words.first {
        case "error": return try source.read(given).errors
        case "warning": return try source.read(given).warnings
        case "read" where block.words.count == 2: return [try source.read(given).fact(block.words[1], at: line)]
        case "match" where block.words.count == 2:
            guard let bar = given.range(of: " | ", options: .backwards) else {
                throw RowError(line, "expected GIVEN | TEXT => wanted")
            }
            let document = try source.read(String(given[..<bar.lowerBound]))
            let text = try ByteText.bytes(inLine: String(given[bar.upperBound...]), line: line)
            return [try ValueText.match(text, try document.value(block.words[1], at: line), line: line)]
        default:
            throw RowError(
                block.line, "expected cases error, cases warning, cases read PATH or cases match PATH")
        }
    }
}

/// The document of a row, and the files beside it.
private struct Source {
    private let block: Block
    private let kind: DocumentKind
    private let rowText: String?
    private let files: [(name: String, text: String, bytes: [UInt8]?)]
    private let folder: TestFolder

    init(_ row: Row) throws {
        guard let block = row.blocks.last(where: { DocumentKind.all[$0.name] != nil }),
            let kind = DocumentKind.all[block.name]
        else {
            throw RowError(
                row.line, "this row needs a document: " + DocumentKind.all.keys.sorted().joined(separator: ", "))
        }
        self.block = block
        self.kind = kind
        rowText = row.block("row")?.text
        folder = try TestFolder()
        files = try row.blocks("file").map { file in
            guard let name = file.words.first else { throw RowError(file.line, "a file needs a name: file NAME") }
            return (name, file.text, try file.decodedBytes())
        }
    }

    func isInput(_ block: Block) -> Bool {
        ["row", "file", "slow"].contains(block.name) || DocumentKind.all[block.name] != nil
    }

    /// Reads the document with this text, or that of the block `row`, in the place of `$(row)` in it and in the files.
    ///
    /// Its parts between ` | ` stand in the places of `$(1)`, `$(2)` and so on.
    func read(_ given: String?) throws -> ReadDocument {
        var isUsed = false
        for file in files {
            if let bytes = file.bytes {
                try folder.write(bytes, to: file.name)
            } else {
                try folder.write(try fill(file.text, given, &isUsed), to: file.name)
            }
        }
        let text = try fill(block.text, given, &isUsed)
        if given != nil, !isUsed {
            throw RowError(block.line, "a block \"cases\" needs $(row) in the document or a file")
        }
        return try kind.read(Array(text.utf8), block, folder.path).inFolder(folder.path)
    }

    private static let marks = ["$(row)"] + (1...9).map { "$(\($0))" }

    private func fill(_ text: String, _ given: String?, _ isUsed: inout Bool) throws -> String {
        guard Self.marks.contains(where: text.contains) else { return Self.runs(in: text) }
        guard let given = given ?? rowText else {
            throw RowError(block.line, "$(row) stands here, so its rows need a block \"row\" or \"cases\"")
        }
        isUsed = true
        var text = Self.fill(text, "$(row)", given)
        let parts = given.components(separatedBy: " | ").map { $0.trimmingCharacters(in: .whitespaces) }
        for (mark, part) in zip(Self.marks.dropFirst(), parts) { text = Self.fill(text, mark, part) }
        if let mark = Self.marks.first(where: text.contains) {
            throw RowError(block.line, "nothing is given for \(mark); parts stand between ' | '")
        }
        return Self.runs(in: text)
    }

    /// The text with runs such as `\{8300 a}` written out.
    private static func runs(in text: String) -> String {
        guard text.contains("\\{") else { return text }
        return text.replacing(/\\{(\d+) ([^}]+)}/) { run in
            String(repeating: String(run.output.2), count: min(Int(run.output.1) ?? 0, 1 << 20))
        }
    }

    /// Where the mark stands alone on its line, each line of the text is indented as it is.
    private static func fill(_ text: String, _ mark: String, _ given: String) -> String {
        let lines = given.hasSuffix("\n") ? String(given.dropLast()) : given
        return text.components(separatedBy: "\n").map { line in
            guard let place = line.range(of: mark) else { return line }
            let before = line[..<place.lowerBound]
            let indent = before.allSatisfy { $0 == " " } ? String(before) : ""
            return before + lines.replacing("\n", with: "\n" + indent) + line[place.upperBound...]
        }.joined(separator: "\n")
    }
}
