internal import ProctorBase
internal import ProctorFixtures
internal import ProctorScenario

/// A folder of scenarios that are served together at the root of a server.
struct Pack {
    let folder: String
    /// The path of the pack; its name is the prefix of its scenarios' ids.
    let path: FixturePath

    /// A shipped pack (`packs/NAME`), or a folder when the name has a slash.
    init(named name: String) throws {
        if name.contains("/") {
            guard FixtureLocation.isFolder(name), let last = name.split(separator: "/").last, last != ".", last != ".."
            else { throw UsageError("--pack takes the name of a pack or a folder of scenarios, and '\(name)' is none") }
            self.init(folder: name, name: String(last))
            return
        }
        guard !name.isEmpty, name.first != ".", let folder = try ShippedFiles.folder("packs/\(name)") else {
            let known = try Self.shippedNames
            throw UsageError(
                "there is no pack '\(name)'; "
                    + (known.isEmpty ? "none is shipped with this binary" : "shipped: \(known.joined(separator: ", "))")
                    + "; a folder of your own has a slash in its name: ./\(name)")
        }
        self.init(folder: folder, name: name)
    }

    private init(folder: String, name: String) {
        self.folder = folder
        path = FixturePath(folder, prefix: "\(name)/")
    }

    static var shippedNames: [String] {
        get throws {
            guard let folder = try ShippedFiles.folder("packs") else { return [] }
            return try FolderList.namesIfAny(in: folder).filter { FixtureLocation.isFolder("\(folder)/\($0)") }
                .sorted()
        }
    }
}
