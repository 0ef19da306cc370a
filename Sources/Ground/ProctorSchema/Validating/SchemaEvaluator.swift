package import ProctorBase

extension JSONSchema.Entry {
    /// Validates a value of a document and all inside it.
    ///
    /// `side` is the message in which it stands, for `readOnly` and `writeOnly`; nil: neither is known.
    package func validate(
        _ document: JSONDocument, at index: Int = 0, side: SchemaSide? = nil, within budget: WorkBudget? = nil
    ) -> SchemaVerdict {
        guard document.values.indices.contains(index) else { return .undecided("there is no such value") }
        var evaluator = SchemaEvaluator(schemas: schemas, document: document, root: index, side: side, budget: budget)
        var faults = FaultList(limit: JSONSchema.Bounds.faults)
        var seen: Set<Int> = []
        let holds = evaluator.evaluate(number, on: index, &faults, &seen)
        if let reason = evaluator.reason { return .undecided(reason) }
        if holds, let opening = evaluator.opening {
            // What is valid whether or not the open keywords hold is valid.
            evaluator.assumesOpen = false
            var (silent, inner) = (FaultList(limit: 0), Set<Int>())
            guard evaluator.evaluate(number, on: index, &silent, &inner) else {
                return .undecided(evaluator.reason ?? opening)
            }
        }
        guard !holds else { return .valid }
        // Behind the bound the first fault ends the evaluation, so that no number can be told.
        let isCut = faults.count > faults.faults.count || !faults.isTold
        return .invalid(faults.faults, more: isCut ? "further faults are not told" : nil)
    }
}

/// The faults of one evaluation, up to a bound.
struct FaultList {
    let limit: Int
    private(set) var faults: [SchemaFault] = []
    private(set) var count = 0

    /// A list with the limit 0 only counts.
    init(limit: Int) { self.limit = limit }

    var isTold: Bool { faults.count < limit }

    mutating func add(_ fault: @autoclosure () -> SchemaFault) {
        count += 1
        if isTold { faults.append(fault()) }
    }

    /// Adds the faults of another list behind these.
    mutating func append(_ other: FaultList) {
        count += other.count
        faults += other.faults.prefix(max(0, limit - faults.count))
    }
}

/// Evaluates subschemas on the values of one document.
struct SchemaEvaluator {
    let schemas: JSONSchema
    let document: JSONDocument
    let root: Int
    let side: SchemaSide?
    let budget: WorkBudget?
    /// Why there is no answer; nil as long as there may be one.
    private(set) var reason: String?
    /// Whether what could not be read is taken to hold.
    ///
    /// Both answers are tried, and decide where they agree.
    fileprivate(set) var assumesOpen = true
    /// The first open keyword that was met; nil: none.
    private(set) var opening: String?
    private(set) var openCount = 0
    private var steps = 0
    private var depth = 0
    /// The resources that were entered, outermost first (core §7.1).
    private var scope: [Int] = []

    init(schemas: JSONSchema, document: JSONDocument, root: Int, side: SchemaSide?, budget: WorkBudget?) {
        (self.schemas, self.document, self.root, self.side, self.budget) = (schemas, document, root, side, budget)
    }

    /// Whether the value is one of the schema; `seen` gets the values directly inside it that were evaluated.
    mutating func evaluate(_ number: Int, on index: Int, _ faults: inout FaultList, _ seen: inout Set<Int>) -> Bool {
        let schema = schemas.subschemas[number]
        guard depth < JSONSchema.Bounds.depth else {
            giveUp("schemas apply to one value more than \(JSONSchema.Bounds.depth) deep", at: schema)
            return false
        }
        if schema.permitsNull, case .null = document.values[index].kind { return true }
        depth += 1
        let isNewResource = scope.last != schema.resource
        if isNewResource { scope.append(schema.resource) }
        defer {
            depth -= 1
            if isNewResource { scope.removeLast() }
        }
        var holds = true
        // What keywords around this schema have evaluated is not seen inside it (core §11).
        var own: Set<Int> = []
        for keyword in schema.keywords {
            guard count(document.stepCount(of: index), at: schema) else { return false }
            if !check(keyword, of: schema, on: index, &faults, &own) { holds = false }
            if reason != nil { return false }
            // Without a message to make, the first fault decides.
            if !holds, !faults.isTold { return false }
        }
        if holds, !own.isEmpty { seen.formUnion(own) }
        return holds
    }

    /// Counts steps; false when a bound is reached.
    mutating func count(_ count: Int, at schema: Subschema) -> Bool {
        guard reason == nil else { return false }
        steps += count
        if steps > JSONSchema.Bounds.steps {
            giveUp("it takes more than \(JSONSchema.Bounds.steps) steps, which is the bound", at: schema)
            return false
        }
        guard let budget else { return true }
        do throws(SpentBudget) {
            try budget.spend(count)
            return true
        } catch {
            giveUp("\(error)", at: schema)
            return false
        }
    }

    /// Counts on from where another evaluator is.
    mutating func continueCount(of other: SchemaEvaluator) {
        steps = other.steps
        depth = other.depth
        scope = other.scope
        reason = other.reason
        assumesOpen = other.assumesOpen
        opening = other.opening
        openCount = other.openCount
    }

    /// Whether what is open is taken to hold.
    mutating func meetOpening(_ why: String, of keyword: Keyword, _ schema: Subschema) -> Bool {
        openCount += 1
        if opening == nil {
            let pointer = schema.pointer + (keyword.name.isEmpty ? "" : "/" + keyword.name.pointerToken)
            opening = "\(why) (\(keyword.location) #\(EscapedText.escape(pointer.utf8)))"
        }
        return assumesOpen
    }

    mutating func giveUp(_ why: String, at schema: Subschema) {
        guard reason == nil else { return }
        reason =
            "the schema gives no answer: \(why), at \(schema.location) #\(EscapedText.escape(schema.pointer.utf8))"
    }

    /// The subschema that a dynamic reference names: that of the outermost resource with the anchor (core §8.2.3.2).
    func dynamicTarget(of anchor: String, else number: Int) -> Int {
        guard let targets = schemas.dynamicAnchors[anchor] else { return number }
        return scope.lazy.compactMap { targets[$0] }.first ?? number
    }

    // MARK: Messages

    func fault(
        _ keyword: Keyword, of schema: Subschema, on index: Int, inside name: [UInt8]? = nil, _ sentence: String
    ) -> SchemaFault {
        var pointer = pointer(to: index)
        if let name { pointer += "/" + String(decoding: name, as: UTF8.self).pointerToken }
        return SchemaFault(
            pointer: pointer,
            schemaPointer: schema.pointer + (keyword.name.isEmpty ? "" : "/" + keyword.name.pointerToken),
            location: keyword.location, sentence: sentence)
    }

    func excerpt(_ index: Int) -> String { document.excerpt(index, limit: 60) }

    /// The JSON pointer from the validated value to a value inside it.
    func pointer(to target: Int) -> String {
        var pointer = ""
        var index = root
        while index != target {
            var next: (token: String, index: Int)?
            for (position, child) in document.children(of: index).enumerated()
            where child <= target && target < document.values[child].end {
                let name = document.values[child].name.map { String(decoding: $0, as: UTF8.self).pointerToken }
                next = (name ?? String(position), child)
            }
            guard let next else { return pointer }
            pointer += "/" + next.token
            index = next.index
        }
        return pointer
    }
}
