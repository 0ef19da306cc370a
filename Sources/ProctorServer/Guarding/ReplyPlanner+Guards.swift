internal import ProctorScenario

extension ReplyPlanner {
    /// What guards have a reply say.
    enum Addition {
        case none
        /// With what the guards before it say, which admitted the request.
        case refusal(Refusal, [ReplyInfo])
        case infos([ReplyInfo])
    }

    /// Puts the guards' field lines behind those of the fixture.
    func add(to draft: inout ReplyDraft, hasContent: Bool, _ binding: inout Binding) {
        switch addition {
        case .none: break
        case .refusal(let refusal, let infos):
            for value in refusal.values({ binding.bytes(of: $0) }) { draft.append(refusal.field, value) }
            add(infos, to: &draft, hasContent: hasContent)
        case .infos(let infos): add(infos, to: &draft, hasContent: hasContent)
        }
    }

    private func add(_ infos: [ReplyInfo], to draft: inout ReplyDraft, hasContent: Bool) {
        for info in infos {
            let content = info.provesContent && hasContent ? draft.content.bytesInMemory ?? [] : []
            draft.append(info.field, info.value(content: content))
        }
    }
}

extension ContentWalk {
    /// All of it; nil where some is made or read only while it is sent.
    fileprivate var bytesInMemory: [UInt8]? {
        var all: [UInt8] = []
        for piece in pieces {
            guard case .bytes(let bytes) = piece.source else { return nil }
            all += bytes[piece.range]
        }
        return all
    }
}
