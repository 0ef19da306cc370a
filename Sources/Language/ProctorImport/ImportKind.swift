package import ProctorBase
package import ProctorJournal

/// What can be imported.
package enum ImportKind: String, Sendable, CaseIterable {
    case har, curl, http, vcr, wiremock, postman, journal, openapi, folder

    /// Whether its source is a folder.
    package var isFolder: Bool { self == .wiremock || self == .folder }

    /// One sentence for help.
    package var sentence: String {
        switch self {
        case .har: "an HTTP Archive of a browser or a proxy"
        case .curl: "lines of curl, each in quotes"
        case .http: "bytes of requests and replies, or a trace of curl (--trace)"
        case .vcr: "a cassette of VCR or vcrpy"
        case .wiremock: "a folder of WireMock, with mappings and __files"
        case .postman: "a collection of Postman, version 2.1"
        case .journal: "a journal of Proctor's own"
        case .openapi: "a description in OpenAPI 3.0 or 3.1"
        case .folder: "a folder of plain files, with NAME.headers and NAME.status beside them"
        }
    }
}

/// Makes a scenario of the bytes of one file.
package struct Importer {
    private let drafter: RecordingDrafter

    /// A spent budget ends the import with an ``ImportFailure``.
    ///
    /// `keepsWaits`: times of the source become waits.
    package init(
        keepsSecrets: Bool, keepsWaits: Bool = false, progress: ImportProgress? = nil, within budget: WorkBudget
    ) {
        drafter = RecordingDrafter(
            keepsSecrets: keepsSecrets, keepsWaits: keepsWaits, progress: progress, budget: budget)
    }

    /// For every kind whose source is one file: not for `curl` and folders.
    ///
    /// `beside` reads the files that a HAR names; nil: none are read.
    package func draft(
        _ kind: ImportKind, _ bytes: [UInt8], file: String, beside: HARReader.Files? = nil
    ) throws(ImportFailure) -> Draft {
        try drafter.spend(bytes.count)
        drafter.progress?.beginPhase("reading \(file)")
        let recording: Recording
        switch kind {
        case .har: recording = try HARReader.read(bytes, file: file, beside: beside, progress: drafter.progress)
        case .http: recording = try DumpReader.read(bytes, file: file)
        case .vcr: recording = try CassetteReader.read(bytes, file: file)
        case .journal: recording = try JournalImport.read(bytes, file: file)
        case .postman: return try PostmanReader.read(bytes, file: file, drafter: drafter)
        case .openapi: return try OpenAPIReader.read(bytes, file: file)
        case .curl, .wiremock, .folder: throw ImportFailure(at: file, "\(kind.rawValue) is not read from one file")
        }
        return try drafter.draft(recording)
    }

    /// For what was recorded of a server at a URL; `outcomes` are by the number of the request.
    package func draft(
        _ entries: [JournalEntry], droppedCount: Int, of server: String, outcomes: [Int: RecordedOutcome] = [:]
    ) throws(ImportFailure) -> Draft {
        try drafter.draft(
            JournalImport.read(
                entries, droppedCount: droppedCount, file: "the journal", server: server, outcomes: outcomes))
    }
}
