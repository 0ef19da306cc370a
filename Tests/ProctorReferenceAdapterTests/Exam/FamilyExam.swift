import ProctorGrading
import ProctorReferenceAdapter
import ProctorScenario
import ProctorTestSupport
import Testing

/// One family of fixtures, and as which API the client sits it.
struct FamilyExam: Sendable, CustomTestStringConvertible {
    let folder: String
    let shape: ReferenceShape

    /// Whether cases of data tasks are sat as downloads, so that what they ask of the wire is asked of those shapes too.
    var dataIsDownloaded = false

    var testDescription: String { "\(folder) as \(shape.rawValue)\(dataIsDownloaded ? ", data downloaded" : "")" }

    /// In every shape, each in full.
    static let core = ["plain", "redirect", "canonical"].flatMap { folder in
        ReferenceShape.allCases.map { FamilyExam(folder: folder, shape: $0) }
    }

    /// The core once more in the shapes that only download; the callbacks of data tasks are not judged there.
    static let downloads = ["plain", "redirect", "canonical"].flatMap { folder in
        [ReferenceShape.connectionDownload, .download].map {
            FamilyExam(folder: folder, shape: $0, dataIsDownloaded: true)
        }
    }

    /// Challenges of downloads, which count nothing of a 401 that is answered (R12).
    static let challengedDownloads = [ReferenceShape.session, .connectionDownload, .download].map {
        FamilyExam(folder: "auth", shape: $0, dataIsDownloaded: true)
    }

    /// The others; a script of `protocol` is for a player of scripts.
    static let others =
        [
            "auth", "body", "broken", "cache", "cancel", "coding", "cookie", "download", "fault", "host", "interim",
            "multipart",
            "proxy",
            "range", "shape", "time", "tls", "upload", "url",
        ].flatMap { folder in
            ReferenceShape.allCases.map { FamilyExam(folder: folder, shape: $0) }
        } + ["sse", "ws"].map { FamilyExam(folder: $0, shape: .session) }

    private static let width = 6

    /// Sessions sit one case of every twelfth scenario, since `make exam` asks them everything; the other shapes share a quarter
    /// of the scenarios among them.
    private var stride: Int {
        if dataIsDownloaded { return 8 }
        return shape == .session ? 12 : 4 * (ReferenceShape.allCases.count - 1)
    }
    private var offset: Int { ReferenceShape.allCases.firstIndex(of: shape) ?? 0 }

    /// The verdicts; those of heavy cases, which are sat alone, come last.
    func verdicts() async throws -> [CaseVerdict] {
        let exam = try await ExamServer.shared.value
        let applying = exam.cases(of: folder).filter { entry in
            dataIsDownloaded
                ? entry.isDownloadable && (shape != .session || entry.applies(to: .session)) : entry.applies(to: shape)
        }
        let entries = Extent.of(applying, stride: stride, offset: offset) { $0.scenario.id }
        var verdicts = try await verdicts(of: entries.filter { !$0.isHeavy }, in: exam)
        for entry in entries where entry.isHeavy { verdicts.append(try await verdict(of: entry, in: exam)) }
        return verdicts
    }

    private func verdicts(of entries: [ExamEntry], in exam: ExamServer) async throws -> [CaseVerdict] {
        try await withThrowingTaskGroup(of: (Int, CaseVerdict).self) { group in
            var verdicts: [Int: CaseVerdict] = [:]
            var next = 0
            func add() {
                guard next < entries.count else { return }
                let (index, entry) = (next, entries[next])
                group.addTask { (index, try await verdict(of: entry, in: exam)) }
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

    private func verdict(of entry: ExamEntry, in exam: ExamServer) async throws -> CaseVerdict {
        try await exam.sit(entry, as: shape, dataIsDownloaded: dataIsDownloaded).verdict
    }
}

/// A case that the reference client does not pass in some shape, and why.
struct KnownDifference {
    let id: String
    let shapes: Set<ReferenceShape>
    let reason: String

    init(_ id: String, _ shapes: Set<ReferenceShape> = [.session], because reason: String) {
        self.id = id
        self.shapes = shapes
        self.reason = reason
    }

    static let all = ofTheClient

    private static let ofTheClient: [KnownDifference] = [
        KnownDifference(
            "shape/get#main-queue",
            because: "the main thread belongs to the program; the client calls back on threads of its own"),
        // What a URLProtocol cannot know or take.
        KnownDifference(
            "canonical/equal-spellings-share-a-credential#next-load", [.urlProtocol],
            because: "credentials for later loads are the loading system's"),
        KnownDifference(
            "canonical/equal-spellings-in-the-cache#get", [.urlProtocol], because: "the cache is the loading system's"),
        KnownDifference(
            "auth/proxy/redirect-to-another-origin#asked-once", [.urlProtocol],
            because: "each followed redirect is another object's, which knows no credential of the first"),
    ]

    static func of(_ verdict: CaseVerdict, as shape: ReferenceShape) -> KnownDifference? {
        all.first { $0.id == verdict.id.description && $0.shapes.contains(shape) }
    }
}
