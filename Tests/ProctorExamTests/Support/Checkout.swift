import Foundation

/// The checkout that these tests stand in.
enum Checkout {
    /// The folder that holds `clients` and `fixtures`.
    static let path: String = {
        // .../Tests/ProctorExamTests/Support/Checkout.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/")
    }()

    static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }
}
