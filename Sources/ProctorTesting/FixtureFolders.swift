internal import Foundation
internal import ProctorDocument
public import ProctorGrading

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

    /// The folder of the checkout that this package is built from; nil when that is gone.
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

extension Ledger {
    /// A ledger that a test writes down itself, as YAML; throws with every mistake at its place.
    public static func reading(_ text: String, filePath: String = #filePath) throws(ExamFailure) -> Ledger {
        let (ledger, diagnostics) = parse(Array(text.utf8), file: "ledger in \(filePath)")
        if let ledger, diagnostics.isEmpty { return ledger }
        throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n"))
    }

    /// A ledger that proctor comes with, by its client's name: `urlsession-corelibs` is URLSession on Linux.
    public static func shipped(_ client: String) throws(ExamFailure) -> Ledger {
        guard let fixtures = FixtureFolders.shipped else { throw ExamFailure("proctor's own checkout is gone") }
        let path = "\(fixtures)/../clients/\(client).yaml"
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ExamFailure("there is no ledger '\(client)': \(path) can't be read")
        }
        let (ledger, diagnostics) = parse(Array(data), file: path)
        if let ledger, diagnostics.isEmpty { return ledger }
        throw ExamFailure(diagnostics.map(\.description).joined(separator: "\n"))
    }
}
