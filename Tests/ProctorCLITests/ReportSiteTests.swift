import Foundation
import ProctorTestSupport
import Testing

/// `proctor report html`, and a server that shows a report.
struct ReportSiteTests {
    private static let records = """
        {"exam":"proctor","version":1,"client":"curl","clientVersion":"8.0","platform":"neutral","proctor":"1","date":"2026-11-22T11:00:00Z"}
        {"client":"curl","case":"plain/hello#get","scenario":"plain/hello","name":"get","kind":"must","outcome":"fail","reason":"wanted one request, got none","cause":"requests: ended without request · RFC 9110 §15.3.1","spec":[{"section":"RFC 9110 §15.3.1"}],"findings":[{"about":"expression","weight":"failure","sentence":"wanted one request, got none","wanted":"request(GET /)","spec":[{"section":"RFC 9110 §15.3.1"}],"location":"fixtures/plain/hello.yaml:7:9"}],"timeline":[{"ns":0,"lane":"wire","text":"opened","connection":0},{"ns":420000,"lane":"wire","text":"GET / HTTP/1.1","connection":0,"request":0,"details":["GET / HTTP/1.1","Host: a"]},{"ns":900000000,"lane":"task","text":"complete(error)","wanted":"complete(ok)"}],"stderr":["no route"],"curl":"curl -i http://127.0.0.1:8088/plain/hello/"}
        {"client":"curl","case":"plain/hello#put","scenario":"plain/hello","name":"put","kind":"observes","outcome":"observed"}
        {"exam":"proctor","version":1,"client":"requests","platform":"neutral","proctor":"1"}
        {"client":"requests","case":"plain/hello#get","scenario":"plain/hello","name":"get","kind":"must","outcome":"pass"}

        """

    private static func folder() throws -> TestFolder {
        var files = Fixtures.files
        files["records.jsonl"] = records
        return try TestFolder(files)
    }

    private static func makeReport(in folder: TestFolder) async throws -> Child.Outcome {
        try await Child.run([
            "report", "html", "\(folder.path)/report", "\(folder.path)/records.jsonl", "--fixtures",
            "\(folder.path)/fixtures",
        ])
    }

    /// Python with Playwright and axe, and Chromium.
    private static let canCheckPages: Bool = {
        guard Project.tool("chromium") != nil || Project.tool("google-chrome") != nil,
            let outcome = try? ChildProcess.runNow([
                "/usr/bin/env", "python3", "-c", "import axe_core_python, playwright",
            ])
        else { return false }
        return outcome.status == 0
    }()

    @Test(
        .enabled(
            if: canCheckPages,
            "install with: apt-get install chromium && python3 -m pip install playwright axe-core-python"))
    func `axe finds nothing on any kind of page, at three widths, light and dark`() async throws {
        let folder = try Self.folder()
        let made = try await Self.makeReport(in: folder)
        #expect(made.status == 0, "\(made.err)")
        let outcome = try await ChildProcess.run(
            [
                "/usr/bin/env", "python3", "\(Project.path)/Scripts/check-report.py", "\(folder.path)/report",
                "--shots",
                "\(folder.path)/shots",
            ], within: Patience.idle * 5)
        #expect(outcome.status == 0, "\(outcome.out) \(outcome.err)")
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/shots") {
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/shots/\(name)"))
            Attachment.record(Array(picture), named: "report-\(name)")
        }
    }
}
