package import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTPClient
package import ProctorReference

/// A folder in which the reference client keeps what outlives its process: lasting cookies, stored responses, permanent
/// credentials, hosts that asked for https, and what is left of downloads.
///
/// Each file is written whole when its process ends, and replaces the former one at once. The folder belongs to one
/// process at a time.
package final class ReferenceStorage: Sendable {
    /// The path of the folder, which exists.
    private let folder: String
    private let fault: StorageFault?
    /// The cookies that the process began with, which ``StorageFault/deletedCookiesReturn`` writes again.
    private let former: [CookieLine]
    /// The stores of the process, filled from the folder.
    package let cookies: ReferenceCookieStore
    package let credentials: ReferenceCredentialStore
    package let strictHosts: StrictHosts
    /// nil where the process has no cache.
    package let cache: ReferenceCache?
    /// What could not be read, a sentence for each line of a file.
    package let problems: [String]

    /// The most bytes of an unfinished download that are kept.
    private static let downloadLimit = 256 << 20

    /// Reads the files of the folder; `clock` returns Unix seconds, nil stands for the system's time.
    package init(
        in folder: String, cacheByteLimit: Int?, fault: StorageFault? = nil, clock: (@Sendable () -> Int)? = nil
    ) {
        let now = clock?() ?? SystemTime.now
        var problems: [String] = []
        (self.folder, self.fault) = (folder, fault)
        cookies = ReferenceCookieStore(clock: clock)
        credentials = ReferenceCredentialStore()
        strictHosts = StrictHosts(clock: clock)
        cache = cacheByteLimit.map { ReferenceCache(byteLimit: $0, clock: clock) }
        former = Self.file("cookies", in: folder).objects(&problems) { object throws(StorageProblem) in
            try CookieLine(object)
        }
        for line in former {
            cookies.restore(line.field, from: line.place, at: fault == .cookiesLiveAnew ? now : line.time)
        }
        let stored = Self.file("credentials", in: folder).objects(&problems) { object throws(StorageProblem) in
            try StoredCredential(object)
        }
        for stored in stored { credentials.set(stored.credential, for: stored.space) }
        let strict = Self.file("hsts", in: folder).objects(&problems) { object throws(StorageProblem) in
            StrictHost(
                name: try object.text("name"), expiry: try object.number("expiry"),
                includesSubdomains: try object.flag("includesSubdomains"))
        }
        for host in strict { strictHosts.restore(host) }
        if let cache {
            let responses = Self.file("cache", in: folder).objects(&problems) { object throws(StorageProblem) in
                try StoredResponse(object, at: now, fault: fault)
            }
            for response in responses { cache.store(response) }
        }
        self.problems = problems
    }

    private static func file(_ kind: StaticString, in folder: String) -> StorageFile {
        StorageFile(path: "\(folder)/\(kind)", kind: kind)
    }

    /// Writes what outlives the process; the process calls it when its session is over.
    package func save() throws(CallFailure) {
        try Self.file("cookies", in: folder).replace(with: lastingCookies) { $0.write(to: &$1) }
        let kept = credentials.all.filter { keeps($0.value) }.map { StoredCredential($0.key, $0.value) }
        try Self.file("credentials", in: folder).replace(with: kept) { $0.write(to: &$1) }
        try Self.file("hsts", in: folder).replace(with: strictHosts.all) { host, line in
            line.member("name", host.name)
            line.member("expiry", host.expiry)
            line.member("includesSubdomains", host.includesSubdomains)
        }
        guard let cache else { return }
        let responses = cache.responses.filter { $0.storage == .allowed || fault == .memoryWritten }
        try Self.file("cache", in: folder).replace(with: responses) { $0.write(to: &$1) }
    }

    private var lastingCookies: [CookieLine] {
        // The session is over now (RFC 6265 §5.3).
        if fault != .sessionCookiesKept { cookies.endSession() }
        let lines = cookies.cookies.map { CookieLine($0, fault: fault) }
        switch fault {
        case .lastingCookiesLost: return []
        case .cookieOrderLost: return lines.reversed()
        case .deletedCookiesReturn: return former + lines
        default: return lines
        }
    }

    private func keeps(_ credential: LoadCredential) -> Bool {
        switch credential.persistence {
        case .none: false
        case .session: fault == .sessionCredentialsKept
        case .permanent: fault != .permanentCredentialsLost
        }
    }

    // MARK: Downloads

    /// Stores what is left of the download of a step; nothing where another download has it, or where it is too long.
    package func storeDownload(_ data: ResumeData, ofStep number: Int) throws(CallFailure) {
        guard let path = data.path, let bytes = OpenFile.content(of: path, upTo: Self.downloadLimit) else { return }
        try StorageFile.replace("\(folder)/download-\(number).bytes", by: bytes)
        try StorageFile(path: "\(folder)/download-\(number)", kind: "download")
            .replace(with: [StoredDownload(data)]) { $0.write(to: &$1) }
    }

    /// What an earlier process left of the download of that step; its file is a new one in `temporaryFolder`.
    package func download(ofStep number: Int, in temporaryFolder: String) -> ResumeData? {
        var problems: [String] = []
        let file = StorageFile(path: "\(folder)/download-\(number)", kind: "download")
        let stored = file.objects(&problems) { object throws(StorageProblem) in try StoredDownload(object) }
        guard let stored = stored.first,
            var bytes = OpenFile.content(of: "\(file.path).bytes", upTo: Self.downloadLimit),
            bytes.count == stored.byteCount
        else { return nil }
        if fault == .resumesAByteLate { bytes.append(0) }
        do throws(LoadError) {
            let copy = try DownloadFile(in: temporaryFolder, limit: .max)
            try copy.append(bytes)
            return ResumeData(copy, stored.version, of: stored.request)
        } catch {
            return nil
        }
    }
}
