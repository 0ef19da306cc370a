import ProctorGrading

extension StormResult {
    /// The fixture of a schedule that breaks an invariant: its case fails where the client breaks it again.
    ///
    /// nil where an exam does not see it: it looks at no descriptors of a client.
    package func fixture(
        of invariant: StormInvariant, head: String, client: String, counts: (broken: Int, asked: Int)
    ) -> String? {
        guard let found = breaks.first(where: { $0.invariant == invariant }), !found.isOfDescriptor else { return nil }
        var fixture = StormFixture(schedule)
        fixture.claims = claims(of: found)
        let comments =
            ["\(invariant.row.sentence) (\(invariant.row.source))", "\(client): \(found.sentence)"]
            + ["It broke \(counts.broken) of \(counts.asked) times."] + schedule.lines
        return fixture.text(head: head, comments: comments)
    }

    private func claims(of found: StormBreak) -> StormClaims {
        var claims = StormClaims()
        claims.summary = found.invariant.row.sentence.prefix(1).uppercased() + found.invariant.row.sentence.dropFirst()
        claims.sections = found.invariant.row.sections(over: schedule.way.version)
        let step = found.step ?? 0
        func ofStep(_ fact: String) -> String { step == 0 ? fact : "\"step[\(step)].\(fact)\"" }
        let load = schedule.load(ofStep: step)
        let isPlain = load.map { $0.fault == nil && $0.cancelAt == nil && $0.limit == nil } ?? true
        switch found.invariant {
        case .ownContent, .noLateReply:
            let byteCount = schedule.byteCount(ofStep: step, status: 200) ?? 0
            if isPlain, byteCount <= 200, schedule.names.indices.contains(step) {
                let content = String(decoding: StormLoad.content(schedule.names[step], byteCount), as: UTF8.self)
                claims.facts = [(ofStep("body"), "\"\(content)\"")]
            } else if isPlain {
                claims.facts = [(ofStep("body.length"), String(byteCount))]
            } else {
                claims.facts = [(ofStep("error"), "{ not: null }")]
            }
        case .noCutSuccess: claims.facts = [(ofStep("error"), "{ not: null }")]
        case .sentOnce: claims.onceSent = schedule.names.indices.contains(step) ? schedule.names[step] : nil
        case .noLeak:
            claims.before = "\(schedule.number)-before"
            claims.facts = [("\"wire[0].headers.Cookie\"", "null")]
        case .bounds: claims.facts = schedule.connectionBound.map { [("connections", "{ max: \($0) }")] } ?? []
        case .recovers: claims.facts = [(ofStep("error"), "null"), (ofStep("status"), "200")]
        case .nothingLeft: claims.facts = [("\"connection[\(found.connection ?? 0)].closedBy\"", "client")]
        // The rules, and the end of the client, are judged in every case.
        case .endsOnce, .silentBehindEnd, .order: claims.facts = [("wire.count", "{ min: \(isPlain ? 1 : 0) }")]
        }
        return claims
    }
}
