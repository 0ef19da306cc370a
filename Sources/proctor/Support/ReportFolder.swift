internal import ProctorBase
internal import ProctorReport

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The folder of a site: new, empty, or with an earlier site, whose pages that are no longer wanted are removed.
struct ReportFolder {
    let path: String
    private var folders: Set<String> = []
    private var written: Set<String> = []

    private static let marks = ["report.css", "report.json"]
    /// Where old pages are looked for.
    private static let ofPages = ["case", "family", "client"]

    /// Refuses a folder that has other files, since nothing of a user's may be overwritten.
    init(_ path: String) throws(InputFailure) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let names: [String]
        do throws(CallFailure) {
            names = try FolderList.names(in: self.path)
        } catch {
            guard error.code == ENOENT else { throw InputFailure("\(path) is no folder for a report: \(error.text)") }
            return
        }
        guard names.isEmpty || names.contains(where: Self.marks.contains) else {
            throw InputFailure(
                "\(path) has other files and no report: name a new folder, an empty one, or that of an earlier report")
        }
    }

    mutating func write(_ file: SiteFile) throws(InputFailure) {
        let target = "\(path)/\(file.path)"
        do throws(CallFailure) {
            try makeFolders(of: target)
            let descriptor = unsafe open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw .system("open") }
            defer { close(descriptor) }
            if let failure = FullWrite.write(file.bytes, to: descriptor).failure { throw failure }
        } catch {
            throw InputFailure("\(target) can't be written: \(error.text)")
        }
        written.insert(file.path)
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
                // Succeeds for a folder that is empty now.
                unsafe rmdir("\(path)/\(name)")
            case .regular where name.hasSuffix(".html") && !written.contains(name):
                unsafe unlink("\(path)/\(name)")
            case .regular, .unclear: break
            }
        }
    }

    private mutating func makeFolders(of file: String) throws(CallFailure) {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        guard !folders.contains(folder.joined(separator: "/")) else { return }
        var made = ""
        for segment in folder {
            made += segment + "/"
            guard made != "/", unsafe mkdir(made, 0o755) != 0, errno != EEXIST else { continue }
            throw .system("mkdir \(made)")
        }
        folders.insert(folder.joined(separator: "/"))
    }
}
