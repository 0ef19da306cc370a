internal import ProctorBase
package import ProctorHTTP
package import ProctorJournal
package import ProctorScenario

/// The state of a run behind the changes of a reply that was chosen.
package final class TakenState: Sendable {
    /// The values that the reply's text shows.
    package let values: StateValues
    /// In the order in which they were made.
    package let changes: [StateChange]
    /// Nil where all changes were possible; otherwise none was made.
    package let refusal: StateRefusal?
    /// What the conditions of the request came to before the changes; nil where the reply's text decides alone.
    package let precondition: Preconditions.Outcome?

    init(
        values: StateValues, changes: [StateChange], refusal: StateRefusal?,
        precondition: Preconditions.Outcome? = nil
    ) {
        (self.values, self.changes, self.refusal, self.precondition) = (values, changes, refusal, precondition)
    }
}

/// Asks and changes the state for one request; used under the stage's lock, and only where a scenario has a state.
///
/// A reference, so that requests of other scenarios carry a pointer to nothing.
final class StateTurn {
    let stage: Stage
    let request: RequestView
    let numbers: RequestNumbers
    /// For all conditions on the state that are asked for the request, under the stage's lock.
    private let budget = WorkBudget(stepLimit: StateTurn.stepLimit)

    /// About 5 ms of a common processor.
    static let stepLimit = 250_000

    init(stage: Stage, request: RequestView, numbers: RequestNumbers) {
        (self.stage, self.request, self.numbers) = (stage, request, numbers)
    }

    /// The bound that the conditions have reached; nil where none has.
    var spent: SpentBudget? {
        do throws(SpentBudget) { try budget.checkBounds() } catch { return error }
        return nil
    }

    private func text(_ exchange: CompiledExchange, _ values: StateValues) -> PlanInputs {
        PlanInputs(
            PlayedPart(exchange: exchange.exchange.index, reply: .turn(0), infos: [], state: values), for: request,
            numbers, pattern: exchange.exchange.request,
            addresses: stage.addresses.bound(for: request.head, request.scheme, from: numbers.source),
            origin: exchange.origin)
    }

    /// Throws why the text can't be made; `name` is what the message names.
    private func bytes(
        _ template: Template, _ exchange: CompiledExchange, _ values: StateValues, of name: String
    ) throws(StateRefusal) -> [UInt8] {
        if let literal = template.literalBytes { return literal }
        var text = text(exchange, values)
        let bytes = text.bytes(of: template)
        if let failure = text.failure { throw StateRefusal(Array(name.utf8), reason: failure) }
        return bytes
    }

    private func name(_ template: Template, _ exchange: CompiledExchange, _ values: StateValues) -> [UInt8] {
        if let literal = template.literalBytes { return literal }
        var text = text(exchange, values)
        return text.bytes(of: template)
    }

    /// Whether all conditions of the exchange hold; one whose text can't be made does not.
    func holds(_ exchange: CompiledExchange, in values: StateValues) -> Bool {
        exchange.exchange.when.allSatisfy { condition in
            let value = values[name(condition.name, exchange, values)]
            if case .fixed(let wanted) = condition.value { return wanted.holds(for: value, within: budget) }
            guard let wanted = try? wanted(condition, exchange, values) else { return false }
            return wanted.holds(for: value, within: budget)
        }
    }

    private func wanted(
        _ condition: StateCondition, _ exchange: CompiledExchange, _ values: StateValues
    ) throws(StateRefusal) -> ValueCondition {
        try condition.value.bound { template throws(StateRefusal) in
            try bytes(template, exchange, values, of: condition.name.shown)
        }
    }

    /// One sentence for each condition that does not hold.
    func differences(_ exchange: CompiledExchange, in values: StateValues) -> [String] {
        exchange.exchange.when.compactMap { condition in
            let name = name(condition.name, exchange, values)
            let value = values[name]
            let shown = "state \(EscapedText.escape(name, limit: 200))"
            let wanted: ValueCondition
            do throws(StateRefusal) {
                wanted = try self.wanted(condition, exchange, values)
            } catch {
                return "\(shown): \(error.reason)"
            }
            guard !wanted.holds(for: value, within: request.budget) else { return nil }
            let now = value.map { "\"\(EscapedText.escape($0, limit: 200))\"" } ?? "not set"
            return "\(shown): wanted \(wanted.shortened.wanted), it is \(now)"
        }
    }

    /// What a reply that honours conditions and changes the state says to those of the request, by its validators before
    /// the changes (RFC 9110 §13.2.1); nil for any other reply, and for a request without conditions.
    private func precondition(
        of reply: Reply, _ exchange: CompiledExchange, _ values: StateValues
    ) -> Preconditions.Outcome? {
        guard !reply.sets.isEmpty, let message = reply.structured, message.honours.contains(.conditions) else {
            return nil
        }
        var text = text(exchange, values)
        guard let fields = text.fields(askingFor: [.conditions]) else { return nil }
        let validators = message.headers.compactMap { field -> HTTPField? in
            let name = String(decoding: field.name, as: UTF8.self)
            guard ["etag", "last-modified"].contains(name.lowercased()) else { return nil }
            return HTTPField(name: name, bytes: text.bytes(of: field.value))
        }
        guard text.failure == nil else { return nil }
        let (method, now) = (String(decoding: text.method, as: UTF8.self), text.now())
        return Preconditions.evaluate(
            method: method, fields: fields, validators: Validators(of: validators, now: now), now: now)
    }

    /// Makes the changes of a reply one after the other, each on what the one before has left; all of them, or none.
    ///
    /// A 304 or 412 to a condition of the request makes none.
    func applyChanges(_ reply: Reply, of exchange: CompiledExchange, in values: inout StateValues) -> TakenState {
        let precondition = precondition(of: reply, exchange, values)
        if let precondition, precondition != .proceed {
            return TakenState(values: values, changes: [], refusal: nil, precondition: precondition)
        }
        var new = values
        var changes: [StateChange] = []
        for setting in reply.sets {
            let name: [UInt8]
            do throws(StateRefusal) {
                name = try bytes(setting.name, exchange, new, of: setting.name.shown)
                switch setting.change {
                case .remove: try new.set(name, to: nil)
                case .add(let number): try new.add(number, to: name)
                case .addText(let template):
                    try new.add(text: bytes(template, exchange, new, of: setting.name.shown), to: name)
                case .set(let template):
                    try new.set(name, to: bytes(template, exchange, new, of: setting.name.shown))
                }
            } catch {
                return TakenState(values: values, changes: [], refusal: error)
            }
            changes.append(StateChange(name, value: new[name], by: .reply))
        }
        values = new
        return TakenState(values: new, changes: changes, refusal: nil, precondition: precondition)
    }
}

extension ValueCondition {
    /// Texts of a request are as long as its content may be; a near miss shows the first bytes.
    fileprivate var shortened: ValueCondition {
        switch self {
        case .text(let pattern):
            guard let bytes = pattern.exactBytes, bytes.count > 200 else { return self }
            return .text(BytePattern(parts: [.literal(Array(bytes.prefix(200)) + Array("…".utf8))]))
        case .not(let condition): return .not(condition.shortened)
        case .anyOf(let conditions): return .anyOf(conditions.map(\.shortened))
        case .matches, .absent: return self
        }
    }
}

// The state of a stage, for calls.
extension Stage {
    /// Nil where the scenario has none.
    package var state: StateValues? { progress.withLock { $0.state } }

    /// Makes one change for a script, which names what it has changed; the journal has it.
    package func changeState(
        for log: RequestLog, _ change: (inout StateValues) throws(StateRefusal) -> [UInt8]?
    ) throws(StateRefusal) {
        let result = progress.withLock { progress -> StateRefusal? in
            var new = progress.state ?? StateValues()
            do throws(StateRefusal) {
                guard let name = try change(&new) else { return nil }
                progress.state = new
                // Under the lock, so that the journal has the changes in their order.
                log.append(.stateChanged(StateChange(name, value: new[name], by: .reply)))
                return nil
            } catch {
                return error
            }
        }
        if let result { throw result }
    }

    /// Sets and removes values, all of them or none; `replaces`: other names are removed.
    ///
    /// The journal has each change.
    package func setState(_ values: [(name: [UInt8], value: [UInt8]?)], replaces: Bool) throws(StateRefusal) {
        let result = progress.withLock { progress -> Result<[StateChange], StateRefusal> in
            guard let old = progress.state else { return .success([]) }
            var new = replaces ? StateValues() : old
            do throws(StateRefusal) {
                for value in values { try new.set(value.name, to: value.value) }
            } catch {
                return .failure(error)
            }
            progress.state = new
            let names = Set(old.all.keys).union(new.all.keys).filter { old[$0] != new[$0] }
            let changes = names.sorted { $0.lexicographicallyPrecedes($1) }
                .map { StateChange($0, value: new[$0], by: .call) }
            // Under the lock, so that the journal has the changes in their order.
            for change in changes {
                journal.append(epoch: progress.epoch, connection: nil, .stateChanged(change))
            }
            return .success(changes)
        }
        _ = try result.get()
    }
}
