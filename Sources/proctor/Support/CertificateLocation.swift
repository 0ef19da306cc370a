internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where certificate profiles are looked for.
struct CertificateLocation {
    let environment: [String: String]

    /// Folders, of which a later one has the last word on a name: the one shipped with the binary, `certs/` beside the
    /// fixtures, `PROCTOR_CERTS`, and the one that `--certs` names.
    ///
    /// Each is there, and stands in the list once.
    func folders(named: String?, fixturePaths: [String]) throws(UsageError) -> [String] {
        var folders = [FixtureLocation.shipped("certs")].compactMap(\.self)
        folders += fixturePaths.map(Self.beside).filter(FixtureLocation.isFolder)
        if let path = environment["PROCTOR_CERTS"], !path.isEmpty {
            guard FixtureLocation.isFolder(path) else {
                throw UsageError("PROCTOR_CERTS names '\(path)', which is no folder")
            }
            folders.append(path)
        }
        if let named {
            guard FixtureLocation.isFolder(named) else {
                throw UsageError("--certs takes a folder of certificate profiles, and '\(named)' is none")
            }
            folders.append(named)
        }
        return Self.withoutRepetition(folders)
    }

    /// `certs` beside the folder `fixtures` that a path leads to or through, or else beside the path itself.
    static func beside(_ path: String) -> String {
        var names = path.split(separator: "/", omittingEmptySubsequences: true)[...]
        let root = path.hasPrefix("/") ? "/" : ""
        if let index = names.lastIndex(of: "fixtures") { names = names[...index] }
        guard let last = names.last else { return "\(root)certs" }
        // What is behind `.` and `..` has a name that this text does not tell.
        let parent = last == "." || last == ".." ? names + [".."] : names.dropLast()
        return root + (parent + ["certs"]).joined(separator: "/")
    }

    /// The last of each folder stays, whatever it is called.
    private static func withoutRepetition(_ folders: [String]) -> [String] {
        var seen: Set<String> = []
        return Array(folders.reversed().filter { seen.insert(canonical($0)).inserted }.reversed())
    }

    private static func canonical(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
