import Foundation

extension Conversation {
    /// What becomes of the row's files once they are loaded, a line each: `write NAME TEXT` (into the same file), `replace NAME TEXT`
    /// (by another one), `link NAME TO`, `remove NAME`.
    func changeFiles(_ block: Block) throws {
        guard let folder else { throw RowError(block.line, "there are no files: write a block `file NAME` first") }
        for (index, line) in block.lines.enumerated() {
            let act = Block(info: line, text: "", line: block.line + index + 1)
            guard let name = act.words.first else { throw RowError(act.line, "expected an act and the name of a file") }
            let rest = act.words.dropFirst().joined(separator: " ")
            let file = URL(fileURLWithPath: "\(folder)/\(name)")
            switch act.name {
            case "write":
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 0)
                try handle.write(contentsOf: Data(rest.utf8))
                try handle.close()
                // So that no clock is too coarse to tell.
                let date = Date(timeIntervalSince1970: 1_000)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
            case "replace", "link", "remove":
                // Made before, so that it is no file with the number of the one that goes.
                let other = URL(fileURLWithPath: file.path + ".other")
                if act.name == "replace" { try Data(rest.utf8).write(to: other) }
                try FileManager.default.removeItem(at: file)
                if act.name == "replace" { try FileManager.default.moveItem(at: other, to: file) }
                if act.name == "link" {
                    try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: rest)
                }
            default:
                throw RowError(act.line, "unknown act \"\(act.name)\"; acts are write, replace, link, remove")
            }
        }
    }
}
