import ProctorBase
import ProctorHTTP
import ProctorHTTPClient

extension ReaderRunner {
    /// Values of fields.
    static let fields: [String: DataReader] = [
        "entity-tag": .whole { input, block in
            do throws(FieldViolation) {
                let tag = try EntityTag(input)
                if tag.bytes != input || EntityTag(opaque: tag.opaque, isWeak: tag.isWeak) != tag {
                    return ["not written so"]
                }
                return ["\(tag.isWeak ? "weak" : "strong") \(ByteText.optional(tag.opaque))"]
            } catch { return ["refused \(GrammarText.place(error, block))"] }
        },
        // Two tags with ` | ` between them.
        "tag-comparison": .whole { input, block in
            let tags = try Parts.exactly(2, input, by: " | ", block).map { try EntityTag($0) }
            let strongly = tags[0].stronglyMatches(tags[1])
            let weakly = tags[0].weaklyMatches(tags[1])
            guard strongly == tags[1].stronglyMatches(tags[0]), weakly == tags[1].weaklyMatches(tags[0]) else {
                return ["the order counts"]
            }
            return [strongly ? "strongly alike" : weakly ? "weakly alike" : "different"]
        },
        // The values of several fields with ` | ` between them.
        "entity-tags": .whole { input, block in
            let list = EntityTagList(Parts.of(input))
            return (list.isAny ? ["any"] : []) + list.tags.map { ByteText.inLine($0.bytes) }
                + (list.stronglyMatches(nil) ? ["no tag matches strongly"] : [])
                + (list.weaklyMatches(nil) ? ["no tag matches weakly"] : [])
                + list.violations.map { GrammarText.place($0, block) }
        },
        // `METHOD | fields` by `tag TAG`, `modified N`, or `no-state`.
        "preconditions": .whole { input, block in
            let parts = Parts.of(input)
            let outcome = Preconditions.evaluate(
                method: Parts.text(parts.first ?? []), fields: parts.dropFirst().map(Parts.field),
                validators: block.has("no-state") ? nil : try FieldLines.validators(block), now: 1_000)
            return ["\(outcome)"]
        },
        "validators": .whole { input, _ in
            let found = Validators(of: Parts.fields(input), now: 0)
            return [
                "tag \(ByteText.optional(found.entityTag?.bytes))",
                "modified \(found.lastModified.map(String.init) ?? "-")", "date \(found.date.map(String.init) ?? "-")",
            ]
        },
        // Names of fields that a 304 has of those of a 200.
        "not-modified": .whole { input, _ in NotModified.fields(from: Parts.fields(input)).map(\.name) },
        // A set of ranges `of N` bytes.
        "ranges": .whole { input, block in
            do throws(FieldViolation) {
                let set = try ByteRangeSet(input)
                if try ByteRangeSet(set.bytes) != set { return ["not written so"] }
                let length = block.number(ofWord: "of") ?? 10_000
                let found = set.satisfiable(in: length)
                return (found.isEmpty ? ["nothing"] : found.map(FieldLines.range))
                    + (set.isExcessive(in: length) ? ["excessive"] : [])
            } catch { return ["refused \(GrammarText.place(error, block))"] }
        },
        // `METHOD | fields` of content `of N` bytes, by `tag TAG`, `modified N`, `date N`.
        "range-selection": .whole { input, block in
            let parts = Parts.of(input)
            let selection = RangeSelection(
                method: Parts.text(parts.first ?? []), fields: parts.dropFirst().map(Parts.field),
                validators: try FieldLines.validators(block), length: block.number(ofWord: "of") ?? 100, now: 1_000)
            return switch selection {
            case .whole(nil): ["whole"]
            case .whole(let violation?): ["whole", GrammarText.place(violation, block)]
            case .unsatisfiable: ["unsatisfiable"]
            case .parts(let ranges): ranges.map(FieldLines.range)
            }
        },
        "content-range": .whole { input, _ in
            guard let range = ContentRange(input) else { return ["-"] }
            guard ContentRange(range.bytes) == range, ContentRange(range.range, of: range.length) == range else {
                return ["not written so"]
            }
            return [
                "\(range.first) to \(range.last) of \(range.length.map(String.init) ?? "*"), \(range.byteCount) bytes"
            ]
        },
        "unsatisfied-range": .whole { input, _ in
            guard let range = UnsatisfiedRange(input) else { return ["-"] }
            return [UnsatisfiedRange(range.bytes) == range ? "\(range.length)" : "not written so"]
        },
        // What the client likes best `among br,gzip`, and of each coding the weight.
        "accept-encoding": .whole { input, block in
            let accepted = AcceptEncoding(Parts.fields(input))
            let names = (block.value(of: "among") ?? "").split(separator: ",").map(String.init)
            let choice =
                switch accepted.choose(among: names) {
                case .coding(let name): name
                case .identity: "identity"
                case .nothing: "nothing"
                }
            return [choice] + accepted.codings.map { "\($0.name) \($0.weight)" }
                + accepted.violations.map { GrammarText.place($0, block) }
        },
        "weight": .whole { input, block in
            let weight = AcceptEncoding(Parts.fields(input)).weight(of: block.value(of: "of") ?? "")
            return [weight.map(String.init) ?? "-"]
        },
        "media-type": .whole { input, _ in
            guard let type = MediaType(input) else { return ["-"] }
            var lines = [type.essence]
            if let charset = type.charset { lines.append("charset \(ByteText.optional(charset))") }
            if let boundary = type.boundary { lines.append("boundary \(ByteText.optional(boundary))") }
            if type.isMixedReplace { lines.append("mixed-replace") }
            if MultipartReader(type) != nil { lines.append("has parts") }
            return lines
        },
        "disposition": .whole { input, _ in
            guard let disposition = ContentDisposition(input) else { return ["-"] }
            return [disposition.type, "name \(ByteText.optional(disposition.filename))"]
        },
        // `URL | Content-Disposition: … | Content-Type: …`.
        "file-name": .whole { input, block in
            let parts = Parts.of(input)
            let fields = parts.dropFirst().map(Parts.field)
            return [
                FileName.suggested(
                    url: try ClientURL(parts.first ?? []),
                    contentDisposition: fields.first(named: "Content-Disposition")?.bytes,
                    mimeType: fields.value(of: "Content-Type"))
            ]
        },
        "safe-name": .whole { input, _ in [ByteText.optional(FileName.safe(Parts.text(input)))] },
        "elements": .whole { input, _ in HTTPField(name: "X", bytes: input).elements.map { ByteText.inLine($0) } },
    ]
}

enum FieldLines {
    static func validators(_ block: Block) throws -> Validators {
        Validators(
            entityTag: try block.value(of: "tag").map { try EntityTag(Array($0.utf8)) },
            lastModified: block.number(ofWord: "modified"), date: block.number(ofWord: "date"))
    }

    /// First and last byte.
    static func range(_ range: Range<Int>) -> String { "\(range.lowerBound)-\(range.upperBound - 1)" }
}
