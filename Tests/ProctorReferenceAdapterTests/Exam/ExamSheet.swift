import ProctorGrading
import ProctorReferenceAdapter
import ProctorScenario
import Testing

/// One family of fixtures, and as which API the client sits it.
struct ExamSheet: Sendable, CustomTestStringConvertible {
    let folder: String
    let shape: ReferenceShape

    /// Whether cases of data tasks are sat as downloads, so that what they ask of the wire is asked of those shapes too.
    var dataIsDownloaded = false

    var testDescription: String { "\(folder) as \(shape.rawValue)\(dataIsDownloaded ? ", data downloaded" : "")" }

    /// In every shape, each in full.
    static let core = ["plain", "redirect", "canonical"].flatMap { folder in
        ReferenceShape.allCases.map { ExamSheet(folder: folder, shape: $0) }
    }

    /// The core once more in the shapes that only download; the callbacks of data tasks are not judged there.
    static let downloads = ["plain", "redirect", "canonical"].flatMap { folder in
        [ReferenceShape.connectionDownload, .download].map {
            ExamSheet(folder: folder, shape: $0, dataIsDownloaded: true)
        }
    }

    /// Challenges of downloads, which count nothing of a 401 that is answered (R12).
    static let challengedDownloads = [ReferenceShape.session, .connectionDownload, .download].map {
        ExamSheet(folder: "auth", shape: $0, dataIsDownloaded: true)
    }

    /// The others; a script of `protocol` is for a player of scripts.
    static let others = [
        "auth", "body", "broken", "cache", "cancel", "coding", "cookie", "fault", "host", "interim", "multipart",
        "proxy",
        "range", "shape", "time", "tls", "upload", "url",
    ].flatMap { folder in
        ReferenceShape.allCases.map { ExamSheet(folder: folder, shape: $0) }
    }

    /// How many sittings go on at a time.
    private static let width = 6

    /// The verdicts; those of heavy cases, which are sat alone, come last.
    func verdicts() async throws -> [CaseVerdict] {
        let room = try await ExamRoom.shared.value
        let entries = room.cases(of: folder).filter { entry in
            dataIsDownloaded ? entry.isDownloadable : entry.applies(to: shape)
        }
        var verdicts = try await verdicts(of: entries.filter { !$0.isHeavy }, in: room)
        for entry in entries where entry.isHeavy { verdicts.append(try await verdict(of: entry, in: room)) }
        return verdicts
    }

    private func verdicts(of entries: [ExamEntry], in room: ExamRoom) async throws -> [CaseVerdict] {
        try await withThrowingTaskGroup(of: (Int, CaseVerdict).self) { group in
            var verdicts: [Int: CaseVerdict] = [:]
            var next = 0
            func add() {
                guard next < entries.count else { return }
                let (index, entry) = (next, entries[next])
                group.addTask { (index, try await verdict(of: entry, in: room)) }
                next += 1
            }
            for _ in 0..<Self.width { add() }
            while let (index, verdict) = try await group.next() {
                verdicts[index] = verdict
                add()
            }
            return entries.indices.compactMap { verdicts[$0] }
        }
    }

    private func verdict(of entry: ExamEntry, in room: ExamRoom) async throws -> CaseVerdict {
        try await room.sit(entry, as: shape, dataIsDownloaded: dataIsDownloaded).verdict
    }
}
