internal import ProctorBase
internal import ProctorHTTP
internal import ProctorSchema

/// What text of a message may be as JSON, by the kind that its schema permits.
indirect enum TextValue {
    /// A JSON text.
    case json([UInt8])
    case list([TextValue])
    /// The members in the order of the message.
    case object([(name: [UInt8], value: TextValue)])
    /// Several readings of the same text, the likeliest first.
    case either([TextValue])

    /// Text by itself.
    init(_ text: [UInt8], _ kind: ValueKind) {
        self = Self.one(
            of: kind.readings(of: text).map { reading in
                switch reading {
                case .json(let bytes): .json(bytes)
                case .text(let bytes): .json(Self.quote(bytes))
                }
            })
    }

    /// The readings as one value.
    static func one(of readings: [TextValue]) -> TextValue {
        readings.count == 1 ? readings[0] : .either(readings)
    }

    /// Texts that are the elements of a list.
    static func items(_ texts: [[UInt8]], _ kind: ValueKind) -> TextValue {
        .list(texts.enumerated().map { TextValue($0.element, kind.kind(ofItem: $0.offset)) })
    }

    /// What came several times under one name: a list, where more than one came or one may be a list.
    static func repeated(_ texts: [[UInt8]], _ kind: ValueKind) -> TextValue {
        guard texts.count == 1 else { return items(texts, kind) }
        var readings: [TextValue] = []
        if kind.permitsScalar { readings.append(TextValue(texts[0], kind)) }
        if kind.permitsList { readings.append(items(texts, kind)) }
        // A value with a structure is JSON where the style is none for it.
        if kind.permitsList || kind.permitsObject, let json = structured(texts[0]) { readings.append(json) }
        return readings.isEmpty ? TextValue(texts[0], kind) : one(of: readings)
    }

    /// Pairs as the members of an object.
    static func members(_ pairs: [(name: [UInt8], value: [UInt8])], _ kind: ValueKind) -> TextValue {
        .object(grouped(pairs).map { ($0.name, repeated($0.values, kind.kind(ofMember: $0.name))) })
    }

    /// The values by name, in the order of the names.
    static func grouped<Value>(
        _ pairs: [(name: [UInt8], value: Value)]
    ) -> [(name: [UInt8], values: [Value])] {
        var order: [[UInt8]] = []
        var values: [[UInt8]: [Value]] = [:]
        for pair in pairs {
            if values[pair.name] == nil { order.append(pair.name) }
            values[pair.name, default: []].append(pair.value)
        }
        return order.map { ($0, values[$0] ?? []) }
    }

    /// A list or an object of JSON; nil for other text.
    static func structured(_ text: [UInt8]) -> TextValue? {
        guard let document = try? JSONDocument(parsing: text) else { return nil }
        switch document.values[0].kind {
        case .list, .object: return .json(text)
        default: return nil
        }
    }

    /// A string of JSON; bytes that are no UTF-8 become U+FFFD.
    static func quote(_ text: [UInt8]) -> [UInt8] {
        var json = JSONText()
        json.string(String(decoding: text, as: UTF8.self))
        return json.bytes
    }

    // MARK: Readings

    /// One reading for each place where there are several.
    struct Choice {
        private var picks: [Int] = []
        private var widths: [Int] = []
        private var place = 0

        fileprivate mutating func pick(among count: Int) -> Int {
            defer { place += 1 }
            if place == picks.count {
                picks.append(0)
                widths.append(count)
            }
            return picks[place]
        }

        /// Goes on to the next one; false behind the last.
        mutating func advance() -> Bool {
            place = 0
            while let last = picks.popLast() {
                let width = widths.removeLast()
                guard last + 1 < width else { continue }
                picks.append(last + 1)
                widths.append(width)
                return true
            }
            return false
        }
    }

    /// The JSON text of one reading.
    func json(_ choice: inout Choice) -> [UInt8] {
        var bytes: [UInt8] = []
        write(into: &bytes, &choice)
        return bytes
    }

    private func write(into bytes: inout [UInt8], _ choice: inout Choice) {
        switch self {
        case .json(let text): bytes += text
        case .either(let readings): readings[choice.pick(among: readings.count)].write(into: &bytes, &choice)
        case .list(let items):
            bytes.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                item.write(into: &bytes, &choice)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += Self.quote(member.name) + [UInt8(ascii: ":")]
                member.value.write(into: &bytes, &choice)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension TextValue {
    /// A form in parts: a part that is JSON as it is, any other as text.
    static func members(_ parts: [FormData.Part], _ kind: ValueKind) -> TextValue {
        .object(
            grouped(parts.map { ($0.name, $0) }).map { name, parts in
                let kind = kind.kind(ofMember: name)
                guard parts.count == 1 else {
                    return (name, .list(parts.enumerated().map { value($0.element, kind.kind(ofItem: $0.offset)) }))
                }
                guard isJSON(parts[0]) else { return (name, repeated([parts[0].content], kind)) }
                let one = value(parts[0], kind)
                return (name, kind.permitsList ? .either([.list([one]), one]) : one)
            })
    }

    private static func isJSON(_ part: FormData.Part) -> Bool {
        part.contentType.flatMap { MediaType($0) }.map { MediaRange.isJSON($0.essence) } ?? false
            && (try? JSONDocument(parsing: part.content)) != nil
    }

    private static func value(_ part: FormData.Part, _ kind: ValueKind) -> TextValue {
        isJSON(part) ? .json(part.content) : TextValue(part.content, kind)
    }
}
