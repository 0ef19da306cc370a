import Foundation

/// The checkout that these tests stand in.
enum Project {
    /// The folder that holds `Docs` and `fixtures`.
    static let path: String = {
        // .../Tests/ProctorCLITests/Support/Project.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/")
    }()

    static func text(_ name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }

    /// A program of the system, if it is there.
    static func tool(_ name: String) -> String? {
        ["/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
