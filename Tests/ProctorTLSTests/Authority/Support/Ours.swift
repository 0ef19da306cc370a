import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What the tests of certificates share: the shipped profiles, and one authority for all of them.
enum Ours {
    /// The checkout that these tests stand in.
    static let project: String = {
        // .../Tests/ProctorTLSTests/Authority/Support/Ours.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(5).joined(separator: "/")
    }()

    /// As it is shipped; what is wrong with it is found by a test of its own.
    static let catalog = CertificateCatalog.load(folders: ["\(project)/certs"]).catalog

    private static let opened = Locked<Authority?>(nil)

    /// Made by the first test that wants it; its folder goes when the tests are over.
    static func authority() async throws -> Authority {
        try await onThread {
            try opened.withLock { opened in
                if let opened { return opened }
                let authority = try Authority.open(.ephemeral(seed: nil), catalog: catalog)
                opened = authority
                atexit { Ours.opened.withLock { $0?.close() } }
                return authority
            }
        }
    }

    static let openssl =
        ["/usr/bin/openssl", "/opt/homebrew/opt/openssl@3/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/bin/openssl"
}

/// Sets the permissions of a file.
func mode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// The permissions of a file.
func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}
