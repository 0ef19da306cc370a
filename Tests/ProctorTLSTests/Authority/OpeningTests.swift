import Foundation
import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Where the authority is stored, and who may read it.
struct OpeningTests {
    @Test func `it is made on first use, and found again`() async throws {
        let place = try TestFolder()
        try await onThread {
            let first = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
            let second = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
            #expect(first.certificateDER == second.certificateDER)
            let files = ["authority.pem": 0o600, "ca.pem": 0o644, "ca.der": 0o644, "keys": 0o700, "clients": 0o700]
            for (name, wanted) in files { #expect(try mode(of: "\(place.path)/ca/\(name)") == wanted, "\(name)") }
            #expect(try mode(of: "\(place.path)/ca") == 0o700)
            let key = try first.identity("ed25519", names: .loopback).key
            #expect(try second.identity("ed25519", names: .loopback).key == key)
            let keys = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/ca/keys")
            #expect(keys == ["server-ed25519.ed25519.key"])
            #expect(try mode(of: "\(place.path)/ca/keys/\(keys[0])") == 0o600)
            let pem = try String(contentsOfFile: first.certificatePath, encoding: .utf8)
            #expect(pem == first.certificatePEM && !pem.contains("PRIVATE"))
        }
    }

    @Test func `many that start at once agree on one authority and one key`() async throws {
        let place = try TestFolder()
        let found = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        let authority = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
                        return [authority.certificateDER, try authority.identity("rsa1024", names: .loopback).key]
                    }
                }
            }
            return try await group.reduce(into: Set<[[UInt8]]>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/ca")
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    @Test(arguments: [("", 0o750, "700"), ("authority.pem", 0o640, "600"), ("keys", 0o701, "700")])
    func `what others may look at is refused until it is mended`(name: String, wide: Int, right: String) async throws {
        let place = try TestFolder()
        try await onThread {
            let folder = "\(place.path)/ca"
            let path = name.isEmpty ? folder : "\(folder)/\(name)"
            _ = try Authority.open(.folder(folder), catalog: Ours.catalog)
            let narrow = try mode(of: path)
            try mode(wide, of: path)
            let refusal = #expect(throws: AuthorityError.self) {
                try Authority.open(.folder(folder), catalog: Ours.catalog)
            }
            #expect(refusal?.reason == .permissions)
            #expect(refusal?.description.hasSuffix("chmod \(right) \(path)") == true, "\(refusal?.description ?? "")")
            try mode(narrow, of: path)
            _ = try Authority.open(.folder(folder), catalog: Ours.catalog)
        }
    }

    @Test func `a key that others may read is refused, and so is one that is a link`() async throws {
        let place = try TestFolder()
        try await onThread {
            let folder = "\(place.path)/ca"
            _ = try Authority.open(.folder(folder), catalog: Ours.catalog).identity("ed25519", names: .loopback)
            let path = "\(folder)/keys/server-ed25519.ed25519.key"
            try mode(0o604, of: path)
            let next = try Authority.open(.folder(folder), catalog: Ours.catalog)
            let refusal = #expect(throws: AuthorityError.self) { try next.identity("ed25519", names: .loopback) }
            #expect(refusal?.reason == .permissions)
            try mode(0o600, of: path)
            try FileManager.default.moveItem(atPath: path, toPath: "\(folder)/elsewhere")
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(folder)/elsewhere")
            #expect(throws: AuthorityError.self) { try next.identity("ed25519", names: .loopback) }
        }
    }

    @Test(arguments: ["", "/", "//"])
    func `a folder that is a link is refused, one that links lead to is not`(end: String) async throws {
        let place = try TestFolder()
        try await onThread {
            let files = FileManager.default
            try files.createDirectory(atPath: "\(place.path)/real", withIntermediateDirectories: false)
            try files.createSymbolicLink(atPath: "\(place.path)/link", withDestinationPath: "\(place.path)/real")
            _ = try Authority.open(.folder("\(place.path)/link/ca"), catalog: Ours.catalog)
            try files.createSymbolicLink(atPath: "\(place.path)/ca", withDestinationPath: "\(place.path)/real/ca")
            let refusal = #expect(throws: AuthorityError.self) {
                try Authority.open(.folder("\(place.path)/ca\(end)"), catalog: Ours.catalog)
            }
            #expect(refusal?.reason == .place)
            #expect(refusal?.description.contains("symbolic link") == true, "\(refusal?.description ?? "")")
        }
    }

    @Test(arguments: ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a file that holds something else is named and left alone`(text: String) async throws {
        let place = try TestFolder()
        try await onThread {
            try mode(0o600, of: try place.write(text, to: "authority.pem"))
            let refusal = #expect(throws: AuthorityError.self) {
                try Authority.open(.folder(place.path), catalog: Ours.catalog)
            }
            #expect(refusal?.reason == .place)
            #expect(refusal?.description.contains("\(place.path)/authority.pem") == true)
            #expect(try String(contentsOfFile: "\(place.path)/authority.pem", encoding: .utf8) == text)
        }
    }

    @Test func `an authority that has ended is named`() async throws {
        let place = try TestFolder()
        try await onThread {
            _ = try Authority.open(.folder(place.path), catalog: Ours.catalog)
            let later = Authority.systemTime() + 4_000 * DER.day
            let refusal = #expect(throws: AuthorityError.self) {
                try Authority.open(.folder(place.path), catalog: Ours.catalog, now: { later })
            }
            #expect(refusal?.description.contains("valid now") == true)
        }
    }

    @Test func `a place that can't be made is refused with what to do`() async throws {
        try await onThread {
            for place in [AuthorityStorage.folder("/proc/nothing"), .folder(""), .folder("/dev/null")] {
                let refusal = #expect(throws: AuthorityError.self) { try Authority.open(place, catalog: Ours.catalog) }
                #expect(refusal?.reason == .place)
            }
            let refusal = #expect(throws: AuthorityError.self) {
                try Authority.open(.userData, catalog: Ours.catalog, environment: ["HOME": "/proc"])
            }
            #expect(refusal?.description.contains("--ephemeral-ca") == true)
            let homeless = #expect(throws: AuthorityError.self) {
                try Authority.open(.userData, catalog: Ours.catalog, environment: [:])
            }
            #expect(homeless?.description.contains("there is no HOME") == true)
        }
    }

    #if os(Linux)
        @Test func `the user's data has its place in the environment`() throws {
            func path(_ environment: [String: String]) throws -> String { try AuthorityFolder(environment).path() }
            #expect(try path(["HOME": "/h"]) == "/h/.local/share/proctor/ca")
            #expect(try path(["HOME": "/h", "XDG_DATA_HOME": "/d"]) == "/d/proctor/ca")
            #expect(try path(["HOME": "/h", "XDG_DATA_HOME": "d"]) == "/h/.local/share/proctor/ca")
            #expect(try path(["HOME": "/h", "XDG_DATA_HOME": "/d", "PROCTOR_CA_DIR": "c"]) == "c")
        }
    #endif

    @Test func `the user's data folder is made with the folders on its way`() async throws {
        let place = try TestFolder()
        try await onThread {
            let authority = try Authority.open(.userData, catalog: Ours.catalog, environment: ["HOME": place.path])
            #expect(authority.folder.hasPrefix(place.path) && !authority.isEphemeral)
            #expect(try mode(of: authority.folder) == 0o700)
        }
    }

    @Test func `an ephemeral one leaves nothing behind`() async throws {
        try await onThread {
            let folder: String
            do {
                let authority = try Authority.open(.ephemeral(seed: nil), catalog: Ours.catalog)
                folder = authority.folder
                _ = try authority.client("alice")
                _ = try authority.identity("valid", names: .loopback)
                #expect(FileManager.default.fileExists(atPath: authority.certificatePath))
                #expect(try mode(of: folder) == 0o700)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                #expect(names == ["ca.der", "ca.pem", "clients"], "no key of the authority or of a server is there")
            }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }
}

/// What stands in the place of a file, and is none.
@Suite(.limit(minutes: 5))
struct SmallFileTests {
    @Test func `a pipe among the profiles is told of and not waited for`() async throws {
        let place = try TestFolder()
        let isMade = unsafe mkfifo("\(place.path)/pipe.yaml", 0o600) == 0
        #expect(isMade)
        let (catalog, diagnostics) = try await onThread { CertificateCatalog.load(folders: [place.path]) }
        #expect(catalog.names.isEmpty)
        #expect(diagnostics.map(\.sentence) == ["the profile can't be read: it is no regular file"])
    }

    @Test func `all reasons of OpenSSL are told, the first one first`() async throws {
        let failure = try await onThread {
            #expect(throws: CallFailure.self) { _ = try PrivateKey(der: [0x30, 0x03, 0x02, 0x01]) }
        }
        #expect(
            failure?.text.contains("; ") == true && failure?.text.contains("error:") == false, "\(failure?.text ?? "")")
    }
}
