internal import ProctorBase
package import ProctorDocument
internal import ProctorScenario

/// The folder that a book is read from.
package enum BookFolder {
    /// The name of the folder in a checkout and in the program.
    package static let name = "Docs"

    private static let deepestFolder = 4
    private static let fileByteLimit = 1 << 20

    /// Reads every page below a folder, and blocks meanwhile; nil where it has no contents.
    ///
    /// Throws for the first page or folder that can't be read: a book without some of its pages would look whole.
    package static func read(_ folder: String) throws(Diagnostic) -> Book? {
        guard FileBytes.realPath(folder) != nil else { return nil }
        var files: [String: String] = [:]
        try collect(folder, "", depth: 0, into: &files)
        return Book(files: files)
    }

    private static func collect(
        _ folder: String, _ prefix: String, depth: Int, into files: inout [String: String]
    ) throws(Diagnostic) {
        guard depth < deepestFolder else { return }
        for entry in try FileBytes.entries(inFolder: "\(folder)/\(prefix)") where entry.name.first != "." {
            let path = prefix + entry.name
            if entry.name.hasSuffix(".md") {
                files[path] = String(
                    decoding: try FileBytes.read("\(folder)/\(path)", limit: fileByteLimit), as: UTF8.self)
            } else if try isFolder("\(folder)/\(path)", entry.kind) {
                try collect(folder, "\(path)/", depth: depth + 1, into: &files)
            }
        }
    }

    private static func isFolder(_ path: String, _ kind: FolderList.Entry.Kind) throws(Diagnostic) -> Bool {
        switch kind {
        case .regular: return false
        case .folder: return true
        case .unclear:
            do throws(CallFailure) {
                return try FileBytes.status(path).kind == .folder
            } catch {
                throw Diagnostic(unreadable: path, error)
            }
        }
    }
}
