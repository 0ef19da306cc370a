internal import ProctorBase
internal import ProctorHTTP
internal import ProctorSchema

/// What a message has of one parameter.
struct GivenValue {
    /// Decoded, in their order; several for a name that comes several times.
    let values: [[UInt8]]
    /// All pairs of the query, or all cookies, since an object may be spread over them.
    let pairs: [(name: [UInt8], value: [UInt8])]
    /// The value of a path parameter as it came, in which a comma separates unless it is percent-encoded.
    let raw: [UInt8]?

    init(values: [[UInt8]], pairs: [(name: [UInt8], value: [UInt8])], raw: [UInt8]?) {
        self.values = values
        self.pairs = pairs
        self.raw = raw
    }

    init(_ name: String, in pairs: [(name: [UInt8], value: [UInt8])]) {
        self.init(values: pairs.filter { $0.name.elementsEqual(name.utf8) }.map(\.value), pairs: pairs, raw: nil)
    }
}

extension MessageJudging {
    /// Judges a parameter of a request, or a header of a reply.
    mutating func judgeParameter(_ parameter: APIDescription.Parameter, _ given: GivenValue) {
        let part =
            "\(parameter.location == .header ? "field" : "\(parameter.location.rawValue) parameter") \(parameter.name)"
        let json: String?
        let schema: JSONSchema.Entry
        switch parameter.value {
        case nil:
            if given.values.isEmpty, parameter.isRequired {
                add(part, parameter.place, "/required", "wanted a value, got none")
            }
            return
        case .json(let entry)?:
            json = given.values.first.map { String(decoding: $0, as: UTF8.self) }
            schema = entry
        case .styled(let entry, let kind)?:
            json = parameter.json(of: given, kind)
            schema = entry
        }
        guard let json else {
            if parameter.isRequired { add(part, parameter.place, "/required", "wanted a value, got none") }
            return
        }
        validate(Array(json.utf8), schema, part: part)
    }
}

extension APIDescription.Parameter {
    /// The value as JSON; nil where the message has none.
    fileprivate func json(of given: GivenValue, _ kind: ValueKind) -> String? {
        switch kind {
        case .scalar: return given.values.first.map { kind.json(of: location == .header ? $0.trimmed : $0) }
        case .list:
            guard !given.values.isEmpty else { return nil }
            // Of repeated names each is an item.
            if explodes, location == .query || location == .cookie { return kind.json(ofItems: given.values) }
            return kind.json(ofItems: items(of: given))
        case .object:
            if style == .deepObject { return kind.deepJSON(name, given.pairs) }
            if explodes, location == .query || location == .cookie { return spread(given.pairs, kind) }
            guard !given.values.isEmpty else { return nil }
            let items = items(of: given)
            if explodes {
                return kind.jsonObject(
                    ofPairs: items.map { item in
                        let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
                        return (Array(item[..<equals]), Array(item[equals...].dropFirst()))
                    })
            }
            let pairs = stride(from: 0, to: items.count, by: 2).map { index in
                (name: items[index], value: index + 1 < items.count ? items[index + 1] : [])
            }
            return kind.jsonObject(ofPairs: pairs)
        }
    }

    /// The items between the separators of the style.
    private func items(of given: GivenValue) -> [[UInt8]] {
        let separator =
            switch style {
            case .spaceDelimited: UInt8(ascii: " ")
            case .pipeDelimited: UInt8(ascii: "|")
            case .simple, .form, .deepObject: UInt8(ascii: ",")
            }
        // Several field lines are one list (RFC 9110 §5.3).
        let values = given.raw.map { [$0] } ?? given.values
        return values.flatMap { value in
            value.split(separator: separator, omittingEmptySubsequences: false).map { item in
                let item = Array(item)
                if location == .header { return item.trimmed }
                return given.raw == nil ? item : PercentText.decode(item) ?? item
            }
        }
    }

    /// The members of an object, each a pair of its own; nil where none of them came.
    private func spread(_ pairs: [(name: [UInt8], value: [UInt8])], _ kind: ValueKind) -> String? {
        guard case .object(let members, _) = kind else { return nil }
        let own = pairs.filter { members[String(decoding: $0.name, as: UTF8.self)] != nil }
        return own.isEmpty ? nil : kind.jsonObject(ofPairs: own)
    }
}

extension ValueKind {
    /// `name[member]=value`; nil where none came.
    fileprivate func deepJSON(_ name: String, _ pairs: [(name: [UInt8], value: [UInt8])]) -> String? {
        let start = Array("\(name)[".utf8)
        let own = pairs.compactMap { pair -> (name: [UInt8], value: [UInt8])? in
            guard pair.name.starts(with: start), pair.name.last == UInt8(ascii: "]") else { return nil }
            return (Array(pair.name[start.count...].dropLast()), pair.value)
        }
        return own.isEmpty ? nil : jsonObject(ofPairs: own)
    }

    /// A form in parts: a part that is JSON as it is, any other as text.
    func jsonObject(ofParts parts: [FormData.Part]) -> String {
        var order: [[UInt8]] = []
        var values: [[UInt8]: [String]] = [:]
        for part in parts {
            if values[part.name] == nil { order.append(part.name) }
            var kind = self.kind(ofMember: String(decoding: part.name, as: UTF8.self))
            if case .list(let item) = kind { kind = item }
            let type = part.contentType.flatMap { MediaType($0) }
            let isJSON = type.map { MediaRange.isJSON($0.essence) } ?? false
            let text =
                isJSON && (try? JSONDocument(parsing: part.content)) != nil
                ? String(decoding: part.content, as: UTF8.self) : kind.json(of: part.content)
            values[part.name, default: []].append(text)
        }
        let members = order.map { name -> String in
            let given = values[name] ?? []
            var isList = given.count > 1
            if case .list = kind(ofMember: String(decoding: name, as: UTF8.self)) { isList = true }
            return "\(Self.quote(name)):\(isList ? "[" + given.joined(separator: ",") + "]" : given.first ?? "null")"
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension [UInt8] {
    fileprivate var trimmed: [UInt8] {
        var slice = self[...]
        while let first = slice.first, first == 0x20 || first == 0x09 { slice.removeFirst() }
        while let last = slice.last, last == 0x20 || last == 0x09 { slice.removeLast() }
        return Array(slice)
    }
}
