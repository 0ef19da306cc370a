import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorRules
import ProctorScenario

extension CaseVerdict {
    /// Why the case failed; nil when it did not fail.
    package var cause: FailureCause? {
        switch outcome {
        case .fail, .hang, .crash, .known:
            guard let finding = findings.cause else { return FailureCause(outcome.word) }
            return finding.cause(sections: caseSections)
        case .setupFailed: return FailureCause("set-up")
        case .adapterError: return FailureCause("adapter")
        case .fixed: return FailureCause("ledger: an entry no longer happens")
        case .notJudged:
            return FailureCause(
                isUncontrolled ? "not judged: a control failed" : "not judged: the adapter reports too little")
        case .pass, .observed, .partly, .lacks, .notInThisAdapter, .skipped: return nil
        }
    }

    /// The sections on which the cause itself is based; empty when they are the sections of the case.
    package var causeSections: [String] { cause == nil ? [] : findings.cause?.sections ?? [] }
}

extension Finding {
    /// The cause of the finding, whether it is that of the case or not; `sections` are those of the case.
    package func cause(sections: [String]) -> FailureCause {
        if let unheeded { return FailureCause("an error told to the server and not acted on", apart: unheeded.word) }
        return FailureCause(self, sections: sections)
    }

    /// The cause of what failed, whatever the client told the server: a ledger may list either.
    func causeOfFailure(sections: [String]) -> FailureCause {
        var failure = self
        failure.unheeded = nil
        return FailureCause(failure, sections: sections)
    }
}

extension FailureCause {
    /// `sections` are those of the case, which distinguish causes when the finding has no section of its own.
    fileprivate init(_ finding: Finding, sections: [String]) {
        let topic = (finding.sections + sections).first.map { SectionTopic.words(of: Self.topic(of: $0)) }
        switch finding.subject {
        case .rule(let hit): self.init(hit.rule.titled)
        case .unreportedRule(let rule): self.init("\(rule.titled) is not reported")
        case .grammar(let family, _):
            self.init(finding.rules.first?.titled ?? "order of callbacks of \(family.rawValue)")
        case .content(let field): self.init("callback fact \(field)" + (finding.rules.first.map { " (\($0))" } ?? ""))
        case .edge: self.init("order between lanes" + (finding.rules.first.map { " (\($0))" } ?? ""))
        case .expression(let diagnosis):
            if let rule = finding.rules.first {
                self.init(rule.titled)
            } else if let lane = finding.lane {
                self.init("lane \(lane.lane.rawValue): \(diagnosis.difference)", apart: topic)
            } else {
                let other = diagnosis.requestDifference
                self.init("requests: \(other?.name ?? diagnosis.difference)", apart: other?.detail ?? topic)
            }
        case .fact(let name):
            switch finding.mismatch {
            case .kind(let kind)?: self.init(name.isOfCredentials ? "credential: \(kind)" : "violation \(kind)")
            case .part(let other)?: self.init("requests: \(other.name)", apart: other.detail ?? topic)
            case let mismatch: self.init("fact \(name.withoutNames)\(mismatch?.suffix ?? "")", apart: topic)
            }
        case .result:
            if case .end(let end)? = finding.mismatch {
                self.init("end of a load: \(end.rawValue)", apart: end == .interim ? nil : topic)
            } else {
                self.init("end of a load", apart: topic)
            }
        case .miss(let miss): self.init(Self.key(of: miss, finding.request), apart: topic)
        case .caught(let mistake): self.init("mistake: \(mistake)", apart: topic)
        case .violation(let violation):
            // Each field has a section of its own.
            let field = violation.kind == .malformedValue ? violation.section : nil
            self.init("violation \(violation.kind.rawValue)", apart: field)
        case .frameViolation(let violation): self.init("violation \(FrameText.text(violation.kind))")
        case .opaque: self.init("bytes behind HTTP")
        case .gathered(let departure): self.init(FrameText.text(departure.cause))
        case .credential(let verdict):
            self.init("credential: \(verdict.faults.first?.kind.rawValue ?? verdict.outcome.rawValue)")
        case .cookies(let verdict): self.init("cookies: \(verdict.differences.first?.kind.rawValue ?? "differ")")
        case .ending(let ending):
            // R45 requires any load to end, so the case's sections say what the load was waiting for.
            self.init(
                Self.key(of: ending),
                apart: ending.errorLine.flatMap(TrapLine.init)?.place ?? finding.mismatch?.place
                    ?? sections.first.map { SectionTopic.words(of: Self.topic(of: $0)) })
        case .slices: self.init("depends on how replies are cut")
        case .bound: self.init("repeats requests without an end")
        case .state: self.init("a change of the state that is not possible")
        case .reply: self.init("a reply that can't be made")
        case .webhook(let note): self.init("webhook: \(note.fault ?? "")")
        case .description(let note): self.init("description: \(note.faults.first?.schemaPointer ?? "")")
        case .tolerated(let departure): self.init("tolerated: \(departure.rawValue)")
        case .unasked: self.init("an exchange that nobody asked for")
        }
    }

    private static func key(of ending: ClientEnding) -> String {
        switch ending {
        case .crashed(let signal, _): "crash by \(EventText.printable(signal, limit: 40))"
        case .exited(let code, _): "exit with code \(code)"
        case .hung: "hang"
        case .finished: "a load without an end"
        case .couldNotStart: "no start"
        case .outOfBounds: "too much output"
        }
    }

    /// The key by the first part of the request that differs from the nearest exchange.
    private static func key(of miss: Miss, _ request: Finding.Request?) -> String {
        guard miss.nearestExchange != nil, let part = miss.differences.first?.prefix(while: { $0 != ":" }) else {
            return "a request that no exchange answers"
        }
        switch part {
        case "turns": return "requests: one too often"
        case "order": return "requests: one too early"
        default: return "requests: another \(EventText.printable(String(part), limit: 100))"
        }
    }

    /// The topic of a section: `RFC 9112 §7.1` for `RFC 9112 §7.1.1`; for RFCs about one topic, the chapter.
    ///
    /// A rule is repeated in several subsections, and cases about one departure cite different ones. The topic of an
    /// example is that of the rule that it shows.
    static func topic(of section: String) -> String {
        guard let mark = section.firstRange(ofText: " §") else { return section }
        let document = section[..<mark.lowerBound]
        let numbers = section[mark.upperBound...].prefix { !$0.isWhitespace }.split(separator: ".")
        let isWide = wideDocuments.contains(String(document)) || document == "RFC 9110" && numbers.first == "11"
        return "\(document) §\(numbers.prefix(isWide ? 1 : 2).joined(separator: "."))"
    }

    private static let wideDocuments: Set<String> = ["RFC 3986", "RFC 7616", "RFC 7617"]
}

extension FactName {
    /// The name without the numbers of requests, loads and connections, and without names that a fixture makes up.
    fileprivate var withoutNames: String {
        let general: FactName =
            switch self {
            case .wire(let index, _) where requestOfCookies != nil: .wire(index: index, "cookies")
            case .guarding(_, let fact): .guarding(guardName: nil, fact)
            case .client(_, let fact) where fact.row == "stored.cookies.NAME": .client(step: 0, "stored.cookies")
            case .client(_, let fact): .client(step: 0, fact)
            default: self
            }
        let text = general.text
        switch general {
        // A field of a request has the name that its RFC gives it.
        case .wire(_, let fact) where ["form.NAME", "query.NAME"].contains(fact.row),
            .client(_, let fact) where fact.lookedUp == nil && fact.trailerName == nil:
            return String(text.dropLast(fact.word.map { $0.count + 1 } ?? 0)).withoutNumbers
        default: return text.withoutNumbers
        }
    }

    fileprivate var isOfCredentials: Bool {
        switch self {
        case .guarding, .wire(_, "auth.faults"): true
        default: false
        }
    }
}

extension Finding.Mismatch {
    /// The text after the name of a fact; empty when the value is just another one.
    fileprivate var suffix: String {
        switch self {
        case .unwanted: ": unwanted"
        case .missing: ": missing"
        case .more: ": more"
        case .less: ": less"
        case .kind, .part, .other, .end, .place: ""
        }
    }

    fileprivate var place: String? { if case .place(let place) = self { place ?? "before any callback" } else { nil } }
}

extension NotationDiagnosis {
    /// `got request, wanted the end`, with the names of events and no arguments.
    fileprivate var difference: String {
        var names = wanted.map { $0.symbol?.name ?? "any event" }
        if endIsWanted { names.append("the end") }
        let text = names.unique.prefix(3).joined(separator: " or ")
        if let got { return "got \(got.name), wanted \(text.isEmpty ? "nothing" : text)" }
        return "ended without \(text.isEmpty ? "what was wanted" : text)"
    }

    /// How a request differs from the most similar wanted one; nil when no request can be compared.
    fileprivate var requestDifference: RequestParts.Difference? {
        guard let got, got.name == EventName.request.rawValue, let came = RequestParts(got.argument ?? "") else {
            return nil
        }
        let texts = wanted.flatMap { $0.symbol?.name == got.name ? $0.symbol?.arguments ?? [] : [] }
        let parts = texts.compactMap { pattern -> RequestParts? in
            if case .exact(let text) = pattern { RequestParts(text) } else { nil }
        }
        return parts.min { came.differences(from: $0).count < came.differences(from: $1).count }.map {
            came.difference(from: $0)
        }
    }
}

extension String {
    /// `wire[].target` for `wire[3].target`.
    fileprivate var withoutNumbers: String {
        var result = ""
        var isInside = false
        for character in self {
            if character == "]" { isInside = false }
            if !isInside || !character.isNumber { result.append(character) }
            if character == "[" { isInside = true }
        }
        return result
    }
}
