internal import ProctorBase

extension SchemaEvaluator {
    /// Whether the keyword holds for the value; a fault is told otherwise.
    mutating func check(
        _ keyword: Keyword, of schema: Subschema, on index: Int, _ faults: inout FaultList, _ seen: inout Set<Int>
    ) -> Bool {
        let value = document.values[index]
        var kind = value.type
        if case .number = kind { kind = value.kind }
        func require(_ holds: Bool, _ wanted: @autoclosure () -> String) -> Bool {
            if !holds {
                faults.add(fault(keyword, of: schema, on: index, "wanted \(wanted()), got \(excerpt(index))"))
            }
            return holds
        }
        switch keyword.rule {
        case .nothing:
            faults.add(fault(keyword, of: schema, on: index, "wanted nothing here, got \(excerpt(index))"))
            return false
        case .open(let why): return meetOpening(why, of: keyword, schema)
        case .type(let types):
            return require(
                types.contains { $0.holds(for: kind) }, types.map(\.noun).joined(separator: " or "))
        case .oneOfValues(let values, let text):
            guard let value = compared(index, at: schema) else { return false }
            return require(values.contains(value), text)
        case .multipleOf(let divisor, let text):
            guard case .number(let number) = kind else { return true }
            return require(number.isMultiple(of: divisor) ?? false, "a multiple of \(text)")
        case .number(let bound, let limit, let text):
            guard case .number(let number) = kind else { return true }
            return require(bound.holds(number, limit), "a number \(bound.words) \(text)")
        case .count(let bound, let limit):
            guard let count = bound.count(in: document, index) else { return true }
            if bound.isUpper ? count <= limit : count >= limit { return true }
            faults.add(fault(keyword, of: schema, on: index, "wanted \(bound.words(limit)), got \(count)"))
            return false
        case .pattern(let pattern):
            guard case .text(let bytes) = value.kind else { return true }
            guard let matches = matches(pattern, bytes, at: schema) else { return false }
            return require(matches, "a text that matches \(Self.quote(pattern.text))")
        case .format(let format):
            return require(format.holds(for: value.kind), "\(format.noun) (\(format.source))")
        default: break
        }
        let (met, former) = (openCount, keyword.rule.growsWithSchemas ? nil : faults)
        let holds = checkInside(keyword, of: schema, on: index, kind, &faults, &seen)
        // An open schema inside leaves these open: that it holds does not make them hold.
        if openCount > met, let former, reason == nil {
            faults = former
            return meetOpening("what stands inside is open", of: keyword, schema)
        }
        return holds
    }

    private mutating func checkInside(
        _ keyword: Keyword, of schema: Subschema, on index: Int, _ kind: JSONDocument.Kind, _ faults: inout FaultList,
        _ seen: inout Set<Int>
    ) -> Bool {
        switch kind {
        case .object:
            if let holds = checkMembers(keyword, of: schema, on: index, &faults, &seen) { return holds }
        case .list:
            if let holds = checkElements(keyword, of: schema, on: index, &faults, &seen) { return holds }
        default: break
        }
        return combine(keyword, of: schema, on: index, &faults, &seen)
    }

    static func quote(_ text: String) -> String { QuotedText.quote(EscapedText.escape(text.utf8)) }

    /// nil when a bound was reached.
    mutating func compared(_ index: Int, at schema: Subschema) -> ComparedValue? {
        guard count(document.stepCount(ofWhole: index), at: schema) else { return nil }
        return ComparedValue(document, index)
    }

    /// nil when a bound was reached.
    mutating func matches(_ pattern: SchemaPattern, _ bytes: [UInt8], at schema: Subschema) -> Bool? {
        switch pattern.verdict(on: bytes, within: budget) {
        case .matches: return true
        case .differs: return false
        case .undecided(let bound):
            giveUp("the search for \(Self.quote(pattern.text)) ends after \(bound)", at: schema)
            return nil
        }
    }

    // MARK: Combining

    private mutating func combine(
        _ keyword: Keyword, of schema: Subschema, on index: Int, _ faults: inout FaultList, _ seen: inout Set<Int>
    ) -> Bool {
        switch keyword.rule {
        case .reference(let number): return evaluate(number, on: index, &faults, &seen)
        case .dynamicReference(let number, let anchor):
            return evaluate(dynamicTarget(of: anchor, else: number), on: index, &faults, &seen)
        case .allOf(let schemas):
            var holds = true
            for number in schemas where !evaluate(number, on: index, &faults, &seen) { holds = false }
            return holds
        case .anyOf(let schemas):
            let tried = alternatives(
                schemas, on: index, isTold: faults.isTold, stopsAtFirst: !self.schemas.tracksEvaluation)
            for branch in tried where branch.holds { seen.formUnion(branch.seen) }
            guard !tried.contains(where: \.holds) else { return true }
            faults.add(fault(keyword, of: schema, on: index, noneFits(tried, index)))
            return false
        case .oneOf(let schemas):
            let tried = alternatives(schemas, on: index, isTold: faults.isTold, stopsAtFirst: false)
            let fitting = tried.indices.filter { tried[$0].holds }
            guard fitting.count != 1 else {
                seen.formUnion(tried[fitting[0]].seen)
                return true
            }
            faults.add(
                fault(
                    keyword, of: schema, on: index,
                    fitting.isEmpty
                        ? noneFits(tried, index)
                        : "wanted exactly one alternative to fit, but these do: "
                            + fitting.map(String.init).joined(separator: ", ") + " (counted from 0)"))
            return false
        case .not(let number):
            var (silent, inner) = (FaultList(limit: 0), Set<Int>())
            guard evaluate(number, on: index, &silent, &inner) else { return true }
            faults.add(
                fault(
                    keyword, of: schema, on: index, "wanted a value that the schema does not fit, got \(excerpt(index))"
                ))
            return false
        case .condition(let test, let then, let otherwise):
            var (silent, inner) = (FaultList(limit: 0), Set<Int>())
            let holds = evaluate(test, on: index, &silent, &inner)
            if holds { seen.formUnion(inner) }
            guard let next = holds ? then : otherwise else { return true }
            return evaluate(next, on: index, &faults, &seen)
        default: return true
        }
    }

    private struct Branch {
        let holds: Bool
        let faults: FaultList
        let seen: Set<Int>
    }

    private mutating func alternatives(
        _ schemas: [Int], on index: Int, isTold: Bool, stopsAtFirst: Bool
    ) -> [Branch] {
        var branches: [Branch] = []
        for number in schemas where reason == nil {
            var (faults, seen) = (FaultList(limit: isTold ? 4 : 0), Set<Int>())
            let holds = evaluate(number, on: index, &faults, &seen)
            branches.append(Branch(holds: holds, faults: faults, seen: holds ? seen : []))
            if holds, stopsAtFirst { return branches }
        }
        return branches
    }

    /// Tells the alternative that comes nearest: that whose first fault is deepest, and of those the one with the fewest.
    private func noneFits(_ tried: [Branch], _ index: Int) -> String {
        let ranked = tried.indices.compactMap {
            position -> (position: Int, fault: SchemaFault, depth: Int, count: Int)? in
            let faults = tried[position].faults
            guard let fault = faults.faults.first else { return nil }
            return (position, fault, fault.pointer.utf8.count { $0 == UInt8(ascii: "/") }, faults.count)
        }
        let wanted = "wanted one of \(Plural.count(tried.count, "alternative")) to fit, got \(excerpt(index))"
        guard let best = ranked.max(by: { ($0.depth, $1.count) < ($1.depth, $0.count) }) else { return wanted }
        return "\(wanted); nearest is \(best.position), where \(best.fault.description)"
    }
}

extension Keyword.Rule {
    /// Whether it holds for all the more values, the more values the schemas inside it hold for.
    fileprivate var growsWithSchemas: Bool {
        switch self {
        case .oneOf, .not, .condition, .unevaluatedItems, .unevaluatedProperties: false
        case .contains(_, _, let most): most == nil
        default: true
        }
    }
}

extension Keyword.NumberBound {
    fileprivate func holds(_ number: JSONDecimal, _ limit: JSONDecimal) -> Bool {
        switch self {
        case .maximum: number <= limit
        case .exclusiveMaximum: number < limit
        case .minimum: number >= limit
        case .exclusiveMinimum: number > limit
        }
    }

    fileprivate var words: String {
        switch self {
        case .maximum: "up to"
        case .exclusiveMaximum: "below"
        case .minimum: "from"
        case .exclusiveMinimum: "above"
        }
    }
}

extension Keyword.CountBound {
    fileprivate var isUpper: Bool {
        switch self {
        case .maxLength, .maxItems, .maxProperties: true
        case .minLength, .minItems, .minProperties: false
        }
    }

    /// What the bound counts in a value; nil for a value of another type.
    fileprivate func count(in document: JSONDocument, _ index: Int) -> Int? {
        switch (self, document.values[index].kind) {
        // Characters of Unicode, not bytes (validation §6.3.1).
        case (.maxLength, .text(let bytes)), (.minLength, .text(let bytes)): bytes.count { $0 & 0xC0 != 0x80 }
        case (.maxItems, .list), (.minItems, .list), (.maxProperties, .object), (.minProperties, .object):
            document.children(of: index).reduce(0) { count, _ in count + 1 }
        default: nil
        }
    }

    fileprivate func words(_ limit: Int) -> String {
        let noun =
            switch self {
            case .maxLength, .minLength: "character"
            case .maxItems, .minItems: "element"
            case .maxProperties, .minProperties: "member"
            }
        return "at \(isUpper ? "most" : "least") \(Plural.count(limit, noun))"
    }
}
