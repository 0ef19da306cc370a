import ProctorHTTP
import ProctorScenario

/// Compares a fact with what the journal and the client report.
struct FactCheck {
    let record: WireRecord?
    var client: ClientRecord?
    /// The values of `{{base}}` and of origins; nil when they are unknown.
    let context: TemplateContext?
    /// Whether the client uses Foundation's error names, so that they can be compared.
    var namesErrors = true
    /// Departures that change the value of a fact; with any other one, the value is read by its meaning.
    var untolerated: Set<Departure> = []

    enum Result: Equatable {
        case holds
        /// The client or the server did not report the fact; the reason is half a sentence.
        case undecided(String)
        case fails(wanted: String, got: String, sequence: UInt64?, Finding.Mismatch)
    }

    /// The wanted value: texts, or a range of numbers.
    private struct Demand {
        var texts: [[UInt8]] = []
        var least: Double?
        var most: Double?
        var shown = "nothing"
    }

    func check(_ fact: Fact) -> Result {
        if client?.spending?.isCertain(fact) == true { return .holds }
        let (value, sequence) = measure(fact.name)
        if let reason = Self.reasonNotKnown(value) { return .undecided(reason) }
        var demand = Demand()
        let holds: Bool
        switch fact.expected {
        case .absent:
            // For a request that did not arrive, nothing can be called absent.
            if let reason = record?.reasonNeverCame(fact.name) { return .undecided(reason) }
            holds = value == .absent
        case .text(let template):
            guard let bytes = render(template) else { return .undecided(Self.noAddresses) }
            demand.texts = [bytes]
            demand.shown = Self.shown(bytes, beside: value)
            holds = has(value, bytes, fact.name)
        case .not(let template):
            if value == .absent, let reason = record?.reasonNeverCame(fact.name) { return .undecided(reason) }
            guard let template else {
                demand.shown = "a value"
                holds = value != .absent
                break
            }
            guard let bytes = render(template) else { return .undecided(Self.noAddresses) }
            demand.shown = "anything but \(Self.shown(bytes, beside: value))"
            holds = !has(value, bytes, fact.name)
        case .list(let templates):
            demand.texts = templates.compactMap { render($0) }
            guard demand.texts.count == templates.count else { return .undecided(Self.noAddresses) }
            demand.shown = Measurement.list(demand.texts).shown
            holds = value.isValue && value.values == demand.texts
        case .same(let other):
            let (otherValue, _) = measure(other)
            if let reason = Self.reasonNotKnown(otherValue) { return .undecided("\(other.text): \(reason)") }
            demand.texts = otherValue.values
            demand.shown = "the same as \(other.text), which is \(otherValue.shown)"
            holds = value.isValue && otherValue.isValue && value.values == otherValue.values
        case .range(let minimum, let maximum):
            (demand.least, demand.most) = (minimum, maximum)
            demand.shown = Self.shown(minimum, maximum)
            holds = Self.number(value, fact.name).map { (minimum ?? $0) <= $0 && $0 <= (maximum ?? $0) } ?? false
        }
        if holds { return .holds }
        let isNothing = value == .absent || value == .number(0)
        let reason = isNothing ? record?.reasonForAbsence(of: fact.name).map { "; \($0)" } ?? "" : ""
        return .fails(
            wanted: demand.shown, got: value.shown + reason, sequence: sequence, mismatch(of: value, fact, demand))
    }

    /// How the value differs from the wanted one.
    private func mismatch(of value: Measurement, _ fact: Fact, _ demand: Demand) -> Finding.Mismatch {
        if fact.name.listsKinds, let kind = value.values.first(where: { !demand.texts.contains($0) }) {
            return .kind(EventText.printable(String(decoding: kind, as: UTF8.self), limit: 60))
        }
        if case .wire(_, "method") = fact.name {
            let detail = value.values.first.flatMap { got in
                demand.texts.first.map { RequestParts.exchanged(got, for: $0) }
            }
            return .part(RequestParts.Difference(name: "another method", detail: detail))
        }
        if case .wire(_, "target") = fact.name, let text = demand.texts.first, let target = value.values.first,
            let came = RequestParts("GET \(String(decoding: target, as: UTF8.self))"),
            let asked = RequestParts("GET \(String(decoding: text, as: UTF8.self))")
        {
            return .part(came.difference(from: asked))
        }
        if fact.expected == .absent { return .unwanted }
        if case .not(_?) = fact.expected { return .unwanted }
        if value == .absent { return .missing }
        guard case .number(let number) = value else { return .other }
        var (least, most) = (demand.least, demand.most)
        if case .text = fact.expected {
            least = Double(String(decoding: demand.texts[0], as: UTF8.self))
            most = least
        }
        if let least, number < least { return .less }
        if let most, number > most { return .more }
        return .other
    }

    private static let noAddresses = "the addresses of its run are not known"

    /// Why the value is unknown, half a sentence; nil when it is known, or certainly absent.
    private static func reasonNotKnown(_ value: Measurement) -> String? {
        switch value {
        case .untold: "no report of it came"
        case .notKept(let reason): reason
        case .absent, .text, .list, .number, .unknown: nil
        }
    }

    /// The value, with the sequence of the journal entry that shows it.
    private func measure(_ name: FactName) -> (value: Measurement, sequence: UInt64?) {
        if case .client(let step, let fact) = name { return (client?.measure(fact, ofStep: step) ?? .untold, nil) }
        if case .spent(let resource) = name { return (ClientSpending.measure(resource, of: client?.spending), nil) }
        guard let (value, sequence) = record?.measure(name) else { return (.untold, nil) }
        return (isOfCookieField(name) ? readCookies(value) : value, sequence)
    }

    private func isOfCookieField(_ name: FactName) -> Bool {
        if case .wire(_, let fact) = name { fact.field == "cookie" } else { false }
    }

    /// The value of Cookie as servers read it, when its form is tolerated.
    private func readCookies(_ value: Measurement) -> Measurement {
        var fields = value.values
        if !untolerated.contains(.cookieSeparators) { fields = fields.map(CookieField.joined) }
        if !untolerated.contains(.severalCookieFields), fields.count > 1 {
            fields = [Array(fields.joined(separator: "; ".utf8))]
        }
        return fields.isEmpty ? value : Measurement(ofValues: fields)
    }

    private func render(_ template: Template) -> [UInt8]? {
        if let bytes = template.literalBytes { return bytes }
        return context.map { template.rendered(in: $0) }
    }

    /// Whether the value is that text, or that number.
    private func has(_ value: Measurement, _ bytes: [UInt8], _ name: FactName) -> Bool {
        value.values == [bytes] || Self.isSameNumber(value, bytes) || isAnyError(name, value, wanted: bytes)
    }

    /// The text as it is shown where the value is a number, or text.
    private static func shown(_ bytes: [UInt8], beside value: Measurement) -> String {
        if case .number = value { WireText.escaped(bytes) } else { WireText.quoted(bytes) }
    }

    /// Whether the error's name is not compared.
    ///
    /// `error: error` accepts any name, as in an expression; so does every name for a client with names of its own.
    private func isAnyError(_ name: FactName, _ value: Measurement, wanted: [UInt8]) -> Bool {
        guard case .client(_, "error") = name, case .text = value else { return false }
        return !namesErrors || wanted == Array("error".utf8)
    }

    /// The value as a number; content that did not arrive has 0 bytes.
    private static func number(_ value: Measurement, _ name: FactName) -> Double? {
        if case .client(_, "body.length") = name, value == .absent { return 0 }
        return value.number
    }

    private static func isSameNumber(_ value: Measurement, _ bytes: [UInt8]) -> Bool {
        guard case .number(let number) = value else { return false }
        return Double(String(decoding: bytes, as: UTF8.self)) == number
    }

    private static func shown(_ minimum: Double?, _ maximum: Double?) -> String {
        switch (minimum.map(WireText.number), maximum.map(WireText.number)) {
        case (let low?, let high?): "\(low) to \(high)"
        case (let low?, nil): "at least \(low)"
        case (nil, let high?): "at most \(high)"
        case (nil, nil): "a number"
        }
    }
}

extension Measurement {
    fileprivate var isValue: Bool {
        switch self {
        case .unknown, .notKept, .untold: false
        case .absent, .text, .list, .number: true
        }
    }
}
