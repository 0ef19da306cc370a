internal import ProctorBase
internal import ProctorScenario

/// The folder that a book is read from.
package enum BookFolder {
    /// The name of the folder in a checkout and in the program.
    package static let name = "Docs"

    private static let deepestFolder = 4
    private static let fileByteLimit = 1 << 20

    /// Reads every page below a folder, and blocks meanwhile; nil where it has no contents.
    package static func read(_ folder: String) -> Book? {
        var files: [String: String] = [:]
        collect(folder, "", depth: 0, into: &files)
        return Book(files: files)
    }

    private static func collect(_ folder: String, _ prefix: String, depth: Int, into files: inout [String: String]) {
        guard depth < deepestFolder, let names = try? FolderList.names(in: "\(folder)/\(prefix)") else { return }
        for name in names where name.first != "." {
            let path = prefix + name
            if name.hasSuffix(".md") {
                files[path] = text(of: "\(folder)/\(path)")
            } else {
                // A file is no folder that can be listed.
                collect(folder, "\(path)/", depth: depth + 1, into: &files)
            }
        }
    }

    private static func text(of path: String) -> String? {
        (try? FileBytes.read(path, limit: fileByteLimit)).map { String(decoding: $0, as: UTF8.self) }
    }
}
