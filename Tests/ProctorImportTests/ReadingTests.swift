import Foundation
import ProctorBase
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
        let importer = Importer(keepsSecrets: false, within: WorkBudget())
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
        let importer = Importer(keepsSecrets: false, within: WorkBudget())
        for (kind, file) in [(ImportKind.http, "go.dump"), (.vcr, "ruby.vcr.yaml"), (.postman, "pets.postman.json")] {
            let bytes = try Self.bytes(file)
            for index in Extent.of(Array(bytes.indices), stride: 10) {
                var changed = bytes
                changed[index] = [0x00, 0xFF, 0x7B, 0x0A, 0x39][index % 5]
                _ = try? importer.draft(kind, changed, file: file)
            }
        }
    }

    @Test(arguments: [
        (ImportKind.http, "go.dump"), (.vcr, "ruby.vcr.yaml"), (.postman, "pets.postman.json"), (.har, "chromium.har"),
    ])
    func `a budget ends an import wherever it is spent, and the failure names the bound`(kind: ImportKind, file: String)
        throws
    {
        let bytes = try Self.bytes(file)
        let whole = WorkBudget()
        _ = try Importer(keepsSecrets: false, within: whole).draft(kind, bytes, file: file)
        #expect(whole.stepCount > bytes.count / 64)
        for limit in 0..<whole.stepCount {
            #expect {
                _ = try Importer(keepsSecrets: false, within: WorkBudget(stepLimit: limit)).draft(
                    kind, bytes, file: file)
            } throws: {
                "\($0)" == "the import was not finished: it takes more than \(limit) steps, which is the bound"
            }
        }
        let flag = CancelFlag()
        flag.set()
        #expect {
            _ = try Importer(keepsSecrets: false, within: WorkBudget(flag: flag)).draft(kind, bytes, file: file)
        } throws: { "\($0)" == "the import was not finished: it was cancelled" }
    }

    /// Clocks that go on by 1 s, and by nothing, each time that they are read.
    @Test(arguments: [(UInt64(1_000_000_000), true), (0, false)])
    func `a long import tells how far it is, and a short one nothing`(tick: UInt64, isTold: Bool) throws {
        var time: UInt64 = 0
        var told: [String] = []
        let progress = ImportProgress {
            time += tick
            return time
        } _: {
            told.append($0)
        }
        let importer = Importer(keepsSecrets: false, progress: progress, within: WorkBudget())
        let draft = try importer.draft(.har, try Self.bytes("chromium.har"), file: "chromium.har")
        let count = draft.claims.count
        #expect(told.isEmpty != isTold)
        #expect(told.contains { $0.hasPrefix("reading entries of chromium.har: ") } == isTold)
        #expect(told.contains { $0.hasSuffix(" of \(count)") && $0.hasPrefix("writing exchanges: ") } == isTold)
        #expect(told.count < 4 * count)
    }
}
