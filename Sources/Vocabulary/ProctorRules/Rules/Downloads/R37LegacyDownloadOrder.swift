import ProctorEvents

/// R3 (redirects), R2 (response) and R36 (resumption) check the rest of NSURLDownload's order.
struct R37EntityFirst: RuleMonitor {
    static let interests = fromAnEntity.union([.response, .downloadResumed])
    fileprivate static let fromAnEntity: EventNameSet = [
        .progress, .shouldDecode, .destination, .destinationCreated,
    ]

    private var hasEntity = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil, !hasEntity else { return nil }
        if Self.fromAnEntity.contains(event.name) {
            return Breach(
                "\(event.symbol) before any response or downloadResumed", weight: load.isPartial ? .observation : nil)
        }
        hasEntity = true
        return nil
    }
}

/// Without the entity's begin, the order is only judged in a log that may leave it out.
struct R37LegacyDownloadOrder: RuleMonitor {
    static let reportsEach = true
    static let interests: EventNameSet = [
        .downloadBegin, .canonicalize, .redirect, .askCanAuth, .challenge, .challengeCancelled, .response,
        .downloadResumed, .progress, .shouldDecode, .destination, .destinationCreated,
    ]

    private var isBegun = false
    private var hasEntity = false
    private var isAskedForPlace = false
    private var isCreated = false

    mutating func observe(_ event: TraceEvent, _ load: LoadState) -> Breach? {
        guard load.terminal == nil else { return nil }
        defer { apply(event) }
        if R37EntityFirst.fromAnEntity.contains(event.name), !hasEntity, !load.isPartial { return nil }
        switch event.name {
        case .downloadBegin where isBegun:
            return Breach("downloadBegin after other messages; it comes first and once")
        case .askCanAuth where hasEntity, .challenge where hasEntity, .challengeCancelled where hasEntity:
            // A challenge for delivered content is R12's.
            guard load.lastStatus != 401, load.lastStatus != 407 else { return nil }
            return Breach("\(event.symbol) after the response; all questions of the request come before it")
        case .destination where isCreated:
            return Breach("destination after destinationCreated; the place is asked for first")
        case .destination where isAskedForPlace: return Breach("destination comes a second time")
        case .shouldDecode where isAskedForPlace:
            return Breach(
                "shouldDecode after destination; what is decoded may still have a name to offer", isInferred: true)
        default: return nil
        }
    }

    private mutating func apply(_ event: TraceEvent) {
        isBegun = true
        switch event.name {
        case .response, .downloadResumed: hasEntity = true
        case .destination: isAskedForPlace = true
        case .destinationCreated: isCreated = true
        default: break
        }
    }
}
