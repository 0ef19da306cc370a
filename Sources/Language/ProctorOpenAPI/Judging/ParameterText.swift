internal import ProctorBase
internal import ProctorHTTP
internal import ProctorSchema

/// What a message has of one parameter.
struct GivenValue {
    /// As they came, in their order; several for a name that comes several times.
    let values: [[UInt8]]
    /// How an item is decoded, behind the separators.
    let decode: ([UInt8]) -> [UInt8]
    /// Pairs of the query, or cookies, decoded, since an object may be spread over them; without those of other parameters.
    let pairs: [(name: [UInt8], value: [UInt8])]

    init(
        values: [[UInt8]], pairs: [(name: [UInt8], value: [UInt8])] = [],
        decode: @escaping ([UInt8]) -> [UInt8] = { $0 }
    ) {
        (self.values, self.pairs, self.decode) = (values, pairs, decode)
    }
}

extension MessageJudging {
    /// Judges a parameter of a request, or a header of a reply.
    mutating func judgeParameter(_ parameter: APIDescription.Parameter, _ given: GivenValue) {
        let part = parameter.part
        let text: TextValue?
        let schema: JSONSchema.Entry
        switch parameter.value {
        case nil:
            if given.values.isEmpty, parameter.isRequired {
                add(part, parameter.place, "/required", "wanted a value, got none")
            }
            return
        case .json(let entry)?:
            text = given.values.first.map { .json(given.decode($0)) }
            schema = entry
        case .styled(let entry, let kind)?:
            switch parameter.value(of: given, kind) {
            case .some(let value): text = value
            case .none: return verdict.leaveOpen("\(part): the style deepObject says nothing of members of members")
            }
            schema = entry
        }
        guard let text else {
            if parameter.isRequired { add(part, parameter.place, "/required", "wanted a value, got none") }
            return
        }
        validate(text, schema, part: part)
    }
}

extension APIDescription.Parameter {
    /// For messages: `query parameter page`.
    var part: String { "\(location == .header ? "field" : "\(location.rawValue) parameter") \(name)" }

    private var isOfPairs: Bool { location == .query || location == .cookie }

    /// What the message has; `.some(nil)` where it has nothing, nil where the style does not say what it means.
    fileprivate func value(of given: GivenValue, _ kind: ValueKind) -> TextValue?? {
        if style == .deepObject, kind.permitsObject { return deepValue(given.pairs, kind) }
        var readings: [TextValue] = []
        if kind.permitsObject, explodes, isOfPairs {
            if let spread = spread(given.pairs, kind, isWhole: !kind.permitsScalar && !kind.permitsList) {
                readings.append(spread)
            }
        } else if kind.permitsObject, !given.values.isEmpty {
            readings += items(of: given).map { .members(pairs(of: $0), kind) }
        }
        guard !given.values.isEmpty else { return .some(readings.first) }
        if kind.permitsList {
            // Of repeated names each is an item.
            let lists = explodes && isOfPairs ? [given.values.map(given.decode)] : items(of: given)
            readings += lists.map { .items($0, kind) }
        }
        if kind.permitsScalar || readings.isEmpty {
            readings += scalars(of: given).map { TextValue($0, kind) }
        }
        return .some(.one(of: readings))
    }

    /// The text as one value.
    private func scalars(of given: GivenValue) -> [[UInt8]] {
        let value = given.values[0]
        switch style {
        case .matrix:
            let start = Array(";\(name)=".utf8)
            if value.starts(with: start) { return [given.decode(Array(value.dropFirst(start.count)))] }
            return [value.elementsEqual(";\(name)".utf8) ? [] : given.decode(value)]
        case .label: return [given.decode(value.first == UInt8(ascii: ".") ? Array(value.dropFirst()) : value)]
        default: return [location == .header ? value.trimmed : given.decode(value)]
        }
    }

    /// The items between the separators of the style, by each way to read them.
    private func items(of given: GivenValue) -> [[[UInt8]]] {
        switch style {
        case .matrix:
            // `;a=1;a=2`, `;x=1;y=2` with explode, `;a=1,2` without.
            let pieces = given.values[0].split(separator: UInt8(ascii: ";")).map { Array($0) }
            let start = Array("\(name)=".utf8)
            if explodes {
                let own = pieces.allSatisfy { $0.starts(with: start) }
                return [pieces.map { given.decode(own ? Array($0.dropFirst(start.count)) : $0) }]
            }
            guard let first = pieces.first, first.starts(with: start) else { return [pieces.map(given.decode)] }
            return [split(Array(first.dropFirst(start.count)), at: ",", given)]
        case .label:
            let text = given.values[0].first == UInt8(ascii: ".") ? Array(given.values[0].dropFirst()) : given.values[0]
            // Without explode 3.0 and 3.1.0 write a dot, later versions and RFC 6570 §3.2.5 a comma.
            let separators: [Unicode.Scalar] = explodes ? ["."] : [",", "."]
            return separators.map { split(text, at: $0, given) }.withoutRepeats
        case .spaceDelimited: return delimited(given, by: " ")
        case .pipeDelimited: return delimited(given, by: "|")
        case .simple, .form, .deepObject: return delimited(given, by: ",")
        }
    }

    /// Several field lines are one list (RFC 9110 §5.3).
    private func delimited(_ given: GivenValue, by separator: Unicode.Scalar) -> [[[UInt8]]] {
        if location == .header { return [given.values.flatMap { split($0, at: separator, given).map(\.trimmed) }] }
        // The separator stands as it is; many clients encode it, which a path must not.
        let apart = given.values.flatMap { split($0, at: separator, given) }
        guard location != .path else { return [apart] }
        let decoded = given.values.flatMap { value in
            given.decode(value).split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
                .map { Array($0) }
        }
        // A comma may stand in a query as it is; a blank and a bar may not.
        return (style == .form ? [apart, decoded] : [decoded, apart]).withoutRepeats
    }

    private func split(_ text: [UInt8], at separator: Unicode.Scalar, _ given: GivenValue) -> [[UInt8]] {
        text.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false).map { given.decode(Array($0)) }
    }

    /// The members of an object in its items: `a=1` with explode, else a name and a value by turns.
    private func pairs(of items: [[UInt8]]) -> [(name: [UInt8], value: [UInt8])] {
        guard !explodes else {
            return items.map { item in
                let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
                return (Array(item[..<equals]), Array(item[equals...].dropFirst()))
            }
        }
        return stride(from: 0, to: items.count, by: 2).map { index in
            (name: items[index], value: index + 1 < items.count ? items[index + 1] : [])
        }
    }

    /// The members of an object, each a pair of its own; nil where none of them came, and the object need not be there.
    private func spread(
        _ pairs: [(name: [UInt8], value: [UInt8])], _ kind: ValueKind, isWhole: Bool
    ) -> TextValue? {
        let names = kind.memberNames
        let own = pairs.filter { kind.describesOthers || names.contains($0.name) }
        // An empty object has no text.
        guard !own.isEmpty else { return isRequired && isWhole ? .object([]) : nil }
        return .members(own, kind)
    }

    /// `name[member]=value`.
    private func deepValue(_ pairs: [(name: [UInt8], value: [UInt8])], _ kind: ValueKind) -> TextValue?? {
        let start = Array("\(name)[".utf8)
        let own = pairs.filter { $0.name.starts(with: start) }.map { ($0.name.dropFirst(start.count), $0.value) }
        guard !own.isEmpty else { return .some(nil) }
        var members: [(name: [UInt8], value: [UInt8])] = []
        for (rest, value) in own {
            guard rest.firstIndex(of: UInt8(ascii: "]")) == rest.endIndex - 1 else { return nil }
            members.append((Array(rest.dropLast()), value))
        }
        return .some(.members(members, kind))
    }
}

extension [[[UInt8]]] {
    fileprivate var withoutRepeats: Self { count == 2 && self[0] == self[1] ? [self[0]] : self }
}

extension [UInt8] {
    fileprivate var trimmed: [UInt8] {
        var slice = self[...]
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return Array(slice)
    }
}
