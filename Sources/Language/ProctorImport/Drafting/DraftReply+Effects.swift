import ProctorBase

/// What a recorded reply did besides its bytes.
extension DraftReply {
    /// Adds what came behind the reply, its end where there was no head, and its times as waits.
    ///
    /// A wait stands before the head; content that took its time comes in pieces at a pace.
    mutating func addEffects(of recorded: RecordedReply, keepsWaits: Bool) {
        var effects: [YAMLTree] = []
        if keepsWaits, let times = recorded.times {
            let wait = Self.milliseconds(times.beforeHead)
            if wait > 0 { effects.append(YAMLTree.effect("head", .text("wait \(wait)ms"))) }
            if let pace = Self.pace(of: recorded, within: Self.milliseconds(times.ofContent)) {
                more.append(.init("pace", pace))
            }
        }
        if recorded.status == 0, let ending = recorded.ending {
            effects.append(YAMLTree.effect("head", .text(ending.rawValue)))
        }
        if !recorded.surplus.isEmpty {
            let bytes = YAMLTree.base64(recorded.surplus)
            effects.append(YAMLTree.effect("end", ["send": bytes]))
            effects.append(YAMLTree.effect("end", .text("close")))
        }
        if !effects.isEmpty { more.append(.init("effects", .list(effects))) }
    }

    /// Whole milliseconds, at most the longest wait of a fixture.
    private static func milliseconds(_ nanoseconds: UInt64) -> Int { Int(min(nanoseconds / 1_000_000, 600_000)) }

    /// Pieces of which one comes every 10 ms or later, the last of them at the end of the time; nil where it is shorter.
    private static func pace(of recorded: RecordedReply, within time: Int) -> YAMLTree? {
        let byteCount = recorded.stored?.byteCount ?? recorded.content.count
        guard byteCount > 1, time >= 10 else { return nil }
        // The first piece comes at once.
        let waitCount = min(time / 10, byteCount - 1, 1_000)
        let bytes = (byteCount + waitCount) / (waitCount + 1)
        let pieces = (byteCount + bytes - 1) / bytes
        guard pieces > 1 else { return nil }
        return ["bytes": .plain("\(bytes)"), "every": .text("\(time / (pieces - 1))ms")]
    }
}

extension YAMLTree {
    /// An element of `effects`.
    static func effect(_ position: String, _ what: YAMLTree) -> YAMLTree {
        ["at": .text(position), "do": what]
    }
}
