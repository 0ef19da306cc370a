package import ProctorScenario

/// A fact in one row: its name, its words, its values, where it can be asked, how it is measured, and why it is absent.
package struct GatheredFact<Subject>: Sendable {
    let row: FactRow
    fileprivate let measure: @Sendable (Subject, NamedFact, WireRecord) -> Measurement
    /// Half a sentence, for a word of the file; nil when the value itself explains it.
    fileprivate let because: Because?

    /// The word of the file is empty in a fact without one.
    typealias Because = @Sendable (Subject, String, WireRecord) -> String?

    init(
        _ row: FactRow, because: Because? = nil, measure: @escaping @Sendable (Subject) -> Measurement
    ) {
        (self.row, self.because) = (row, because)
        self.measure = { subject, _, _ in measure(subject) }
    }

    init(
        _ row: FactRow, because: Because? = nil,
        inRecord measure: @escaping @Sendable (Subject, WireRecord) -> Measurement
    ) {
        (self.row, self.because) = (row, because)
        self.measure = { subject, _, record in measure(subject, record) }
    }

    /// A fact whose name ends with `NAME`, for which each file has another word; the closure is given that word.
    init(
        _ row: FactRow, because: Because? = nil, ofName measure: @escaping @Sendable (Subject, String) -> Measurement
    ) {
        (self.row, self.because) = (row, because)
        self.measure = { subject, fact, _ in measure(subject, fact.word ?? "") }
    }

    /// A fact whose name has an `N`; the closure is given that number.
    init(_ row: FactRow, ofNumber measure: @escaping @Sendable (Subject, Int) -> Measurement) {
        (self.row, because) = (row, nil)
        self.measure = { subject, fact, _ in fact.number.map { measure(subject, $0) } ?? .absent }
    }

    package init(
        _ name: String, _ words: String, _ values: FactValues = .text,
        ofName measure: @escaping @Sendable (Subject, String) -> Measurement
    ) {
        self.init(FactRow(name, words, values), ofName: measure)
    }

    /// In the words `$` stands for the thing.
    package init(
        _ name: String, _ words: String, _ values: FactValues = .text,
        inRecord measure: @escaping @Sendable (Subject, WireRecord) -> Measurement
    ) {
        self.init(FactRow(name, words, values), inRecord: measure)
    }

    package init(
        _ name: String, _ words: String, _ values: FactValues = .text,
        measure: @escaping @Sendable (Subject) -> Measurement
    ) {
        self.init(FactRow(name, words, values), measure: measure)
    }
}

extension Array {
    /// The value of a fact that was read; `self` are the facts of its group.
    func measure<Subject>(_ fact: NamedFact, of subject: Subject, in record: WireRecord) -> Measurement
    where Element == GatheredFact<Subject> {
        firstIndex { $0.row.name == fact.row }.map { self[$0].measure(subject, fact, record) } ?? .untold
    }

    /// Why a fact that was read has no value, or is 0, half a sentence; nil when the value itself explains it.
    func reasonForAbsence<Subject>(of fact: NamedFact, _ subject: Subject, in record: WireRecord) -> String?
    where Element == GatheredFact<Subject> {
        firstIndex { $0.row.name == fact.row }.flatMap { self[$0].because?(subject, fact.word ?? "", record) }
    }
}
