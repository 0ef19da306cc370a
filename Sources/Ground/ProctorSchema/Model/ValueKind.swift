internal import ProctorBase

/// Which types of JSON a schema permits, so that a text that is not JSON can be read as a value of one of them.
///
/// It follows from the whole schema: of what must hold together the types that all permit, of alternatives those of any.
/// A schema without an opinion says nothing, and so does one that permits nothing.
package struct ValueKind: Sendable {
    /// The types that the schema permits; nil: it names none.
    fileprivate(set) var stated: Set<InstanceType>?
    /// The types whose keywords the schema has, such as `items`, where it names none.
    fileprivate(set) var implied: Set<InstanceType> = []
    fileprivate var members: [[UInt8]: ValueKind] = [:]
    fileprivate var patterns: [(pattern: SchemaPattern, kind: ValueKind)] = []
    fileprivate var others: [ValueKind] = []
    fileprivate var firstItems: [ValueKind] = []
    fileprivate var laterItems: [ValueKind] = []

    /// A kind about which nothing is known.
    package static let open = ValueKind()

    fileprivate init() {}

    private var types: Set<InstanceType> { stated ?? implied }

    package var permitsList: Bool { types.contains(.array) }
    package var permitsObject: Bool { types.contains(.object) }
    /// Whether a text by itself may be a value: it is a string where nothing else is said.
    package var permitsScalar: Bool { types.isEmpty || !types.isSubset(of: [.array, .object, .null]) }

    /// The values that a text may be, the likeliest first; a string where it is nothing else.
    package func readings(of text: [UInt8]) -> [Reading] {
        let types = self.types
        var readings: [Reading] = []
        let isNumber = JSONDecimal(text) != nil && !types.isDisjoint(with: [.number, .integer])
        let isBoolean =
            types.contains(.boolean) && (text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8))
        if isNumber || isBoolean { readings.append(.json(text)) }
        let isNull = types.contains(.null) && (text.isEmpty || text.elementsEqual("null".utf8))
        if types.contains(.string) || (readings.isEmpty && !isNull) { readings.append(.text(text)) }
        if isNull { readings.append(.json(Array("null".utf8))) }
        return readings
    }

    package enum Reading: Sendable, Equatable {
        /// The text is JSON as it stands.
        case json([UInt8])
        case text([UInt8])
    }

    /// The names that the schema says something about.
    package var memberNames: Set<[UInt8]> { Set(members.keys) }

    /// Whether it says something about members that it does not name.
    package var describesOthers: Bool { !others.isEmpty || !patterns.isEmpty }

    package func kind(ofMember name: [UInt8]) -> ValueKind {
        let named = patterns.filter { $0.pattern.matches(name) }.map(\.kind)
        let own = members[name]
        if own == nil, named.isEmpty { return Self.together(others) }
        return Self.together(named + [own].compactMap(\.self))
    }

    package func kind(ofItem index: Int) -> ValueKind {
        index < firstItems.count ? firstItems[index] : Self.together(laterItems)
    }

    // MARK: Joining

    private enum Join { case all, any }

    fileprivate static func together(_ kinds: [ValueKind]) -> ValueKind { join(kinds, by: .all) }

    fileprivate static func either(_ kinds: [ValueKind]) -> ValueKind { join(kinds, by: .any) }

    private static func join(_ kinds: [ValueKind], by join: Join) -> ValueKind {
        guard var result = kinds.first else { return .open }
        for kind in kinds.dropFirst() { result = Self.join(result, kind, by: join) }
        return result
    }

    private static func join(_ left: ValueKind, _ right: ValueKind, by join: Join) -> ValueKind {
        var result = ValueKind()
        switch (left.stated, right.stated) {
        case (let left?, let right?): result.stated = join == .all ? left.intersection(right) : left.union(right)
        // An alternative that names no type permits values that another one implies.
        case (let types?, nil): result.stated = join == .all ? types : types.union(right.implied)
        case (nil, let types?): result.stated = join == .all ? types : types.union(left.implied)
        case (nil, nil): result.stated = nil
        }
        result.implied = left.implied.union(right.implied)
        for name in Set(left.members.keys).union(right.members.keys) {
            result.members[name] = Self.join([left.kind(ofMember: name), right.kind(ofMember: name)], by: join)
        }
        result.patterns = left.patterns + right.patterns
        result.others = left.others + right.others
        let count = max(left.firstItems.count, right.firstItems.count)
        result.firstItems = (0..<count).map { Self.join([left.kind(ofItem: $0), right.kind(ofItem: $0)], by: join) }
        result.laterItems = left.laterItems + right.laterItems
        if join == .any {
            result.others = result.others.isEmpty ? [] : [Self.join(result.others, by: .any)]
            result.laterItems = result.laterItems.isEmpty ? [] : [Self.join(result.laterItems, by: .any)]
        }
        return result
    }
}

/// Finds the kinds of a schema, of its members and of their elements; deeper no text leads.
private struct ValueKindFinder {
    let schemas: JSONSchema
    /// How many subschemas may still be looked at; what is behind them has no opinion.
    private var rest = 20_000
    private static let depthBound = 3
    /// The most schemas that apply to one value inside one another.
    private static let nestingBound = 60

    init(schemas: JSONSchema) { self.schemas = schemas }

    mutating func kind(of number: Int, depth: Int = 0, nesting: Int = 0) -> ValueKind {
        guard depth < Self.depthBound, nesting < Self.nestingBound, rest > 0 else { return .open }
        rest -= 1
        let subschema = schemas.subschemas[number]
        var kinds: [ValueKind] = []
        for keyword in subschema.keywords {
            if let kind = kind(of: keyword.rule, depth: depth, nesting: nesting) { kinds.append(kind) }
        }
        var kind = ValueKind.together(kinds)
        if subschema.permitsNull { kind.stated?.insert(.null) }
        return kind
    }

    private mutating func kind(of rule: Keyword.Rule, depth: Int, nesting: Int) -> ValueKind? {
        var kind = ValueKind()
        switch rule {
        case .type(let types):
            kind.stated = Set(types)
            if types.contains(.number) { kind.stated?.insert(.integer) }
        case .oneOfValues(let values, _): kind.stated = Set(values.flatMap(\.types))
        case .allOf(let numbers): return .together(here(numbers, depth, nesting))
        case .anyOf(let numbers), .oneOf(let numbers): return .either(here(numbers, depth, nesting))
        case .reference(let number), .dynamicReference(let number, _):
            return self.kind(of: number, depth: depth, nesting: nesting + 1)
        case .not(let number):
            // Only what names types and asks nothing else leaves the others.
            let inner = schemas.subschemas[number].keywords
            guard inner.count == 1, case .type(let types)? = inner.first?.rule else { return nil }
            kind.stated = Set(InstanceType.allCases).subtracting(types)
            if types.contains(.number) { kind.stated?.remove(.integer) }
        case .condition(let test, let then, let otherwise):
            let first = ValueKind.together(here([test] + [then].compactMap(\.self), depth, nesting))
            return .either([first] + here([otherwise].compactMap(\.self), depth, nesting)).asHint
        case .dependentSchemas(let rules): return ValueKind.either(here(rules.map(\.schema), depth, nesting)).asHint
        case .properties(let schemas):
            kind.implied = [.object]
            kind.members = schemas.mapValues { self.kind(of: $0, depth: depth + 1) }
        case .patternProperties(let rules):
            kind.implied = [.object]
            kind.patterns = rules.map { ($0.pattern, self.kind(of: $0.schema, depth: depth + 1)) }
        case .additionalProperties(let number, let names, let patterns):
            guard !isClosed(number) else { return nil }
            kind.implied = [.object]
            // It says nothing of what stands beside it.
            for name in names { kind.members[name] = .open }
            kind.patterns = patterns.map { ($0, .open) }
            kind.others = [self.kind(of: number, depth: depth + 1)]
        case .unevaluatedProperties(let number):
            guard !isClosed(number) else { return nil }
            kind.implied = [.object]
            kind.others = [self.kind(of: number, depth: depth + 1).asHint]
        case .prefixItems(let numbers):
            kind.implied = [.array]
            kind.firstItems = numbers.map { self.kind(of: $0, depth: depth + 1) }
        case .items(let number, let behind):
            guard !isClosed(number) else { return nil }
            kind.implied = [.array]
            kind.firstItems = Array(repeating: .open, count: behind)
            kind.laterItems = [self.kind(of: number, depth: depth + 1)]
        case .unevaluatedItems(let number), .contains(let number, _, _):
            guard !isClosed(number) else { return nil }
            kind.implied = [.array]
            kind.laterItems = [self.kind(of: number, depth: depth + 1).asHint]
        default: return nil
        }
        return kind
    }

    private mutating func here(_ numbers: [Int], _ depth: Int, _ nesting: Int) -> [ValueKind] {
        var kinds: [ValueKind] = []
        for number in numbers { kinds.append(kind(of: number, depth: depth, nesting: nesting + 1)) }
        return kinds
    }

    /// Whether it is the schema `false`.
    private func isClosed(_ number: Int) -> Bool {
        if case .nothing? = schemas.subschemas[number].keywords.first?.rule { true } else { false }
    }
}

extension ValueKind {
    /// The kind of what holds for some values only: its types are those that a text may have, not all that it may have.
    fileprivate var asHint: ValueKind {
        var hint = self
        hint.implied.formUnion(stated ?? [])
        hint.stated = nil
        return hint
    }
}

extension SchemaPattern {
    fileprivate func matches(_ name: [UInt8]) -> Bool {
        if case .matches = verdict(on: name, within: nil) { true } else { false }
    }
}

extension JSONSchema.Entry {
    package var kind: ValueKind {
        var finder = ValueKindFinder(schemas: schemas)
        return finder.kind(of: number)
    }
}
