internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The folder of a site: new, empty, or with an earlier site, whose superfluous pages are removed.
struct ReportFolder {
    let path: String
    private var folders: Set<String> = []
    private var written: Set<String> = []

    /// Files by which the folder of an earlier report is known.
    private static let marks = ["report.css", "report.json"]
    /// The folders in which old pages are searched for.
    private static let ofPages = ["case", "family", "client"]

    /// Refuses a folder that has other files, since nothing of a user's may be overwritten.
    ///
    /// `marks` are names by which the folder of an earlier site is known, and `noun` is what the site is.
    init(_ path: String, of noun: String = "report", marks: [String] = Self.marks) throws(InputFailure) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let names: [String]
        do throws(CallFailure) {
            names = try FolderList.names(in: self.path)
        } catch {
            guard error.code == ENOENT else { throw InputFailure("\(path) is no folder for a \(noun): \(error.text)") }
            return
        }
        guard names.isEmpty || names.contains(where: marks.contains) else {
            throw InputFailure(
                "\(path) has other files and no \(noun): name a new folder, an empty one, or that of an earlier \(noun)"
            )
        }
    }

    mutating func write(_ bytes: [UInt8], to file: String) throws(InputFailure) {
        let target = "\(path)/\(file)"
        do throws(CallFailure) {
            let folder = target.prefix(upTo: target.lastIndex(of: "/") ?? target.startIndex)
            if folders.insert(String(folder)).inserted { try NewFile.makeFolders(above: target) }
            try NewFile.write(bytes.span, to: target, replacing: true)
        } catch {
            throw InputFailure("\(target) can't be written: \(error.text)")
        }
        written.insert(file)
    }

    /// Removes pages of an earlier report that this one does not have.
    func removeOldPages() {
        for folder in Self.ofPages { removePages(below: folder, depth: 0) }
    }

    var fileCount: Int { written.count }

    private func removePages(below folder: String, depth: Int) {
        guard depth < 32, let entries = try? FolderList.entries(in: "\(path)/\(folder)") else { return }
        for entry in entries {
            let name = "\(folder)/\(entry.name)"
            switch entry.kind {
            case .folder:
                removePages(below: name, depth: depth + 1)
                // Succeeds when the folder is empty now.
                unsafe rmdir("\(path)/\(name)")
            case .regular where name.hasSuffix(".html") && !written.contains(name):
                unsafe unlink("\(path)/\(name)")
            case .regular, .unclear: break
            }
        }
    }
}
