import Foundation
import ProctorTestSupport
import Testing

/// No private key stands in the repository.
struct PrivateKeyScanTests {
    /// The names of blocks that hold keys; put together here, so that this file holds none of them.
    private static let labels = ["", "RSA ", "EC ", "DSA ", "ENCRYPTED ", "OPENSSH "].map {
        Data(("-----BEGIN \($0)PRIVATE" + " KEY-----\n").utf8)
    }

    /// What git would take, or all that is not built where there is no git.
    private func files() async throws -> [String] {
        let words = [
            "/usr/bin/env", "git", "-C", Ours.project, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
        ]
        let listed = try await ChildProcess.run(words)
        if listed.status == 0 { return listed.out.split(separator: "\0").map(String.init) }
        let walk = FileManager.default.enumerator(atPath: Ours.project)
        var names: [String] = []
        while let name = walk?.nextObject() as? String {
            if name == ".build" || name == ".git" { walk?.skipDescendants() } else { names.append(name) }
        }
        return names
    }

    @Test func `no file holds a private key`() async throws {
        let files = try await files()
        #expect(files.count > 100)
        for name in files {
            let suffix = name.split(separator: ".").last.map(String.init) ?? ""
            #expect(!["p12", "pfx", "key", "jks"].contains(suffix), "\(name) is called as files of keys are")
            guard let content = FileManager.default.contents(atPath: "\(Ours.project)/\(name)") else { continue }
            for label in Self.labels { #expect(content.range(of: label) == nil, "\(name) holds a private key") }
            // PKCS#8 and what it holds begin with a small version number, in a sequence of at least 32 bytes.
            #expect(!Self.isBinaryKey([UInt8](content.prefix(8))), "\(name) is DER of a private key")
        }
    }

    private static func isBinaryKey(_ head: [UInt8]) -> Bool {
        guard head.count == 8, head[0] == 0x30 else { return false }
        let start = head[1] < 0x80 ? 2 : head[1] == 0x81 ? 3 : head[1] == 0x82 ? 4 : 8
        return start < 6 && head[start] == 0x02 && head[start + 1] == 0x01 && head[start + 2] <= 1
    }

    @Test func `a key would be found`() {
        #expect(Self.isBinaryKey([0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06]))
        #expect(Self.isBinaryKey([0x30, 0x82, 0x04, 0xBD, 0x02, 0x01, 0x00, 0x30]))
        #expect(!Self.isBinaryKey(Array("0\u{1}abcdef".utf8)) && !Self.isBinaryKey([0x30]))
        #expect(Self.labels.count == 6 && Self.labels.allSatisfy { $0.last == 0x0A })
    }
}
