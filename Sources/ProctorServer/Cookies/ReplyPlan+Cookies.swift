internal import ProctorScenario

extension ReplyPlanner {
    /// The cookies of a reply of ours whose head ends behind `headEnd` bytes of the plan; nil where it sets none.
    func setCookies(_ fields: [ReplyDraft.Field], headEnd: Int, _ steps: [ReplyPlan.Step]) -> ReplyPlan.SetCookies? {
        guard mentionsSetCookie else { return nil }
        let values = fields.filter { ReplyFields.isSetCookie($0.name) }.map { ReplyFields.trimmed($0.value) }
        return ReplyPlan.SetCookies(values, headEnd: headEnd, steps)
    }

    /// The cookies of a raw reply, as far as it stands in memory.
    func setCookies(inRaw content: ContentWalk, _ steps: [ReplyPlan.Step]) -> ReplyPlan.SetCookies? {
        guard mentionsSetCookie else { return nil }
        var bytes: [UInt8] = []
        for piece in content.pieces {
            guard case .bytes(let all) = piece.source else { break }
            bytes += all[piece.range]
        }
        guard let found = ReplyFields.setCookies(inRaw: bytes) else { return nil }
        return ReplyPlan.SetCookies(found.values, headEnd: found.headByteCount, steps)
    }
}

extension ReplyPlan.SetCookies {
    /// Nil where there are none, or where an effect ends the reply before its head is out: half a head sets no cookies.
    ///
    /// `headEnd` counts bytes of the plan, without those of effects.
    fileprivate init?(_ values: [[UInt8]], headEnd: Int, _ steps: [ReplyPlan.Step]) {
        guard !values.isEmpty else { return nil }
        var (sent, inserted) = (0, 0)
        for step in steps where sent < headEnd {
            switch step {
            case .send(let bytes): sent += bytes.count
            case .stream(_, let range): sent += range.count
            case .effect(.send(let source), _): inserted += source.boundByteCount
            case .effect(let action, _): if action.endsReply { return nil }
            }
        }
        guard sent >= headEnd else { return nil }
        self.values = values
        self.headEnd = headEnd + inserted
    }
}

extension Effect.Action {
    /// Nothing of the reply arrives behind it, or nothing that is whole.
    fileprivate var endsReply: Bool {
        switch self {
        case .close, .reset, .halfClose, .stall, .alert, .truncateRecord, .badMAC: true
        case .wait, .send, .await: false
        }
    }
}
