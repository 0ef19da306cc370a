import CYAML

/// libyaml's event parser over a buffer that outlives it; owns the C parser.
@safe struct YAMLParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let source: SourceFile

    /// `input` must be the bytes of `source` and stay where it is for the life of the parser.
    init(source: SourceFile, input: UnsafeBufferPointer<UInt8>) {
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

    /// The next event; after an error or the end of the stream it must not be asked again.
    func next() throws(YAMLFailure) -> YAMLEvent {
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

    private func offset(of mark: yaml_mark_t) -> Int {
        source.offset(line: Int(clamping: mark.line), character: Int(clamping: mark.column))
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

    private func failure() -> YAMLFailure {
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
        if unsafe parser.pointee.error == YAML_READER_ERROR {
            // The reader stops ahead of the scanner and knows a byte offset instead of a mark.
            let offset = unsafe Int(clamping: parser.pointee.problem_offset)
            return YAMLFailure(problem: problem, problemOffset: offset, context: nil, contextOffset: offset)
        }
        return unsafe YAMLFailure(
            problem: problem, problemOffset: offset(of: parser.pointee.problem_mark),
            context: parser.pointee.context.map { unsafe String(cString: $0) },
            contextOffset: offset(of: parser.pointee.context_mark))
    }
}
