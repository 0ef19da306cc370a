internal import ProctorHTTP
internal import ProctorScenario

extension Endpoint {
    /// What reads the requests of a connection; `limits` are the server's own.
    ///
    /// A port that leads to several origins reads what the most patient of them reads, for a head must be read to tell
    /// whom it is for.
    func reader(_ limits: RequestLimits) -> RequestReader {
        switch self {
        case .shared: RequestReader(limits: limits)
        case .origin(let stage, let origin): Self.reader([stage.scenario.origins[origin]], limits)
        case .door(let stage, _): Self.reader(stage.scenario.origins, limits)
        }
    }

    private static func reader(_ origins: [ProctorScenario.Origin], _ limits: RequestLimits) -> RequestReader {
        let own = origins.compactMap(\.limits)
        let isOne = origins.count == 1
        return RequestReader(
            limits: own.isEmpty ? limits : limits.with(own, atLeast: isOne ? nil : limits),
            acceptsAnything: origins.contains { $0.acceptance == .anything })
    }

    /// The departure of a head that such a port has read over for another origin than the one that it is for.
    func objection(to head: RequestHead, _ route: Route) -> Violation? {
        guard case .door = self, let found = head.violations.first(where: \.isReadOver) else { return nil }
        if case .named(.routed(let stage, let origin, _, _)) = route,
            stage.scenario.origins[origin].acceptance == .anything
        {
            return nil
        }
        return Violation(found.kind, at: found.offset, detail: found.detail, bound: found.bound)
    }
}

extension RequestLimits {
    /// The largest of what `origins` say, where any says something; nothing less than `least`.
    fileprivate func with(_ origins: [OriginLimits], atLeast least: RequestLimits?) -> RequestLimits {
        var limits = self
        func most(_ values: [Int], _ usual: Int, _ least: Int?) -> Int {
            values.isEmpty ? usual : max(values.reduce(0, max), least ?? 0)
        }
        let lines = origins.compactMap(\.lineByteCount)
        limits.targetByteCount = most(lines, targetByteCount, least?.targetByteCount)
        limits.fieldLineByteCount = most(lines, fieldLineByteCount, least?.fieldLineByteCount)
        limits.fieldCount = most(origins.compactMap(\.fieldCount), fieldCount, least?.fieldCount)
        // A line that is permitted goes into a head that says nothing of itself, with room for others.
        let longest = (lines.max() ?? 0) + headByteCount
        limits.headByteCount = most(
            origins.compactMap(\.headByteCount), lines.isEmpty ? headByteCount : longest, least?.headByteCount)
        limits.trailerByteCount = max(trailerByteCount, limits.fieldLineByteCount)
        return limits
    }
}
