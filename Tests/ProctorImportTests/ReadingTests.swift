import Foundation
import ProctorTestSupport
import Testing

@testable import ProctorImport

/// Readers of foreign files, given files that are cut off, and lines of a shell.
struct ReadingTests {
    private static func bytes(_ file: String) throws -> [UInt8] {
        return [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: "\(Project.path)/Tests/Data/imports/recordings/\(file)")))
    }

    @Test(arguments: [
        (ImportKind.http, "go.dump"), (.http, "node.dump"), (.vcr, "ruby.vcr.yaml"), (.http, "curl-include.dump"),
        (.postman, "pets.postman.json"), (.http, "curl-h2.trace"),
    ])
    func `a file that ends anywhere is read so far or refused with a place`(kind: ImportKind, file: String) throws {
        let bytes = try Self.bytes(file)
        let importer = Importer(keepsSecrets: false)
        _ = try importer.draft(kind, bytes, file: file)
        for end in Extent.of(Array(bytes.indices), stride: 10) {
            do throws(ImportFailure) {
                let draft = try importer.draft(kind, Array(bytes[..<end]), file: file)
                #expect(!draft.exchanges.isEmpty)
            } catch {
                #expect(error.description.contains(file) || error.description.contains("no request with a reply"))
            }
        }
    }

    @Test func `bytes that were changed never end the program`() throws {
        let importer = Importer(keepsSecrets: false)
        for (kind, file) in [(ImportKind.http, "go.dump"), (.vcr, "ruby.vcr.yaml"), (.postman, "pets.postman.json")] {
            let bytes = try Self.bytes(file)
            for index in Extent.of(Array(bytes.indices), stride: 10) {
                var changed = bytes
                changed[index] = [0x00, 0xFF, 0x7B, 0x0A, 0x39][index % 5]
                _ = try? importer.draft(kind, changed, file: file)
            }
        }
    }

    @Test func `words of a shell are parted and unquoted`() throws {
        let line = #"curl 'a b'"c \" d"e\ f $'g\n\x41' "" -d '{"x":1}' \"# + "\n  http://x/ | jq ."
        #expect(
            try ShellWords.split(line, name: "line") == [
                "curl", "a bc \" de f", "g\nA", "", "-d", #"{"x":1}"#, "http://x/",
            ])
        for open in ["curl 'a", "curl \"a", "curl $'a", "curl \\"] {
            #expect(throws: ImportFailure.self) { try ShellWords.split(open, name: "line") }
        }
        for end in line.indices { _ = try? ShellWords.split(String(line[..<end]), name: "line") }
    }

    @Test func `secrets are found by name, by place and by form`() {
        for name in ["access_token", "X-Api-Key", "password", "client-secret", "Authorization", "sessionid"] {
            #expect(SecretNames.contains(name), "\(name)")
        }
        for name in ["token_type", "max_tokens", "Content-Type", "Host", "code"] {
            #expect(!SecretNames.contains(name), "\(name)")
        }
        let text = Array(
            "x eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln and AKIAIOSFODNN7EXAMPLE, notAKIAIOSFODNN7EXAMPLE".utf8)
        #expect(
            TokenPatterns.matches(in: text[...]).map { String(decoding: text[$0.range], as: UTF8.self) } == [
                "eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln", "AKIAIOSFODNN7EXAMPLE",
            ])
    }
}
