/// The values that a reply, or a part of it, takes from the request and from the seed of the run.
package struct LateUse: Sendable, Equatable {
    /// The part of the request that is needed; nil when no value of the request is used.
    package private(set) var need: LateValue.Need?
    /// Whether any value depends on the seed of the run.
    package private(set) var isRandom = false

    package init() {}

    package mutating func merge(_ other: LateUse) {
        need = [need, other.need].compactMap(\.self).max()
        isRandom = isRandom || other.isRandom
    }

    package mutating func addTemplate(_ template: Template) {
        for case .value(let value, _) in template.parts {
            need = max(need ?? .head, value.need)
            isRandom = isRandom || value.isRandom
        }
    }

    package mutating func addSource(_ source: ByteSource) {
        if case .template(let template) = source { addTemplate(template) }
    }

    package mutating func addAction(_ action: Effect.Action) { _ = action.bound(by: &self) }

    package mutating func addPieces(_ pieces: [BodyPiece]) {
        for piece in pieces {
            switch piece {
            case .bytes(let source): addSource(source)
            case .effect(let action): addAction(action)
            }
        }
    }

    package mutating func addFields(_ fields: [ReplyField]) {
        for field in fields { addTemplate(field.value) }
    }
}

extension LateUse: LateBinding {
    package mutating func bound(_ source: ByteSource) -> ByteSource {
        addSource(source)
        return source
    }

    package mutating func bound(_ fields: [ReplyField]) -> [ReplyField] {
        addFields(fields)
        return fields
    }

    package mutating func time(_ time: RandomTime, _ place: RandomPlace) -> Duration {
        isRandom = true
        return time.most
    }
}

extension Template {
    package var use: LateUse {
        var use = LateUse()
        use.addTemplate(self)
        return use
    }
}

extension Exchange {
    /// The values that the conditions on the state, and the changes by its replies, take.
    package var stateUse: LateUse {
        var use = LateUse()
        for condition in when {
            use.addTemplate(condition.name)
            for template in condition.value.templates { use.addTemplate(template) }
        }
        for reply in replies { use.addSettings(reply.sets) }
        return use
    }
}

extension LateUse {
    fileprivate mutating func addSettings(_ settings: [StateSetting]) {
        for setting in settings {
            addTemplate(setting.name)
            switch setting.change {
            case .set(let value), .addText(let value): addTemplate(value)
            case .remove, .add: break
            }
        }
    }
}

extension Reply {
    package var lateUse: LateUse {
        var use = LateUse()
        switch message {
        case .structured(let message)?: use.merge(message.lateUse)
        case .raw(let pieces)?: use.addPieces(pieces)
        case .forward?, .script?, nil: break
        }
        for effect in effects { use.addAction(effect.action) }
        use.addSettings(sets)
        for step in opaque ?? [] {
            switch step {
            case .effect(let action): use.addAction(action)
            case .expect(let source, _): use.addSource(source)
            case .read: break
            case .webSocket(let script): _ = script.bound(by: &use)
            }
        }
        return use
    }
}

extension StructuredReply {
    fileprivate var lateUse: LateUse {
        var use = LateUse()
        use.addFields(headers)
        use.addFields(trailers)
        use.addPieces(body)
        for piece in interim {
            switch piece {
            case .reply(let reply): use.addFields(reply.headers)
            case .effect(let action): use.addAction(action)
            }
        }
        if let unsatisfiable { use.merge(unsatisfiable.reply.lateUse) }
        return use
    }
}

extension Scenario {
    /// Whether anything that is served depends on the seed of the run; then the journal records the seed.
    package var takesRandom: Bool {
        var use = LateUse()
        for reply in exchanges.flatMap(\.replies) + guards.flatMap({ $0.refusals + [$0.end?.reply].compactMap(\.self) })
        { use.merge(reply.lateUse) }
        for effect in origins.flatMap(\.connectionEffects) { use.addAction(effect.action) }
        for exchange in exchanges { use.merge(exchange.stateUse) }
        return use.isRandom || exchanges.contains { !$0.draws.isEmpty } || !scripts.isEmpty
    }
}
