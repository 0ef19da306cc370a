import Foundation
import ProctorLoop

@testable import ProctorBase

extension ReaderRunner {
    static let base: [String: DataReader] = [
        // Text in base64 or hexadecimal, into bytes; what is read in base64 is written again.
        "base64": .whole { input, _ in
            do throws(EncodedTextError) {
                let bytes = try Base64Text.decode(input)
                return [ByteText.inLine(bytes), "written \(Base64Text.encode(bytes))"]
            } catch { return ["refused at \(error.offset)"] }
        },
        "hexadecimal": .whole { input, _ in
            do throws(EncodedTextError) { return [ByteText.inLine(try HexText.decode(input))] } catch {
                return ["refused at \(error.offset)"]
            }
        },
        // Bytes as printable ASCII; `limit N`.
        "escaped-text": .whole { input, block in
            guard let limit = try block.number(of: "limit") else { return [EscapedText.escape(input)] }
            // An ellipsis would stand for anything.
            return [EscapedText.escape(input, limit: limit).replacing("…", with: "...")]
        },
        "quoted-text": .line { QuotedText.quote($0) },
        // `N NOUN`, or `N NOUN PLURAL`.
        "plural": .line { text in
            let words = text.split(separator: " ").map(String.init)
            guard words.count > 1, let count = Int(words[0]) else { throw TextError("expected N NOUN") }
            return words.count > 2
                ? Plural.count(count, words[1], plural: words[2]) : Plural.count(count, words[1])
        },
        // Whether bytes are UTF-8, found out in two ways.
        "utf8": .whole { input, _ in
            let text = String(validUTF8: input)
            guard text == String(decodingBackUTF8: input), text.map({ Array($0.utf8) == input }) ?? true else {
                return ["another text"]
            }
            return [text == nil ? "no text" : "text"]
        },
        // `SECONDS ATTOSECONDS`.
        "nanoseconds": .line { text in
            let numbers = text.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 2 else { throw TextError("expected SECONDS ATTOSECONDS") }
            return "\(Duration(secondsComponent: numbers[0], attosecondsComponent: numbers[1]).wholeNanoseconds)"
        },
        // `NAME <- CANDIDATE, CANDIDATE`.
        "nearest": .whole { input, _ in
            let parts = Parts.of(input, by: " <- ").map { Parts.text($0) }
            let candidates = parts.count > 1 ? parts[1].components(separatedBy: ", ") : []
            return [NearestName.find(parts.first ?? "", in: candidates).map { "'\($0)'" } ?? "none"]
        },
        // `ONE | OTHER`: how far apart they are, up to 4.
        "edit-distance": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " | ", block)
            let found = (0...4).map { NearestName.editDistance(parts[0], parts[1], upTo: $0) }
            guard found == (0...4).map({ NearestName.editDistance(parts[1], parts[0], upTo: $0) }) else {
                return ["another distance the other way"]
            }
            let distance = found.compactMap(\.self).first
            guard found.enumerated().allSatisfy({ $1 == (distance ?? .max <= $0 ? distance : nil) }) else {
                return ["another distance with another bound: \(found)"]
            }
            return [distance.map { "\($0)" } ?? "more than 4"]
        },
        // `PART in TEXT`: the byte at which it first stands.
        "text-search": .whole { input, _ in
            let parts = Parts.of(input, by: " in ").map { Parts.text($0) }
            let (part, text) = (parts.first ?? "", parts.count > 1 ? parts[1] : "")
            let found = text.firstRange(ofText: part)
            let offset = found.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
            guard found.map({ text.utf8[$0].elementsEqual(part.utf8) }) ?? true,
                part.isEmpty || text.contains(text: part) == (offset != nil),
                Array(text.utf8).firstRange(ofBytes: Array(part.utf8))?.lowerBound == offset
            else { return ["found in another way"] }
            return [offset.map { "at \($0)" } ?? "nowhere"]
                + (part.isEmpty && text.contains(text: part) ? ["in it"] : [])
        },
        // `PART to OTHER in TEXT`.
        "text-replacement": .line { text in
            let halves = text.components(separatedBy: " in ")
            let words = halves[0].components(separatedBy: " to ")
            guard halves.count == 2, words.count == 2 else { throw TextError("expected PART to OTHER in TEXT") }
            return halves[1].replacing(text: words[0], with: words[1])
        },
        "crc32": .whole { input, _ in [String(CRC32.checksum(of: input), radix: 16)] },
        // A host with the port 80: its address.
        "socket-address": .line { text in
            guard let address = text.hasPrefix("/") ? .unix(path: text) : SocketAddress(host: text, port: 80) else {
                return "none"
            }
            let other = address.with(port: 81)
            return "\(address)\(address.isLoopback ? " of loopback" : ""), \(other)"
        },
    ]

    static let json: [String: DataReader] = [
        // A document of JSON, into its values, each with the index behind it; `at POINTER` or `excerpt N` of the value 1.
        "json-values": .whole { input, block in
            let document: JSONDocument
            do throws(LineFault) { document = try JSONDocument(parsing: input) } catch {
                return ["at \(error.offset): \(error.sentence)"]
            }
            for count in input.indices where input.last != 0x0A && input.count < 1_000 {
                if (try? JSONDocument(parsing: Array(input.prefix(count)))) != nil, !input.prefix(count).isNumber {
                    return ["the first \(count) bytes are JSON too"]
                }
            }
            if let pointer = block.value(of: "at") {
                return [document.index(at: try JSONPointer(pointer)).map { "value \($0)" } ?? "nothing"]
            }
            if let limit = try block.number(of: "excerpt") {
                return [document.excerpt(1, limit: limit).replacing("…", with: "...")]
            }
            return document.values.enumerated().map { index, value in
                let children = Array(document.children(of: index)).map { " \($0)" }.joined()
                return "\(ValueText.text(value.kind)) to \(value.end)" + (children.isEmpty ? "" : " of" + children)
            }
        },
        // `NUMBER | NUMBER`, whether they are the same; or a number.
        "json-number": .whole { input, _ in
            let numbers = (input.isEmpty ? [[]] : Parts.of(input)).map { JSONDecimal($0) }
            guard numbers.allSatisfy({ $0 != nil }) else { return ["no number"] }
            return [numbers.count < 2 ? "a number" : numbers[0] == numbers[1] ? "the same" : "others"]
        },
        // Bytes as a member of an object: `text`, or `base64` where they are no text.
        "json-bytes": .whole { input, _ in
            var json = JSONText()
            json.open("{")
            json.member("text", orBase64: "base64", input[...])
            json.close("}")
            return [ByteText.inLine(json.bytes)]
        },
    ]
}

extension Sequence<UInt8> {
    /// Of which each beginning is JSON too.
    fileprivate var isNumber: Bool { allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0 == 0x20 } }
}
