internal import ProctorScenario

extension ReplyPlanner {
    /// The cookies of a reply of ours whose head ends behind `headEnd` bytes of the plan.
    func setCookies(_ fields: [ReplyDraft.Field], headEnd: Int, _ steps: [ReplyPlan.Step]) -> [[UInt8]] {
        let values = fields.filter { ReplyFields.isSetCookie($0.name) }.map { ReplyFields.trimmed($0.value) }
        return values.isEmpty || !ReplyPlan.goesOut(headEnd, steps) ? [] : values
    }

    /// The cookies of a raw reply, as far as it stands in memory.
    func setCookies(inRaw content: ContentWalk, _ steps: [ReplyPlan.Step]) -> [[UInt8]] {
        var bytes: [UInt8] = []
        for piece in content.pieces {
            guard case .bytes(let all) = piece.source else { break }
            bytes += all[piece.range]
        }
        guard ReplyFields.mentionsSetCookie(bytes), let found = ReplyFields.setCookies(inRaw: bytes),
            !found.values.isEmpty, ReplyPlan.goesOut(found.headByteCount, steps)
        else { return [] }
        return found.values
    }
}

extension ReplyPlan {
    /// Whether so many bytes go out before an effect ends the reply: half a head sets no cookies.
    fileprivate static func goesOut(_ byteCount: Int, _ steps: [Step]) -> Bool {
        var sent = 0
        for step in steps where sent < byteCount {
            switch step {
            case .send(let bytes): sent += bytes.count
            case .stream(_, let range): sent += range.count
            case .effect(let action, _): if action.endsReply { return false }
            }
        }
        return sent >= byteCount
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
