/// What a reply, or a part of it, takes from the request and from the seed of the run.
package struct LateUse: Sendable, Equatable {
    /// Nil where no value of the request is used.
    package private(set) var need: LateValue.Need?
    /// Whether anything depends on the seed of the run.
    package private(set) var isRandom = false

    package init() {}

    package mutating func add(_ other: LateUse) {
        need = [need, other.need].compactMap(\.self).max()
        isRandom = isRandom || other.isRandom
    }

    package mutating func add(_ template: Template) {
        for case .value(let value, _) in template.parts {
            need = max(need ?? .head, value.need)
            isRandom = isRandom || value.isRandom
        }
    }

    mutating func add(_ source: ByteSource) {
        if case .template(let template) = source { add(template) }
    }

    package mutating func add(_ action: Effect.Action) {
        switch action {
        case .send(let source): add(source)
        case .waitBetween: isRandom = true
        case .frames(let action): for field in action.fields { add(field.value) }
        case .wait, .close, .reset, .halfClose, .stall, .await, .alert, .truncateRecord, .badMAC: return
        }
    }

    mutating func add(_ pieces: [BodyPiece]) {
        for piece in pieces {
            switch piece {
            case .bytes(let source): add(source)
            case .effect(let action): add(action)
            }
        }
    }

    mutating func add(_ fields: [ReplyField]) {
        for field in fields { add(field.value) }
    }
}

extension Template {
    var use: LateUse {
        var use = LateUse()
        use.add(self)
        return use
    }
}

extension Exchange {
    /// What the conditions on the state, and the changes by its replies, take.
    package var stateUse: LateUse {
        var use = LateUse()
        for condition in when {
            use.add(condition.name)
            for template in condition.value.templates { use.add(template) }
        }
        for reply in replies { use.add(reply.sets) }
        return use
    }
}

extension LateUse {
    fileprivate mutating func add(_ settings: [StateSetting]) {
        for setting in settings {
            add(setting.name)
            switch setting.change {
            case .set(let value), .addText(let value): add(value)
            case .remove, .add: break
            }
        }
    }
}

extension Reply {
    package var lateUse: LateUse {
        var use = LateUse()
        switch message {
        case .structured(let message)?: use.add(message.lateUse)
        case .raw(let pieces)?: use.add(pieces)
        case .forward?, .script?, nil: break
        }
        for effect in effects { use.add(effect.action) }
        use.add(sets)
        for step in opaque ?? [] {
            switch step {
            case .effect(let action): use.add(action)
            case .expect(let source, _): use.add(source)
            case .read: break
            }
        }
        return use
    }
}

extension StructuredReply {
    fileprivate var lateUse: LateUse {
        var use = LateUse()
        use.add(headers)
        use.add(trailers)
        use.add(body)
        for piece in interim {
            switch piece {
            case .reply(let reply): use.add(reply.headers)
            case .effect(let action): use.add(action)
            }
        }
        if let unsatisfiable { use.add(unsatisfiable.reply.lateUse) }
        return use
    }
}

extension Scenario {
    /// Whether anything that is served depends on the seed of the run, which the journal then has.
    package var takesRandom: Bool {
        var use = LateUse()
        for reply in exchanges.flatMap(\.replies) + guards.flatMap({ $0.refusals + [$0.end?.reply].compactMap(\.self) })
        { use.add(reply.lateUse) }
        for effect in origins.flatMap(\.connectionEffects) { use.add(effect.action) }
        for exchange in exchanges { use.add(exchange.stateUse) }
        return use.isRandom || exchanges.contains { !$0.draws.isEmpty } || !scripts.isEmpty
    }
}
