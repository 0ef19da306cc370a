import ProctorBase
import ProctorCoding
import ProctorWebSocket

/// Frames of a WebSocket connection as words between `; `: `text: Hello`, `binary open rsv1: \x01`, `more: b`, `close 1000: bye`.
///
/// Behind the opcode, or `opcode 11`, may stand `open` (without FIN), `rsv1`, `medium` or `long` (the form of the length),
/// `states N`, `masked 37fa213d`, `maskbit`, `nomaskbit`, `in 512` or `in 2,1` (frames of these sizes), `times N` (the
/// payload so often), and `deflated` or
/// `noise N` (so many bytes of a generator and the first of them again, deflated). The payload stands behind `: `.
struct WebSocketFrameText {
    private let deflater: MessageDeflater
    private let isAlone: Bool

    /// `alone` says that no message refers to those before.
    init(windowBits: Int, isAlone: Bool, level: Int? = nil) throws {
        if let level {
            deflater = try MessageDeflater(level: level)
        } else {
            deflater = try MessageDeflater(windowBits: windowBits)
        }
        self.isAlone = isAlone
    }

    func frames(_ step: [UInt8]) throws -> [WebSocketFrame] {
        let colon = step.firstIndex(of: UInt8(ascii: ":"))
        let payload = colon.map { Array(step[($0 + 1)...].dropFirst()) } ?? []
        var words = String(decoding: step[..<(colon ?? step.count)], as: UTF8.self).split(separator: " ")[...]
        func number(_ radix: Int = 10) throws -> UInt64 {
            guard let word = words.popFirst(), let number = UInt64(word, radix: radix) else {
                throw TextError("a number is missing in \(String(decoding: step, as: UTF8.self))")
            }
            return number
        }
        var frame = WebSocketFrame(.text, payload: payload)
        var sizes: [Int]?
        switch words.popFirst() {
        case "more"?: frame.opcode = .continuation
        case "opcode"?: frame.opcode = Opcode(rawValue: UInt8(try number()))
        case "close"?:
            let code = words.first.flatMap { UInt16($0) }.map { CloseCode(rawValue: $0) }
            if code != nil { words.removeFirst() }
            frame = code == nil ? WebSocketFrame(.close, payload: payload) : .close(code, reason: payload)
        case let name?:
            guard let opcode = Opcode(named: String(name)) else { throw TextError("there is no opcode \(name)") }
            frame.opcode = opcode
        case nil: throw TextError("a frame begins with its opcode")
        }
        while let word = words.popFirst() {
            switch word {
            case "open": frame.isFinal = false
            case "rsv1": frame.reserved.insert(.rsv1)
            case "rsv2": frame.reserved.insert(.rsv2)
            case "rsv3": frame.reserved.insert(.rsv3)
            case "medium": frame.departures.lengthForm = .medium
            case "long": frame.departures.lengthForm = .long
            case "states": frame.departures.statedByteCount = try number()
            case "maskbit": frame.departures.hasMaskBit = true
            case "nomaskbit": frame.departures.hasMaskBit = false
            case "masked": frame.maskingKey = MaskingKey(UInt32(truncatingIfNeeded: try number(16)))
            case "times":
                let count = Int(try number())
                frame.payload =
                    payload.count == 1
                    ? [UInt8](repeating: payload[0], count: count) : (0..<count).flatMap { _ in payload }
            case "in": sizes = (words.popFirst() ?? "").split(separator: ",").compactMap { Int($0) }
            case "deflated":
                frame.payload = deflater.deflate(frame.payload.span)
                frame.reserved.insert(.rsv1)
                if isAlone { deflater.reset() }
            case "noise":
                frame.payload = deflater.deflate(Self.noise(Int(try number())).span)
                frame.reserved.insert(.rsv1)
            default: throw TextError("unknown word \"\(word)\" of a frame")
            }
        }
        guard let sizes else { return [frame] }
        return WebSocketFrame.dividing(
            frame.payload, frame.opcode, sizes: sizes, isCompressed: frame.reserved.contains(.rsv1))
    }

    /// Bytes that do not repeat by themselves; the first 200 come again behind `count` bytes.
    private static func noise(_ count: Int) -> [UInt8] {
        var word: UInt32 = 1
        let bytes = (0..<count).map { _ -> UInt8 in
            word = word &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: word >> 24)
        }
        return bytes + bytes.prefix(200)
    }
}
