import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorScenario

/// A fact that the client reports of a step, in one row: its name, its words, its values, and where in a trace it is.
struct ClientFact: Sendable {
    let row: FactRow
    /// The facts of a trace from which it is measured.
    let keys: [FactKey]
    let source: Source

    enum Source: Sendable {
        /// The `result` of the step, or the events that ended it, read by the first closure.
        ///
        /// `lacking` is what a result without it says, where it says anything; without a result and without an event that has it, the
        /// last closure decides; its second argument measures the error of the step.
        case ending(
            read: @Sendable (TraceEvent, NamedFact) -> Measurement?, lacking: Measurement?,
            otherwise: @Sendable (ClientRecord.Step, () -> Measurement) -> Measurement)
        /// Callbacks of the step, whatever its result says.
        case callbacks(@Sendable (ClientRecord.Step, NamedFact) -> Measurement)
        /// Events of an event stream, also where the client is not known to report such facts.
        case streamed(@Sendable (ClientRecord.Step, NamedFact) -> Measurement)
    }

    /// `words` is the subject of a sentence, as in ``FactRow``.
    init(
        _ name: String, _ words: String, _ values: FactValues = .text, over scope: FactScope = .allVersions,
        from store: StoreToRead? = nil, of keys: FactKey..., in source: Source? = nil
    ) {
        row = FactRow(name, words, values, over: scope, shownBy: .result, subject: .reply, from: store)
        self.keys = keys
        self.source = source ?? .ended(keys.first)
    }
}

extension ClientFact.Source {
    /// The value of that key in an event; absent from a result without it.
    static func ended(
        _ key: FactKey?, lacking: Measurement? = .absent,
        otherwise: @escaping @Sendable (ClientRecord.Step, () -> Measurement) -> Measurement = { _, _ in .untold }
    ) -> Self {
        .ending(read: { event, _ in key.flatMap { event.value($0) } }, lacking: lacking, otherwise: otherwise)
    }

    static func ended(
        lacking: Measurement? = .absent,
        otherwise: @escaping @Sendable (ClientRecord.Step, () -> Measurement) -> Measurement = { _, _ in .untold },
        _ read: @escaping @Sendable (TraceEvent) -> Measurement?
    ) -> Self { .ending(read: { event, _ in read(event) }, lacking: lacking, otherwise: otherwise) }

    /// A fact with a word of the file; a result without it does not say that the client has none.
    static func word(_ read: @escaping @Sendable (TraceEvent, String) -> Measurement?) -> Self {
        .ending(read: { event, fact in read(event, fact.word ?? "") }, lacking: .untold, otherwise: { _, _ in .untold })
    }

    /// A value that a `result` alone has: a callback has the path of a file, but does not report what exists after the end.
    static func result(_ key: FactKey, lacking: Measurement = .untold) -> Self {
        .ended(lacking: lacking) { $0.name == .result ? $0.value(key) : nil }
    }

    /// Untold when the client reports no callbacks; absent when it reported fewer redirects.
    static func redirect(_ read: @escaping @Sendable (TraceEvent, String) -> Measurement?) -> Self {
        .callbacks { step, fact in
            let redirects = step.hasCallbacks ? step.redirects : step.redirectsOfObjects
            guard let index = fact.number, redirects.indices.contains(index) else {
                return step.hasCallbacks ? .absent : .untold
            }
            return read(redirects[index], fact.word ?? "") ?? .untold
        }
    }

    /// A fact of one event of an event stream (WHATWG HTML §9.2.6).
    static func event(_ read: @escaping @Sendable (TraceEvent) -> Measurement?) -> Self {
        .streamed { step, fact in
            guard let index = fact.number, step.streamed.indices.contains(index) else { return .absent }
            return read(step.streamed[index]) ?? .untold
        }
    }

    /// A fact of the cached response; nil when the cache was not read, absent when it had no response.
    static func cached(_ read: @escaping @Sendable (TraceEvent, String) -> Measurement?) -> Self {
        .word { event, word in
            guard event.facts[.cachedStatus] != nil else { return nil }
            guard event.facts.integer(.cachedStatus) != nil else { return .absent }
            return read(event, word)
        }
    }

    /// A fact of the cookies that the client found in its store.
    static func cookies(_ read: @escaping @Sendable (StoredCookies, String) -> Measurement) -> Self {
        .word { event, word in StoredCookies(event).map { read($0, word) } }
    }
}

extension TraceEvent {
    func value(_ key: FactKey) -> Measurement? {
        switch facts[key] {
        case .integer(let number)?: Measurement(number)
        case .text(let text)?: Measurement(text)
        case .flag(let flag)?: Measurement(flag)
        case nil: nil
        }
    }

    /// The result of a look-up with exactly this spelling; nil when none was reported.
    func lookedUp(_ name: String, among key: FactKey = .header) -> Measurement? {
        facts.text(key).map { Self.line(name, in: $0) }
    }

    /// What stands behind `NAME: ` in the first line that has it.
    static func line(_ name: String, in text: String) -> Measurement {
        let start = "\(name): "
        let line = text.split(separator: "\n").first { $0.hasPrefix(start) }
        return Measurement(line.map { String($0.dropFirst(start.count)) })
    }

    /// The length of the body: `bytes` of a `result` or of a handler.
    var bodyLength: Measurement? {
        guard name == .result || lane == .handler else { return nil }
        if let count = facts.integer(.bytes) { return Measurement(count) }
        return keptBody.map { Measurement($0.count) }
    }

    var wholeBody: Measurement? {
        guard name == .result || lane == .handler else { return nil }
        let count = facts.integer(.bytes)
        guard let kept = keptBody else {
            guard let count, count > 0 else { return count == 0 ? .text([]) : nil }
            return .notKept("the client kept none of \(Plural.count(count, "byte"))")
        }
        if let count, count != kept.count {
            return .notKept("the client kept \(kept.count) of \(Plural.count(count, "byte"))")
        }
        return .text(kept)
    }
}
