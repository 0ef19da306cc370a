internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Files and folders that only their owner can read.
enum PrivateFiles {
    /// Enough for key files and the longest chain.
    private static let limit = 1 << 20

    /// Creates the folder, with its parents if `withParents`, and checks that other users have no access.
    static func makeFolder(_ path: String, withParents: Bool = false) throws(AuthorityError) {
        if withParents {
            var parent = ""
            for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropLast() {
                parent += segment + "/"
                // If creating a parent fails, creating the last folder fails too.
                if parent != "/" { _ = unsafe mkdir(parent, 0o700) }
            }
        }
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            let failure = CallFailure.system("mkdir")
            throw AuthorityError(
                .place,
                "the folder of the private authority, \(path), can't be made: \(failure.text); name one that can be "
                    + "written with --ca-dir or PROCTOR_CA_DIR, or do without one with --ephemeral-ca")
        }
        var status = stat()
        // Refuses links: a user who can change a link would decide which keys are used. `lstat` would follow a trailing
        // slash.
        let isThere = unsafe lstat(withoutSlashes(path), &status) == 0
        guard !isThere || status.st_mode & S_IFMT != S_IFLNK else {
            throw AuthorityError(
                .place,
                "\(path) is a symbolic link, so the private authority can't live there; name the folder that it leads "
                    + "to with --ca-dir or PROCTOR_CA_DIR")
        }
        guard isThere, status.st_mode & S_IFMT == S_IFDIR else {
            throw AuthorityError(.place, "\(path) is no folder, so the private authority can't live there")
        }
        try check(status, path, mode: "700")
    }

    private static func withoutSlashes(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    /// The whole file; nil if there is none.
    static func read(_ path: String) throws(AuthorityError) -> [UInt8]? {
        func unreadable(_ failure: CallFailure) -> AuthorityError {
            AuthorityError(.place, "\(path) of the private authority can't be read: \(failure.text)")
        }
        let file: OpenFile
        do throws(CallFailure) {
            file = try OpenFile(path: path, followsLinks: false)
        } catch {
            if error.code == ENOENT { return nil }
            throw unreadable(error)
        }
        var status = stat()
        guard unsafe fstat(file.descriptor, &status) == 0 else { throw unreadable(.system("fstat")) }
        try check(status, path, mode: "600")
        do throws(CallFailure) { return try file.content(upTo: limit) } catch { throw unreadable(error) }
    }

    /// Creates the file atomically; false if it exists already.
    static func create(_ path: String, _ bytes: [UInt8]) throws(AuthorityError) -> Bool {
        let temporary = try writeBeside(path, bytes, mode: 0o600)
        defer { _ = unsafe unlink(temporary) }
        if unsafe link(temporary, path) == 0 { return true }
        let failure = CallFailure.system("link")
        if failure.code == EEXIST { return false }
        // For a file system without links; this way is not atomic.
        guard unsafe access(path, F_OK) != 0 else { return false }
        guard unsafe rename(temporary, path) == 0 else { throw refusal(path, .system("rename")) }
        return true
    }

    /// Replaces the file atomically.
    static func replace(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(AuthorityError) {
        let temporary = try writeBeside(path, bytes, mode: mode)
        guard unsafe rename(temporary, path) == 0 else {
            let failure = CallFailure.system("rename")
            _ = unsafe unlink(temporary)
            throw refusal(path, failure)
        }
    }

    static func makeTemporaryFolder() throws(AuthorityError) -> String {
        do {
            return try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-ca-")
        } catch {
            throw AuthorityError(
                .place,
                "no folder for the ephemeral authority can be made in \(TemporaryFolder.path): \(error.text); name "
                    + "another place with TMPDIR")
        }
    }

    /// Removes the folder with its files and those of its direct subfolders; does not follow links.
    static func removeFolder(_ path: String) {
        for name in (try? FolderList.names(in: path)) ?? [] {
            let file = "\(path)/\(name)"
            if unsafe unlink(file) == 0 { continue }
            for inner in (try? FolderList.names(in: file)) ?? [] { _ = unsafe unlink("\(file)/\(inner)") }
            _ = unsafe rmdir(file)
        }
        _ = unsafe rmdir(path)
    }

    /// Whether a file has exactly this content.
    static func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
        OpenFile.content(of: path, upTo: limit) == bytes
    }

    private static func writeBeside(_ path: String, _ bytes: [UInt8], mode: mode_t) throws(AuthorityError) -> String {
        let random = KeyStream.randomSeed()?.prefix(8).map { String($0, radix: 16) }.joined() ?? "\(getpid())"
        let temporary = "\(path).\(random).tmp"
        let descriptor = FileCalls.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, UInt16(mode))
        guard descriptor >= 0 else { throw refusal(path, .system("open")) }
        // The umask of the process must not restrict this file.
        _ = fchmod(descriptor, mode)
        let failure = FullWrite.write(bytes, to: descriptor).failure
        _ = close(descriptor)
        if let failure {
            _ = unsafe unlink(temporary)
            throw refusal(path, failure)
        }
        return temporary
    }

    private static func refusal(_ path: String, _ failure: CallFailure) -> AuthorityError {
        AuthorityError(
            .place,
            "\(path) of the private authority can't be written: \(failure.text); name another folder with --ca-dir, or "
                + "do without one with --ephemeral-ca")
    }

    private static func check(_ status: stat, _ path: String, mode: String) throws(AuthorityError) {
        guard status.st_uid == geteuid() else {
            throw AuthorityError(
                .permissions,
                "\(path) of the private authority belongs to user \(status.st_uid), expected \(geteuid()); name a folder "
                    + "of your own with --ca-dir, or: chown \(geteuid()) \(path)")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw AuthorityError(
                .permissions,
                "\(path) of the private authority is open to others (mode \(String(status.st_mode & 0o777, radix: 8)), "
                    + "expected \(mode)), so its keys may be known; remove it to have a new one made, or, if nobody else "
                    + "was there: chmod \(mode) \(path)")
        }
    }
}
