import ProctorHTTP
import ProctorHTTP3

/// What a decoder makes of steps between `; `: `encoder 3f bd 01` or `encoder insert a=b` (bytes of the encoder stream),
/// `section 4 00 00 51 …`, `cancel 8`, `decoder` (what the decoder sends).
///
/// Words: `capacity N`, `blocked N`, `list N`, `fields N`, `lines` (how fields are written). Bytes of the encoder stream are
/// given whole and one by one.
struct QPACKLines {
    private var decoder: QPACKDecoder
    private let limits: FieldSectionLimits
    private let showsLines: Bool
    private var waiting: [(stream: UInt64, bytes: [UInt8])] = []
    private var lines: [String] = []

    static func read(_ input: [UInt8], _ block: Block) throws -> [String] {
        let whole = try read(input, block, isSlow: false)
        let slow = try read(input, block, isSlow: true)
        return whole == slow ? whole : ["byte by byte other lines: \(slow), whole \(whole)"]
    }

    private static func read(_ input: [UInt8], _ block: Block, isSlow: Bool) throws -> [String] {
        var limits = FieldSectionLimits()
        limits.listByteCount = try block.number(of: "list") ?? limits.listByteCount
        limits.fieldCount = try block.number(of: "fields") ?? limits.fieldCount
        var reading = QPACKLines(
            decoder: QPACKDecoder(
                maximumCapacity: try block.number(of: "capacity") ?? 0,
                maximumBlocked: try block.number(of: "blocked") ?? 0),
            limits: limits, showsLines: block.has("lines"))
        for step in input.steps { try reading.play(String(decoding: step, as: UTF8.self), isSlow) }
        return reading.lines
    }

    private init(decoder: QPACKDecoder, limits: FieldSectionLimits, showsLines: Bool) {
        self.decoder = decoder
        self.limits = limits
        self.showsLines = showsLines
    }

    private mutating func play(_ step: String, _ isSlow: Bool) throws {
        let words = step.split(separator: " ", maxSplits: 2).map(String.init)
        switch words[0] {
        case "encoder":
            let text = step.dropFirst(8)
            let bytes =
                text.allSatisfy { $0.isHexDigit || $0 == " " }
                ? try ByteText.hexadecimal(text) : try HTTP3FrameText.bytes(text.utf8)
            for piece in isSlow ? bytes.map({ [$0] }) : [bytes] { receive(piece) }
        case "section":
            guard words.count > 2, let stream = UInt64(words[1]) else { throw TextError("expected section STREAM HEX") }
            decode(try ByteText.hexadecimal(words[2][...]), on: stream)
        case "cancel": decoder.cancel(UInt64(words[1]) ?? 0)
        case "decoder": lines.append("sends \(decoder.takeInstructions().hexadecimal)")
        default: throw TextError("unknown step \"\(step)\" of a decoder")
        }
    }

    private mutating func receive(_ bytes: [UInt8]) {
        decoder.receiveInstructions(bytes.span)
        do {
            while try decoder.applyInstruction() {
                let before = waiting
                waiting = []
                for item in before { decode(item.bytes, on: item.stream, isAgain: true) }
            }
        } catch {
            if lines.last != error.reason.rawValue { lines.append(error.reason.rawValue) }
        }
    }

    private mutating func decode(_ bytes: [UInt8], on stream: UInt64, isAgain: Bool = false) {
        do {
            switch try decoder.decode(bytes, on: stream, limits) {
            case .blocked(let count):
                if !isAgain { lines.append("\(stream) waits for \(count)") }
                waiting.append((stream, bytes))
            case .section(let section):
                var line = "\(stream) " + HTTP2Lines.fields(section.fields)
                if section.isCut { line += " of \(section.fieldCount) fields, \(section.listByteCount) bytes" }
                if section.usedInsertCount < section.insertCount { line += " count \(section.insertCount)" }
                if showsLines { line += " as " + section.lines.map(Self.line).joined(separator: ", ") }
                lines.append(line)
            }
        } catch {
            lines.append("\(error.reason.rawValue) at \(error.offset)")
        }
    }

    private static func line(_ line: FieldRepresentation) -> String {
        func reference(_ reference: FieldRepresentation.Reference) -> String {
            switch reference {
            case .ofStatic(let index): "static \(index)"
            case .relative(let index): "relative \(index)"
            case .postBase(let index): "post-base \(index)"
            }
        }
        switch line {
        case .indexed(let found): return reference(found)
        case .named(let found, _, let isNever): return "name " + reference(found) + (isNever ? " never" : "")
        case .literal(_, _, let isNever): return "literal" + (isNever ? " never" : "")
        }
    }
}

/// What an encoder makes of steps between `; `: `settings QPACK_MAX_TABLE_CAPACITY=220` of its peer, `4 [a=b|!secret=c]` (a
/// section), `decoder ack 4` (bytes of the decoder stream); a decoder must read each section as it was.
struct QPACKEncoderLines {
    private var encoder = QPACKEncoder()
    private var decoder = QPACKDecoder()
    private var lines: [String] = []

    static func read(_ input: [UInt8]) throws -> [String] {
        var reading = QPACKEncoderLines()
        for step in input.steps { try reading.play(step) }
        return reading.lines
    }

    private mutating func play(_ step: [UInt8]) throws {
        let words = FrameText.words(step)
        switch String(decoding: words[0], as: UTF8.self) {
        case "settings":
            let bytes = try HTTP3FrameText.bytes([Array("SETTINGS".utf8)] + words.dropFirst())
            var reader = HTTP3FrameReader()
            var position = 0
            guard case .frame(let frame)? = reader.next(bytes.span, at: &position),
                case .settings(let settings)? = HTTP3FrameContent(frame)
            else { throw TextError("no SETTINGS") }
            let capacity = HTTP3Settings(settings).maxTableCapacity
            decoder = QPACKDecoder(maximumCapacity: Int(capacity))
            try send(encoder.follow(HTTP3Settings(settings)))
        case "decoder":
            let given = try HTTP3FrameText.bytes(words[1...])
            do throws(QPACKError) {
                try encoder.receiveInstructions(given.span)
            } catch {
                lines.append(error.reason.rawValue)
            }
        case let number:
            guard let stream = UInt64(number), words.count > 1 else { throw TextError("expected STREAM [FIELDS]") }
            let fields = EncoderLines.fields(words[1])
            let encoded = encoder.encode(fields, on: stream)
            lines.append("\(stream) \(encoded.section.hexadecimal)")
            try send(encoded.instructions)
            guard case .section(let section) = try decoder.decode(encoded.section, on: stream) else {
                throw TextError("the section waits")
            }
            if section.fields != fields { lines.append("a decoder reads something else") }
        }
    }

    private mutating func send(_ instructions: [UInt8]) throws {
        guard !instructions.isEmpty else { return }
        lines.append("encoder \(instructions.hexadecimal)")
        decoder.receiveInstructions(instructions.span)
        while try decoder.applyInstruction() {}
    }
}
