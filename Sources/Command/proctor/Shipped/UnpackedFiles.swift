internal import ProctorBase
internal import ProctorCoding

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The folder in the user's cache into which the program's archive is unpacked, once for each content.
///
/// It is renamed when it is complete, so that several programs may start at once. Folders that no start has used for 30
/// days are removed when another version is unpacked.
struct UnpackedFiles {
    let archive: AppendedArchive

    /// The most bytes of all unpacked files together.
    private static let byteLimit = 256 << 20
    private static let namePrefix = "files-"
    private static let unfinishedPrefix = "unpacking-"
    private static let lifeSeconds = 30 * 86_400

    /// The folder; unpacks the files unless they are unpacked already.
    func folder() throws(UsageError) -> String {
        let name = Self.namePrefix + archive.digest.prefix(8).map { $0.hexadecimal() }.joined()
        var reasons: [String] = []
        for parent in Self.parents {
            do throws(CallFailure) {
                return try folder(named: name, in: Self.makeOwnFolder(parent))
            } catch {
                reasons.append("\(parent): \(error.text)")
            }
        }
        throw UsageError(
            "the files inside this program have no place to be unpacked to (\(reasons.joined(separator: "; "))); "
                + "name a folder that can be written with XDG_CACHE_HOME")
    }

    private func folder(named name: String, in parent: String) throws(CallFailure) -> String {
        let folder = "\(parent)/\(name)"
        if FileKind(of: folder, followsLinks: false) == .folder {
            // The folder's time shows when it was last used; a read-only cache can be used too.
            _ = unsafe utimensat(AT_FDCWD, folder, nil, 0)
            return folder
        }
        let unfinished = try TemporaryFolder.make("\(parent)/\(Self.unfinishedPrefix)")
        do throws(CallFailure) {
            try unpack(into: unfinished)
            guard unsafe rename(unfinished, folder) == 0 else {
                let failure = CallFailure.system("rename")
                guard FileKind(of: folder, followsLinks: false) == .folder else { throw failure }
                // Another start has unpacked the files meanwhile.
                Self.remove(unfinished)
                return folder
            }
        } catch {
            Self.remove(unfinished)
            throw error
        }
        Self.removeUnused(in: parent, except: name)
        return folder
    }

    private func unpack(into folder: String) throws(CallFailure) {
        let packed = try archive.read()
        let bytes: [UInt8]
        let files: [TarArchive.File]
        do throws(CodingFailure) {
            bytes = try CodingDecoder.decode(packed, codings: [.gzip], limit: Self.byteLimit)
            files = try TarArchive(parsing: bytes).files
        } catch {
            throw CallFailure(
                call: "unpack", code: EILSEQ,
                text: "the archive inside the program is broken (\(error)); fetch it again")
        }
        var made: Set<Substring> = []
        for file in files {
            for end in file.path.indices where file.path[end] == "/" {
                let parent = file.path[..<end]
                guard made.insert(parent).inserted else { continue }
                guard unsafe mkdir("\(folder)/\(parent)", 0o755) == 0 else { throw .system("mkdir") }
            }
            try NewFile.write(
                bytes.span.extracting(file.range), to: "\(folder)/\(file.path)", mode: file.isExecutable ? 0o755 : 0o644
            )
        }
    }
}

extension UnpackedFiles {
    /// The folders to be tried: the user's cache, then a folder for temporary files.
    private static var parents: [String] {
        UserCache.folders { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
            + ["\(TemporaryFolder.path)/proctor-\(geteuid())"]
    }

    /// Makes the folder with its parents, and gives its path without links; refuses one that another user could change.
    private static func makeOwnFolder(_ path: String) throws(CallFailure) -> String {
        for end in path.indices.dropFirst() where path[end] == "/" {
            // An error at a parent shows when the last folder is made.
            _ = unsafe mkdir(String(path[..<end]), 0o700)
        }
        if unsafe mkdir(path, 0o700) != 0 {
            let failure = CallFailure.system("mkdir")
            guard failure.code == EEXIST else { throw failure }
        }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .system("lstat") }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw CallFailure(
                call: "lstat", code: EPERM,
                text: "expected a folder of user \(geteuid()) that no other user may write to")
        }
        guard let found = unsafe realpath(path, nil) else { throw .system("realpath") }
        defer { unsafe free(found) }
        let place = unsafe String(cString: found)
        try refuseForeign(above: place)
        return place
    }

    /// Refuses a folder on the way to the root in which another user could put something else in the place of what is ours.
    ///
    /// Each is of this user or of the root's owner, and others may write to none, or can't move what is not theirs (sticky).
    private static func refuseForeign(above path: String) throws(CallFailure) {
        var place = path
        var root = stat()
        guard unsafe lstat("/", &root) == 0 else { throw .system("lstat") }
        while let slash = place.lastIndex(of: "/"), place != "/" {
            place = slash == place.startIndex ? "/" : String(place[..<slash])
            var status = stat()
            guard unsafe lstat(place, &status) == 0 else { throw .system("lstat") }
            let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & mode_t(S_ISVTX) == 0
            guard !isOpen, [geteuid(), root.st_uid].contains(status.st_uid) else {
                throw CallFailure(
                    call: "lstat", code: EPERM, text: "\(place) belongs to another user, or others may move what it has"
                )
            }
        }
    }

    private static func removeUnused(in parent: String, except name: String) {
        let now = time(nil)
        for other in (try? FolderList.names(in: parent)) ?? []
        where other != name && (other.hasPrefix(namePrefix) || other.hasPrefix(unfinishedPrefix)) {
            var status = stat()
            guard unsafe lstat("\(parent)/\(other)", &status) == 0 else { continue }
            #if canImport(Darwin)
                let changed = status.st_mtimespec.tv_sec
            #else
                let changed = status.st_mtim.tv_sec
            #endif
            if changed < now - lifeSeconds { remove("\(parent)/\(other)") }
        }
    }

    /// Removes a folder with its content, and follows no symbolic links.
    private static func remove(_ folder: String) {
        for entry in (try? FolderList.names(in: folder)) ?? [] {
            let path = "\(folder)/\(entry)"
            if FileKind(of: path, followsLinks: false) == .folder { remove(path) } else { _ = unsafe unlink(path) }
        }
        _ = unsafe rmdir(folder)
    }
}

/// The folders of Proctor's in the user's caches.
enum UserCache {
    /// `value` is that of an environment variable; the XDG specification ignores relative paths.
    static func folders(_ value: (_ name: String) -> String?) -> [String] {
        #if canImport(Darwin)
            let caches = [("XDG_CACHE_HOME", ""), ("HOME", "/Library/Caches")]
        #else
            let caches = [("XDG_CACHE_HOME", ""), ("HOME", "/.cache")]
        #endif
        return caches.compactMap { name, below in
            guard let folder = value(name), folder.hasPrefix("/") else { return nil }
            return "\(folder == "/" ? "" : folder)\(below)/proctor"
        }
    }
}
