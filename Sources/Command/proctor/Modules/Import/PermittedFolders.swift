internal import ProctorBase
internal import ProctorImport

/// The folders whose files a foreign source may name: its own, and those of `--allow-files`.
struct PermittedFolders {
    /// Absolute, without links, with a slash at the end.
    private let folders: [String]

    /// Throws ``InputFailure`` for a folder that is not there.
    init(_ own: String, _ more: [String] = []) throws {
        folders = try ([own] + more).map { folder in
            guard let path = AbsolutePath.withoutLinks(folder) else {
                throw InputFailure("\(folder) can't be read: \(CallFailure.system("realpath").text)")
            }
            return path.hasSuffix("/") ? path : path + "/"
        }
    }

    /// The content of a regular file inside one of the folders, wherever links lead.
    ///
    /// Anything else is refused without waiting, as a FIFO would be waited for.
    func bytes(of path: String, limit: Int) throws(FileRefusal) -> [UInt8] {
        guard let real = AbsolutePath.withoutLinks(path) else {
            throw FileRefusal("can't be read: \(CallFailure.system("realpath").text)")
        }
        guard folders.contains(where: real.hasPrefix) else {
            throw FileRefusal("lies outside of \(folders[0]); --allow-files DIR permits the files of another folder")
        }
        do throws(CallFailure) {
            // The path has no link now, and one that is put there meanwhile is not followed.
            return try OpenFile(path: real, followsLinks: false).content(upTo: limit)
        } catch {
            throw FileRefusal("can't be read: \(error.text)")
        }
    }
}
