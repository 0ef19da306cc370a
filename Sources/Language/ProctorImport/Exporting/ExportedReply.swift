import ProctorBase
import ProctorCoding
import ProctorHTTP
import ProctorScenario

/// The parts of a reply that other tools can say.
struct ExportedReply {
    let status: Int
    let reason: String
    /// Values in the other tool's form.
    let fields: [(name: String, value: String)]
    let content: [UInt8]
    /// Whether content or fields hold late-bound parts.
    let isLate: Bool
    /// Waits before the head, in milliseconds.
    let delay: Int
    let ending: Ending

    /// How the reply breaks off.
    enum Ending { case whole, close, reset }
}

/// Reads replies of a scenario for another tool, and tells what that can't say.
struct ReplyExporter {
    /// What a late-bound part is in the other tool; nil: it can't say it.
    let late: (Template.Part) -> String?
    /// The bytes of a sidecar file; nil where it can't be read.
    let readFile: (SidecarFile) -> [UInt8]?
    /// Whether content is coded as its field says; a HAR has it decoded.
    let codesContent: Bool
    private(set) var remarks = ImportRemarks()
    private var isLate = false

    /// Bytes of one content.
    private static let contentLimit = 16 << 20

    init(
        late: @escaping (Template.Part) -> String?, readFile: @escaping (SidecarFile) -> [UInt8]?,
        codesContent: Bool = true
    ) {
        (self.codesContent, self.late, self.readFile) = (codesContent, late, readFile)
    }

    mutating func remark(_ sentence: String, at location: SourceLocation) {
        remarks.add(at: location.description, sentence)
    }

    /// nil where nothing of it can be said.
    mutating func export(_ reply: Reply) -> ExportedReply? {
        isLate = false
        let place = reply.location
        var (delay, ending) = (0, ExportedReply.Ending.whole)
        for effect in reply.effects { add(effect, &delay, &ending) }
        if reply.opaque != nil { remark("what follows the reply can't be said", at: place) }
        switch reply.message {
        case nil:
            return ExportedReply(
                status: 200, reason: "", fields: [], content: [], isLate: false, delay: delay,
                ending: ending == .whole ? .close : ending)
        case .structured(let structured): return export(structured, delay, ending, at: place)
        case .raw, .forward, .script:
            remark("a reply of raw bytes, a script or a proxy can't be said, and is left out", at: place)
            return nil
        }
    }

    private mutating func export(
        _ reply: StructuredReply, _ delay: Int, _ ending: ExportedReply.Ending, at place: SourceLocation
    ) -> ExportedReply {
        var fields = reply.headers.map { field in
            (
                String(decoding: field.name, as: UTF8.self),
                String(decoding: rendered(field.value, at: field.location), as: UTF8.self)
            )
        }
        var content: [UInt8] = []
        for piece in reply.body {
            switch piece {
            case .bytes(let source): content += bytes(source, at: place)
            case .effect: remark("an effect between bytes can't be said", at: place)
            }
        }
        if let coding = reply.coding { content = coded(content, coding, &fields, at: place) }
        if !reply.interim.isEmpty { remark("interim replies can't be said", at: place) }
        if !reply.trailers.isEmpty { remark("trailers can't be said", at: place) }
        if reply.pace != nil || reply.slicing != nil {
            remark("how fast and in which writes it comes can't be said", at: place)
        }
        if !reply.honours.isEmpty { remark("ranges and conditions of requests are not honoured", at: place) }
        switch reply.framing {
        case .unspecified, .length: break
        case .chunked, .close, .none: remark("how the end of the content is told is the other tool's own", at: place)
        }
        return ExportedReply(
            status: reply.status, reason: reply.reason ?? StatusPhrase.registered(reply.status) ?? "", fields: fields,
            content: content, isLate: isLate, delay: delay, ending: ending)
    }

    private mutating func add(_ effect: Effect, _ delay: inout Int, _ ending: inout ExportedReply.Ending) {
        switch (effect.position, effect.action) {
        case (.head(0), .wait(let duration)):
            let (seconds, rest) = duration.components
            delay += Int(clamping: seconds) * 1_000 + Int(clamping: rest / 1_000_000_000_000_000)
        case (.head(0), .close): ending = .close
        case (.head(0), .reset): ending = .reset
        default: remark("the effect at \(effect.position.text) can't be said", at: effect.location)
        }
    }

    private mutating func coded(
        _ content: [UInt8], _ coding: BodyCoding, _ fields: inout [(String, String)], at place: SourceLocation
    ) -> [UInt8] {
        guard case .apply(let steps) = coding.plan, coding.place == .content, case .names = coding.label,
            steps.count == 1, let step = steps.first, step == CodingStep(step.coding)
        else {
            remark("this coding can't be said, and the content is sent without it", at: place)
            return content
        }
        do {
            let coded = codesContent ? try CodingEncoder.encode(content, steps: steps) : content
            fields.append(("Content-Encoding", step.coding.rawValue))
            return coded
        } catch {
            remark("the content can't be coded: \(error)", at: place)
            return content
        }
    }

    mutating func bytes(_ source: ByteSource, at place: SourceLocation) -> [UInt8] {
        if let count = source.byteCount, count > Self.contentLimit {
            remark("\(count) bytes of content are more than the \(Self.contentLimit) that are exported", at: place)
            return []
        }
        switch source {
        case .literal(let bytes): return bytes
        case .template(let template): return rendered(template, at: place)
        case .file(let file):
            guard let bytes = readFile(file) else {
                remark("the file \(file.path) can't be read", at: place)
                return []
            }
            return bytes
        case .repeated(let unit, let count): return (0..<count).map { unit[$0 % unit.count] }
        case .pattern(let pattern, let count): return (0..<count).map(pattern.byte)
        }
    }

    private mutating func rendered(_ template: Template, at place: SourceLocation) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in template.parts {
            if case .literal(let literal) = part {
                bytes += literal
            } else if let text = late(part) {
                bytes += text.utf8
                isLate = true
            } else {
                remark("a late-bound part of it can't be said, and is left out", at: place)
            }
        }
        return bytes
    }
}
