import Foundation
import ProctorTestSupport

/// The built `proctor` as a package installs it, with a few of the shipped scenarios.
///
/// A debug build works for seconds to read them all, and for a minute where others are at work beside it.
struct Installation {
    private let folder: TestFolder

    /// The paths are those of files below `fixtures/`.
    init(fixtures: [String]) throws {
        let folder = try TestFolder()
        for path in fixtures {
            let text = try String(contentsOfFile: "\(Project.path)/fixtures/\(path)", encoding: .utf8)
            try folder.write(text, to: "share/proctor/fixtures/\(path)")
        }
        try folder.link("share/proctor/Docs", to: "\(Project.path)/Docs", folderFirst: "share/proctor")
        try folder.makeFolder("bin")
        self.folder = folder
        // A program finds what is installed beside its own file, so a symbolic link would not do.
        do {
            try FileManager.default.linkItem(atPath: Child.binary, toPath: program)
        } catch {
            // The folder is on another disk.
            try FileManager.default.copyItem(atPath: Child.binary, toPath: program)
        }
    }

    private var program: String { "\(folder.path)/bin/proctor" }

    /// Runs the program in a folder without fixtures, or in the given one.
    func run(_ arguments: [String], in other: TestFolder? = nil) async throws -> Child.Outcome {
        try await Child.run(arguments, program: program, in: other ?? folder)
    }
}
