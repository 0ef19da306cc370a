internal import Foundation

/// Where a test's scenarios are looked for.
enum FixtureFolders {
    /// The first of: `PROCTOR_FIXTURES`, the nearest `fixtures` above the test's own file, and those of this package.
    static func paths(for testFile: String) throws(ExamFailure) -> [String] {
        if let path = ProcessInfo.processInfo.environment["PROCTOR_FIXTURES"], !path.isEmpty { return [path] }
        if let path = nearest(above: testFile) ?? nearest(above: #filePath) { return [path] }
        throw ExamFailure(
            "there are no fixtures: put a folder 'fixtures' beside your Package.swift, or set PROCTOR_FIXTURES")
    }

    private static func nearest(above file: String) -> String? {
        var folder = URL(fileURLWithPath: file).deletingLastPathComponent().standardizedFileURL
        while true {
            let candidate = folder.appendingPathComponent("fixtures").path
            let real = URL(fileURLWithPath: candidate).resolvingSymlinksInPath()
            let values = try? real.resourceValues(forKeys: [.isDirectoryKey])
            if values?.isDirectory == true { return candidate }
            let parent = folder.deletingLastPathComponent()
            guard parent.path != folder.path else { return nil }
            folder = parent
        }
    }
}
