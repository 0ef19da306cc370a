internal import ProctorBase

extension SchemaEvaluator {
    /// nil for a keyword that is not about members.
    mutating func checkMembers(
        _ keyword: Keyword, of schema: Subschema, on index: Int, _ faults: inout FaultList, _ seen: inout Set<Int>
    ) -> Bool? {
        switch keyword.rule {
        case .required(let names):
            guard let present = members(of: index, at: schema) else { return false }
            var holds = true
            for needed in names where present[needed.name] == nil && (needed.exempt == nil || needed.exempt != side) {
                holds = false
                faults.add(
                    fault(
                        keyword, of: schema, on: index, inside: needed.name,
                        "wanted this member, got an object without it"))
            }
            return holds
        case .dependentRequired(let rules):
            guard let present = members(of: index, at: schema) else { return false }
            var holds = true
            for rule in rules where present[rule.name] != nil {
                for name in rule.needs where present[name] == nil {
                    holds = false
                    faults.add(
                        fault(
                            keyword, of: schema, on: index, inside: name,
                            "wanted this member beside \(Self.quote(String(decoding: rule.name, as: UTF8.self))), "
                                + "got an object without it"))
                }
            }
            return holds
        case .dependentSchemas(let rules):
            guard let present = members(of: index, at: schema) else { return false }
            var holds = true
            for rule in rules where present[rule.name] != nil {
                if !evaluate(rule.schema, on: index, &faults, &seen) { holds = false }
            }
            return holds
        case .propertyNames(let number): return checkNames(number, keyword, of: schema, on: index, &faults)
        case .properties(let schemas):
            return each(index, of: schema, &faults, &seen) { name, _ in schemas[name] }
        case .patternProperties(let rules):
            var holds = true
            for rule in rules {
                let fits = each(index, of: schema, &faults, &seen) { name, evaluator in
                    evaluator.matches(rule.pattern, name, at: schema) == true ? rule.schema : nil
                }
                if !fits { holds = false }
            }
            return holds
        case .additionalProperties(let number, let names, let patterns):
            return each(index, of: schema, &faults, &seen) { name, evaluator in
                guard !names.contains(name) else { return nil }
                for pattern in patterns {
                    guard let matches = evaluator.matches(pattern, name, at: schema) else { return nil }
                    if matches { return nil }
                }
                return number
            }
        case .unevaluatedProperties(let number):
            let known = seen
            return eachChild(index, of: schema, &faults, &seen) { child, _ in known.contains(child) ? nil : number }
        default: return nil
        }
    }

    /// nil when a bound was reached.
    private mutating func members(of index: Int, at schema: Subschema) -> [[UInt8]: Int]? {
        var members: [[UInt8]: Int] = [:]
        for child in document.children(of: index) {
            guard count(document.stepCount(of: child), at: schema) else { return nil }
            members[document.values[child].name ?? []] = child
        }
        return members
    }

    /// Evaluates each member for whose name there is a schema.
    private mutating func each(
        _ index: Int, of schema: Subschema, _ faults: inout FaultList, _ seen: inout Set<Int>,
        _ number: ([UInt8], inout SchemaEvaluator) -> Int?
    ) -> Bool {
        eachChild(index, of: schema, &faults, &seen) { child, evaluator in
            number(evaluator.document.values[child].name ?? [], &evaluator)
        }
    }

    private mutating func eachChild(
        _ index: Int, of schema: Subschema, _ faults: inout FaultList, _ seen: inout Set<Int>,
        _ number: (Int, inout SchemaEvaluator) -> Int?
    ) -> Bool {
        var holds = true
        for child in document.children(of: index) {
            guard count(document.stepCount(of: child), at: schema) else { return false }
            guard let number = number(child, &self) else { continue }
            var inner: Set<Int> = []
            if evaluate(number, on: child, &faults, &inner) {
                if schemas.tracksEvaluation { seen.insert(child) }
            } else {
                holds = false
            }
            if reason != nil || (!holds && !faults.isTold) { return false }
        }
        return holds
    }

    /// Validates each name as a text.
    private mutating func checkNames(
        _ number: Int, _ keyword: Keyword, of schema: Subschema, on index: Int, _ faults: inout FaultList
    ) -> Bool {
        var holds = true
        for child in document.children(of: index) {
            guard count(document.stepCount(of: child), at: schema) else { return false }
            let name = document.values[child].name ?? []
            var json = JSONText()
            json.string(name[...])
            guard let text = try? JSONDocument(parsing: json.bytes) else { continue }
            var inner = SchemaEvaluator(schemas: schemas, document: text, root: 0, side: side, budget: budget)
            inner.continueCount(of: self)
            var (told, seen) = (FaultList(limit: faults.isTold ? 1 : 0), Set<Int>())
            let fits = inner.evaluate(number, on: 0, &told, &seen)
            continueCount(of: inner)
            if reason != nil { return false }
            guard !fits else { continue }
            holds = false
            faults.add(
                fault(
                    keyword, of: schema, on: index, inside: name,
                    "the name of this member does not fit: \(told.faults.first?.sentence ?? "it is refused")"))
        }
        return holds
    }

    // MARK: Elements

    /// nil for a keyword that is not about elements.
    mutating func checkElements(
        _ keyword: Keyword, of schema: Subschema, on index: Int, _ faults: inout FaultList, _ seen: inout Set<Int>
    ) -> Bool? {
        switch keyword.rule {
        case .prefixItems(let numbers):
            var rest = numbers[...]
            return eachChild(index, of: schema, &faults, &seen) { _, _ in rest.popFirst() }
        case .items(let number, let behind):
            var position = 0
            return eachChild(index, of: schema, &faults, &seen) { _, _ in
                position += 1
                return position > behind ? number : nil
            }
        case .unevaluatedItems(let number):
            let known = seen
            return eachChild(index, of: schema, &faults, &seen) { child, _ in known.contains(child) ? nil : number }
        case .contains(let number, let least, let most):
            return checkContains(number, least, most, keyword, of: schema, on: index, &faults, &seen)
        case .uniqueItems: return checkUnique(keyword, of: schema, on: index, &faults)
        default: return nil
        }
    }

    private mutating func checkContains(
        _ number: Int, _ least: Int, _ most: Int?, _ keyword: Keyword, of schema: Subschema, on index: Int,
        _ faults: inout FaultList, _ seen: inout Set<Int>
    ) -> Bool {
        var fittingCount = 0
        for child in document.children(of: index) {
            guard count(document.stepCount(of: child), at: schema) else { return false }
            var (silent, inner) = (FaultList(limit: 0), Set<Int>())
            if evaluate(number, on: child, &silent, &inner) {
                fittingCount += 1
                if schemas.tracksEvaluation { seen.insert(child) }
            }
            if reason != nil { return false }
        }
        guard fittingCount >= least, fittingCount <= most ?? .max else {
            let wanted =
                fittingCount < least
                ? "at least \(Plural.count(least, "element"))" : "at most \(Plural.count(most ?? 0, "element"))"
            faults.add(
                fault(keyword, of: schema, on: index, "wanted \(wanted) that the schema fits, got \(fittingCount)"))
            return false
        }
        return true
    }

    private mutating func checkUnique(
        _ keyword: Keyword, of schema: Subschema, on index: Int, _ faults: inout FaultList
    ) -> Bool {
        var places: [ComparedValue: Int] = [:]
        for (position, child) in document.children(of: index).enumerated() {
            guard let value = compared(child, at: schema) else { return false }
            if let former = places.updateValue(position, forKey: value) {
                faults.add(
                    fault(
                        keyword, of: schema, on: index,
                        "wanted no two equal elements, got \(excerpt(child)) at \(former) and at \(position)"))
                return false
            }
        }
        return true
    }
}
