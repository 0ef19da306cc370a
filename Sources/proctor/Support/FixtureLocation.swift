internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where fixtures are looked for when the command line names none.
struct FixtureLocation {
    let environment: [String: String]

    /// The paths that were named, or the first of: `PROCTOR_FIXTURES`, the nearest `fixtures/` above the working
    /// directory, the ones shipped with the binary.
    func paths(named: [String]) throws(UsageError) -> [String] {
        if !named.isEmpty { return named }
        if let path = environment["PROCTOR_FIXTURES"], !path.isEmpty {
            guard unsafe access(path, F_OK) == 0 else {
                throw UsageError("PROCTOR_FIXTURES names '\(path)', which is not there")
            }
            return [path]
        }
        if let path = Self.nearest(above: Self.workingDirectory) { return [path] }
        if let path = Self.shipped("fixtures") { return [path] }
        throw UsageError(
            "there are no fixtures: name a folder, set PROCTOR_FIXTURES, or run below a folder that holds 'fixtures'")
    }

    /// Where a new scenario goes when nothing is said.
    var folderForNew: String {
        if let path = environment["PROCTOR_FIXTURES"], !path.isEmpty { return path }
        return Self.nearest(above: Self.workingDirectory, where: Self.isFolder) ?? "fixtures"
    }

    private static func nearest(
        above folder: String, where isMeant: (String) -> Bool = { holdsScenarios($0) }
    ) -> String? {
        var folder = folder
        var prefix = ""
        while true {
            if isMeant(folder + "/fixtures") {
                // Shorter paths make messages that can be read and clicked.
                return prefix.isEmpty ? "fixtures" : prefix + "fixtures"
            }
            guard let slash = folder.lastIndex(of: "/"), slash != folder.startIndex else { return nil }
            folder = String(folder[..<slash])
            prefix += "../"
        }
    }

    /// Many projects have a folder of that name for something else.
    private static func holdsScenarios(_ folder: String, depth: Int = 8) -> Bool {
        let names = ((try? FolderList.names(in: folder)) ?? [])
        if names.contains(where: { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }) { return true }
        guard depth > 1 else { return false }
        return names.prefix(200).contains { holdsScenarios("\(folder)/\($0)", depth: depth - 1) }
    }

    /// A folder of `../share/proctor` of an installed binary, or of the checkout that it was built in.
    static func shipped(_ name: String) -> String? {
        guard let binary = executablePath, let slash = binary.lastIndex(of: "/") else { return nil }
        var folder = String(binary[..<slash])
        if isFolder("\(folder)/../share/proctor/\(name)") { return "\(folder)/../share/proctor/\(name)" }
        while !folder.isEmpty {
            if isFolder("\(folder)/\(name)") { return "\(folder)/\(name)" }
            folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
        }
        return nil
    }

    /// Whether a folder is the one of scenarios that come with proctor, whatever it is called.
    static func isShipped(_ folder: String) -> Bool {
        guard let shipped = shipped("fixtures"), let own = identity(of: shipped) else { return false }
        return identity(of: folder).map { $0 == own } ?? false
    }

    private static func identity(of path: String) -> (device: UInt64, inode: UInt64)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
    }

    private static var workingDirectory: String {
        guard let path = unsafe getcwd(nil, 0) else { return "" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    private static var executablePath: String? {
        #if canImport(Darwin)
            var size = UInt32(PATH_MAX)
            return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(size)) { buffer in
                guard let start = unsafe buffer.baseAddress, unsafe _NSGetExecutablePath(start, &size) == 0 else {
                    return nil
                }
                return unsafe String(cString: start)
            }
        #else
            guard let path = unsafe realpath("/proc/self/exe", nil) else { return nil }
            defer { unsafe free(path) }
            return unsafe String(cString: path)
        #endif
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
