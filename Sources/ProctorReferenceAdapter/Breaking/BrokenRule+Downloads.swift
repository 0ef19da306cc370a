internal import ProctorReference

/// R34 to R38: downloads.
extension BrokenRule {
    static let downloads: [BrokenRule] = [
        .calls(34, "leave a byte out of the total") { call in
            guard case .progress(var progress) = call else { return .made(call) }
            progress.total -= 1
            return .made(.progress(progress))
        },
        .calls(35, "keep the finished file to itself") { call in
            if case .fileReady = call { [] } else { .made(call) }
        },
        .calls(36, "announce a resumption after the first progress", keeping: false) { call, hasAnnounced in
            guard case .progress(let progress) = call, !hasAnnounced else { return .made(call) }
            hasAnnounced = true
            return .made(call, .downloadResumed(offset: progress.total, expected: progress.expected))
        },
        .downloadCalls(37, "ask twice where the file is to go") { call in
            if case .decideDestination = call { .made(call, call) } else { .made(call) }
        },
        .calls(38, "hand over what there is of a file after the cancel", keeping: PartOfFile()) { call, part in
            part.calls(inPlaceOf: call)
        },
    ]
}

extension DownloadFile {
    /// Of so many zeros, which is as good as any content here.
    fileprivate convenience init(of byteCount: Int) throws(LoadError) {
        try self.init(in: ReferenceConfiguration().temporaryFolder, limit: byteCount)
        try append([UInt8](repeating: 0, count: byteCount))
    }
}

/// What a download has written when it is cancelled.
private struct PartOfFile: Sendable {
    private var byteCount = 0
    /// They come before the end, which alone tells of a cancel.
    private var metrics: SessionCall?

    mutating func calls(inPlaceOf call: SessionCall) -> [PlacedCall<SessionCall>] {
        switch call {
        case .progress(let progress): byteCount = progress.total
        case .fileReady: byteCount = 0
        case .metrics:
            metrics = call
            return []
        case .complete(let error):
            defer { metrics = nil }
            let isCancelled = error?.kind == .cancelled && byteCount > 0
            let file = isCancelled ? (try? DownloadFile(of: byteCount)) : nil
            return PlacedCall.made(file.map { .fileReady($0) }, metrics, call)
        case .handler:
            defer { metrics = nil }
            return PlacedCall.made(metrics, call)
        default: break
        }
        return .made(call)
    }
}
