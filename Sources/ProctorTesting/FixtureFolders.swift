internal import Foundation

/// Where a test's scenarios are looked for.
enum FixtureFolders {
    /// Folders in the order in which they are looked through: `PROCTOR_FIXTURES` alone where it is set, else those named
    /// `fixtures` above the test's own file, nearest first, and proctor's own.
    static func candidates(for testFile: String) throws(ExamFailure) -> [String] {
        if let path = ProcessInfo.processInfo.environment["PROCTOR_FIXTURES"], !path.isEmpty {
            guard FileManager.default.fileExists(atPath: path) else {
                throw ExamFailure("PROCTOR_FIXTURES names '\(path)', and there is no such folder")
            }
            return [path]
        }
        let folders = folders(above: testFile)
        guard let shipped, !folders.contains(shipped) else { return folders }
        return folders + [shipped]
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
}
