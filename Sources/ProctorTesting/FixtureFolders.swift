internal import Foundation

/// Where a test's scenarios are looked for.
enum FixtureFolders {
    /// The folder that holds the scenario: `PROCTOR_FIXTURES`, else the nearest `fixtures` above the test's own file that has
    /// it, else proctor's own.
    static func paths(of id: String, for testFile: String) throws(ExamFailure) -> [String] {
        if let path = ProcessInfo.processInfo.environment["PROCTOR_FIXTURES"], !path.isEmpty {
            guard FileManager.default.fileExists(atPath: path) else {
                throw ExamFailure("PROCTOR_FIXTURES names '\(path)', and there is no such folder")
            }
            return [path]
        }
        let folders = folders(above: testFile)
        if let folder = folders.first(where: { holds(id, in: $0) }) ?? shipped { return [folder] }
        let places =
            folders.isEmpty ? "there is no folder 'fixtures' above \(testFile)" : folders.joined(separator: ", ")
        throw ExamFailure("there is no scenario '\(id)' (\(places)); name a folder with fixtures: or PROCTOR_FIXTURES")
    }

    /// Of the checkout that this package is built from; nil when that is gone.
    static let shipped = folders(above: #filePath).first

    /// The folders `fixtures` beside the file and above it, nearest first.
    private static func folders(above file: String) -> [String] {
        var found: [String] = []
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
        while true {
            let candidate = folder.appendingPathComponent("fixtures").path
            let real = URL(fileURLWithPath: candidate).resolvingSymlinksInPath()
            let values = try? real.resourceValues(forKeys: [.isDirectoryKey])
            if values?.isDirectory == true { found.append(candidate) }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { return found }
            folder = parent
        }
    }

    private static func holds(_ id: String, in folder: String) -> Bool {
        ["yaml", "yml"].contains { FileManager.default.fileExists(atPath: "\(folder)/\(id).\($0)") }
    }
}
