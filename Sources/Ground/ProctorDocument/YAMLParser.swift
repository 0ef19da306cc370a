import CYAML
import ProctorBase

/// libyaml's event parser over a buffer that outlives the parser; owns the C parser.
@safe package struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let source: SourceFile
    /// The place of the last call: on a long line with non-ASCII characters, counting continues from there.
    private var former = SourceFile.CharacterPlace()

    /// `input` must be the bytes of `source`, and must stay at its address as long as the parser lives.
    package init(source: SourceFile, input: UnsafeBufferPointer<UInt8>) {
        self.source = source
        unsafe parser = .allocate(capacity: 1)
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            preconditionFailure("yaml_parser_initialize: out of memory")
        }
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// The next event; must not be called after an error or the end of the stream.
    package mutating func next() throws(YAMLFailure) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure() }
        defer { unsafe yaml_event_delete(&event) }
        let offset = unsafe self.offset(of: event.start_mark)
        switch unsafe event.type {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return unsafe .scalar(
                String(decoding: bytes, as: UTF8.self), Self.style(scalar.style), anchor: text(scalar.anchor),
                tag: text(scalar.tag), offset: offset)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return unsafe .sequenceStart(anchor: text(start.anchor), tag: text(start.tag), offset: offset)
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return unsafe .mappingStart(anchor: text(start.anchor), tag: text(start.tag), offset: offset)
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_ALIAS_EVENT: return unsafe .alias(text(event.data.alias.anchor) ?? "", offset: offset)
        case YAML_DOCUMENT_START_EVENT: return .documentStart(offset: offset)
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_STREAM_START_EVENT: return .streamStart
        default: return .streamEnd
        }
    }

    private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    private mutating func offset(of mark: yaml_mark_t) -> Int {
        former = source.place(line: Int(clamping: mark.line), character: Int(clamping: mark.column), from: former)
        return former.offset
    }

    private static func style(_ style: yaml_scalar_style_t) -> Node.Style {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
    }

    private mutating func failure() -> YAMLFailure {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
        if unsafe parser.pointee.error == YAML_READER_ERROR {
            // libyaml's reader is ahead of its scanner, and reports a byte offset instead of a mark.
            let offset = unsafe Int(clamping: parser.pointee.problem_offset)
            return YAMLFailure(problem: problem, problemOffset: offset, context: nil, contextOffset: offset)
        }
        let (mark, contextMark) = unsafe (parser.pointee.problem_mark, parser.pointee.context_mark)
        return YAMLFailure(
            problem: problem, problemOffset: offset(of: mark),
            context: unsafe parser.pointee.context.map { unsafe String(cString: $0) },
            contextOffset: offset(of: contextMark))
    }
}

/// An event of libyaml, with places as byte offsets.
package enum YAMLEvent {
    case scalar(String, Node.Style, anchor: String?, tag: String?, offset: Int)
    case sequenceStart(anchor: String?, tag: String?, offset: Int)
    case sequenceEnd
    case mappingStart(anchor: String?, tag: String?, offset: Int)
    case mappingEnd
    case alias(String, offset: Int)
    case documentStart(offset: Int)
    case documentEnd
    case streamStart
    case streamEnd
}

/// An error of libyaml.
package struct YAMLFailure: Error {
    /// Half a sentence, such as `did not find expected key`.
    let problem: String
    let problemOffset: Int
    /// Half a sentence, such as `while parsing a block mapping`.
    let context: String?
    let contextOffset: Int
}

extension YAMLFailure {
    static let quoteHint = "quote values that begin with {{"

    /// The failure as a sentence for the person who wrote the file.
    package func diagnostic(in source: SourceFile) -> Diagnostic {
        if let offset = unquotedTemplate(in: source) {
            return Diagnostic(
                location: source.location(at: offset), sentence: "this is read as a mapping", hint: Self.quoteHint)
        }
        let (sentence, hint) = sentence(in: source)
        return Diagnostic(location: source.location(at: problemOffset), sentence: sentence, hint: hint)
    }

    /// The offset of a value that begins with an unquoted `{{`, on one of the error's lines.
    private func unquotedTemplate(in source: SourceFile) -> Int? {
        let bytes = source.bytes
        let problemLine = source.location(at: problemOffset).line - 1
        // libyaml reports an invalid value no later than at the start of what follows the value.
        for line in [problemLine, problemLine - 1, source.location(at: contextOffset).line - 1] {
            let range = source.range(ofLine: line)
            var index = range.lowerBound
            var before: UInt8?
            while index + 1 < range.upperBound {
                if bytes[index] == 0x7B, bytes[index + 1] == 0x7B, Self.opensValue(before) { return index }
                if bytes[index] != 0x20 { before = bytes[index] }
                index += 1
            }
        }
        return nil
    }

    /// Whether a value can begin after this byte (`:` `-` `,` `[`); nil means the beginning of a line.
    private static func opensValue(_ byte: UInt8?) -> Bool {
        switch byte {
        case nil, 0x3A, 0x2D, 0x2C, 0x5B: true
        default: false
        }
    }

    /// The character at an offset, for messages.
    private func character(at offset: Int, in source: SourceFile) -> String {
        guard offset < source.bytes.count else { return "the end of the file" }
        let text = String(decoding: source.bytes[offset...].prefix(4), as: UTF8.self)
        return quoted(text.unicodeScalars.first.map { String($0) } ?? "")
    }

    private func sentence(in source: SourceFile) -> (String, hint: String?) {
        let start = source.location(at: contextOffset)
        let began = "that begins at \(start.line):\(start.column)"
        let byte = problemOffset < source.bytes.count ? source.bytes[problemOffset] : nil
        let character = character(at: problemOffset, in: source)
        switch problem {
        case "mapping values are not allowed in this context":
            return ("a colon stands where no key can be", "quote the value, or check the indentation")
        case "found character that cannot start any token" where byte == 0x09:
            return ("a tab cannot indent", "use spaces")
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return ("a tab cannot indent", "use spaces")
        case "found character that cannot start any token":
            return ("a value cannot begin with \(character)", "quote it")
        case "did not find expected key":
            return ("expected a key of the mapping \(began)", "check the indentation and the quotes")
        case "did not find expected '-' indicator":
            return ("expected \"- \" of the list \(began)", "check the indentation")
        case "did not find expected ',' or '}'":
            return ("expected \",\" or \"}\" in the mapping \(began)", nil)
        case "did not find expected ',' or ']'":
            return ("expected \",\" or \"]\" in the list \(began)", nil)
        case "could not find expected ':'":
            return ("expected \": \" after the key \(began)", nil)
        case "did not find expected node content":
            return ("expected a value, found \(character)", "check the brackets, or quote the value")
        case "found unexpected end of stream":
            return ("the quoted text \(began) has no end", nil)
        case "found unknown escape character":
            return ("an unknown escape in the quoted text \(began)", "write \\\\ for a backslash")
        case "control characters are not allowed":
            return ("a control character cannot stand in YAML", "write it as an escape in double quotes")
        case "found undefined tag handle": return ("the tag is not supported", "quote values that begin with !")
        case _ where problem.contains(text: "UTF-8") || problem.contains(text: "Unicode"):
            return ("the bytes here are not UTF-8", "save the file as UTF-8")
        default: return (context.map { "\($0): \(problem)" } ?? problem, nil)
        }
    }
}
