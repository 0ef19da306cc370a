import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Where the files of downloads go, and which of them stay.
@Suite(.limit(minutes: 10))
struct DownloadPlaceTests {
    private func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = try TestFolder()
        defer { folder.remove() }
        return try await body(folder.path)
    }

    private func files(_ folder: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            files[name] = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
        }
        return files
    }

    /// Downloads `/a` as NSURLDownload; `prepare` has it before it starts.
    private func download(
        _ yaml: String, in folder: String, refusedRedirect: ReferenceDownload.RefusedRedirect = .cancel,
        onRequest: @escaping @Sendable (ClientRequest, String) -> ClientRequest? = { request, _ in request },
        onEntry: @escaping @Sendable (String, any LegacyLoading) -> Void = { _, _ in },
        before prepare: (ReferenceDownload) -> Void = { _ in }
    ) async throws -> (LegacyLog, ReferenceDownload) {
        try await LegacyServer.serve(yaml) { base in
            try await LegacyBench.run(folder: folder) { network, queue in
                let log = LegacyLog(queue, onRequest: onRequest, onEntry: onEntry)
                let download = ReferenceDownload(
                    try LegacyBench.request(base), delegate: log, on: network, scheduledOn: queue,
                    refusedRedirect: refusedRedirect)
                prepare(download)
                download.start()
                await download.ended()
                return (log, download)
            }
        }
    }

    @Test func `the place is chosen at the latest when it is asked for`() async throws {
        try await withFolder { folder in
            _ = try await download(
                LegacyScenes.page, in: folder,
                onEntry: { entry, load in
                    guard entry.hasPrefix("destination:") else { return }
                    (load as? ReferenceDownload)?.setDestination("\(folder)/chosen", allowingOverwrite: false)
                    (load as? ReferenceDownload)?.setDestination("\(folder)/too late", allowingOverwrite: false)
                })
            #expect(try files(folder) == ["chosen": "hello"])
        }
    }

    @Test func `a place that can't be had fails the download`() async throws {
        try await withFolder { folder in
            let (log, _) = try await download(
                LegacyScenes.page, in: folder,
                before: { $0.setDestination("\(folder)/no/such/folder", allowingOverwrite: false) })
            #expect(log.entries == "store begin canonical response:200 fail:cannotCreateFile")
            #expect(try files(folder).isEmpty)
        }
    }

    @Test func `resume data serves one download`() async throws {
        let yaml = LegacyScenes.broken(#"ETag: '"v1"'"#, rest: LegacyScenes.rest)
        try await withFolder { folder in
            let (_, first) = try await download(yaml, in: folder, before: { $0.deletesFileUponFailure = false })
            let data = try #require(first.resumeData)
            try await LegacyBench.run { network, queue in
                let log = LegacyLog(queue)
                #expect(ReferenceDownload(resuming: data, delegate: log, on: network, scheduledOn: queue) != nil)
                #expect(ReferenceDownload(resuming: data, delegate: log, on: network, scheduledOn: queue) == nil)
            }
        }
    }

    @Test func `a cancelled download leaves no file`() async throws {
        try await withFolder { folder in
            for event in ["created", "response:200", "destination:a.txt"] {
                let (log, _) = try await download(
                    LegacyScenes.page, in: folder,
                    onEntry: { entry, load in
                        if entry == event { load.cancel() }
                    })
                #expect(log.all.last == event)
                #expect(try files(folder).isEmpty, "\(event)")
            }
        }
    }
}
