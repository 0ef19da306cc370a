import ProctorBase
import ProctorCoding
import ProctorHTTP
import ProctorWebSocket

extension ReaderRunner {
    static let webSocket: [String: DataReader] = [
        // Frames as words. Words: `client` or `server` (masks are then those of the frames), `events`, `ends`, `deflate`,
        // `alone`, `window N`, `noisy`, `small`, `frame-limit N`, `rsv2` (a bit of another extension).
        "websocket": .whole { input, block in try WebSocketLines.read(input, block) },
        // The same frames, as bytes.
        "websocket-bytes": .whole { input, block in
            let text = try WebSocketFrameText(windowBits: 15, isAlone: block.has("alone"))
            return try input.steps.flatMap { try text.frames($0) }.map { frame in
                let bytes = frame.bytes
                return bytes.prefix(20).hexadecimal + (bytes.count > 20 ? " … \(bytes.count) bytes" : "")
            }
        },
        // Bytes, and what is missing where they end.
        "websocket-end": .pieces { pieces, _ in
            var reader = WebSocketReader(role: .client)
            for piece in pieces {
                var position = 0
                while reader.next(piece.span, at: &position) != nil {}
            }
            return [reader.finish().map { "\($0.kind.rawValue) at byte \($0.offset)" } ?? "ended well"]
        },
        // Bytes, masked with the key behind the name, and whether taking the mask off in two parts gives them again.
        "mask": .whole { input, block in
            let key = MaskingKey(UInt32(block.words.first ?? "", radix: 16) ?? 0)
            let masked = key.apply(to: input.span, at: 0)
            let isSame = (0...input.count).allSatisfy { place in
                key.apply(to: Array(masked[..<place]).span, at: 0)
                    + key.apply(to: Array(masked[place...]).span, at: place) == input
            }
            return [masked.hexadecimal] + (isSame ? [] : ["taken off in parts it is something else"])
        },
        "websocket-violations": .whole { _, _ in
            WebSocketViolation.Kind.allCases.map { kind in
                let violation = WebSocketViolation(kind, at: 7, .text)
                return EventLines.violation(violation, FramePlaces([])) + ": " + violation.sentence
            }
        },
        "opening": .whole { input, block in try OpeningLines.request(input, block) },
        "opening-reply": .whole { input, block in try OpeningLines.reply(input, block) },
        // Offers between `, `, and what a server accepts; words: its wishes.
        "deflate-offers": .whole { input, block in
            var wish = DeflateParameters()
            wish.serverWindowBits = try block.number(of: "server-bits")
            if let bits = try block.number(of: "client-bits") { wish.clientWindow = .bits(bits) }
            if block.has("client-alone") { wish.clientTakesContextOver = false }
            let accepted = DeflateParameters.accepting(WebSocketExtension.elements(of: input), wish: wish)
            return [accepted?.webSocketExtension.description ?? "none"]
        },
    ]
}
