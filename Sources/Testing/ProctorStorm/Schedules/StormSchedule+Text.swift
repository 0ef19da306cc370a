extension StormSchedule {
    /// For a person: a line about the session, and one for each load.
    package var lines: [String] {
        var about = "schedule \(number) of seed \(seed): \(loads.count) loads over \(way.words)"
        if let connectionBound { about += ", \(connectionBound) connections to a host at most" }
        if setsCookies { about += ", replies set a cookie" }
        if origin.keys != nil { about += "; \(originMoment.filled(origin.words))" }
        return [about] + loads.enumerated().map { "  \($0.offset)  \($0.element.line)" }
    }
}

extension StormLoad {
    var line: String {
        var line = "\(method) \(name), \(downloadByteCount) bytes"
        if uploadByteCount > 0 { line += " for \(uploadByteCount) bytes" }
        if isTogether { line += ", beside the load before" }
        if let limit { line += ", given up after \(limit) ms of silence" }
        if let cancelAt { line += ", cancelled at \(cancelAt)" }
        guard let fault else { return line }
        if let awaited, fault.isWait {
            return line + "; the server waits for \(awaited.event) of load \(awaited.step) (\(fault.name))"
        }
        let subject = fault.place == StormFault.mainPlace ? "the server " : "it "
        return line + "; \(subject)\(filledMoment.filled(fault.words)) (\(fault.name))"
    }
}
