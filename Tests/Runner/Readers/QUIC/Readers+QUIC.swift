import ProctorBase
import ProctorQUICWire
import ProctorTLSWire

extension ReaderRunner {
    static let quic: [String: DataReader] = [
        // A datagram. Words: `client` or `server`, who has sent it; `filled` adds zeros up to 1,200 bytes.
        "quic-datagram": .whole { input, block in
            let bytes = block.has("filled") ? QUICLines.filled(input) : input
            return QUICLines.datagram(bytes, by: block.has("server") ? .server : .client)
        },
        // Each beginning of a datagram, and each with one byte changed.
        "quic-datagram-beginnings": .whole { input, block in
            let sender: DatagramReading.Sender = block.has("server") ? .server : .client
            var told = (0...input.count).map {
                QUICLines.datagram(Array(input.prefix($0)), by: sender).joined(separator: ", ")
            }
            told = told.counted
            for place in input.indices {
                for value in [0, 1, 0x3F, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var changed = QUICLines.filled(input)
                    changed[place] = value
                    _ = QUICLines.datagram(changed, by: sender)
                }
            }
            return told
        },
        // The frames of a client's Initial packet.
        "quic-initial-frames": .whole { input, _ in
            do throws(OpeningFault) {
                let frames = try InitialFrames(input.span)
                let crypto = frames.crypto.map { QUICLines.item("crypto \($0.offset)", input[$0.bytes]) }
                let close = frames.close.map { "close \($0.code) \(ByteText.inLine(Array(input[$0.reason])))" }
                return crypto + [close].compactMap(\.self) + ["end"]
            } catch {
                return [QUICLines.fault(error)]
            }
        },
        // Pieces of a CRYPTO stream, `OFFSET HEX; OFFSET HEX`.
        "quic-crypto": .line { text in
            var stream = CryptoStream()
            var lines: [String] = []
            for part in text.split(separator: ";") {
                let words = part.split(separator: " ")
                guard let offset = words.first.flatMap({ UInt64($0) }) else { throw TextError("no offset") }
                let bytes = words.count > 1 ? try ByteText.hexadecimal(words[1]) : []
                do throws(OpeningFault) {
                    let isNew = try stream.insert(bytes[...], at: offset)
                    lines.append(
                        (isNew ? "" : "nothing new, ") + (stream.bytes.isEmpty ? "-" : stream.bytes.hexadecimal))
                } catch {
                    lines.append(QUICLines.fault(error))
                    break
                }
            }
            return lines.joined(separator: "; ") + (stream.hasNoGap ? "" : " with a gap")
        },
        // Transport parameters. Words: `client` or `server`, who has sent them.
        "quic-parameters": .whole { input, block in
            do throws(OpeningFault) {
                let read = try TransportParameters(input, of: block.has("server") ? .server : .client)
                return read.values.map { QUICLines.item("0x\(String($0.id, radix: 16))", input[$0.value]) } + ["end"]
            } catch {
                return [QUICLines.fault(error)]
            }
        },
        // A ClientHello in CRYPTO frames, in order and in the contrary order. Word: `source HEX`, the id of the client's packets.
        "quic-hello": .pieces { pieces, block in
            let source = try block.value(of: "source").map { try ByteText.hexadecimal($0[...]) }
            var parts: [(offset: UInt64, bytes: [UInt8])] = []
            for piece in pieces {
                parts.append((UInt64(parts.last.map { Int($0.offset) + $0.bytes.count } ?? 0), piece))
            }
            let lines = QUICLines.hello(parts, source: source ?? [])
            let contrary = QUICLines.hello(parts.reversed(), source: source ?? [])
            return lines == contrary || pieces.count > 100 ? lines : lines + ["in the contrary order:"] + contrary
        },
    ]
}

/// What readers of QUIC say, as lines.
enum QUICLines {
    static func filled(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: max(0, DatagramReading.leastInitial - bytes.count))
    }

    /// A name with bytes behind it, if there are any.
    static func item(_ name: String, _ bytes: ArraySlice<UInt8>) -> String {
        bytes.isEmpty ? name : "\(name) \(Array(bytes).hexadecimal)"
    }

    static func fault(_ fault: OpeningFault) -> String { "refused 0x\(String(fault.code, radix: 16)) \(fault.reason)" }

    static func datagram(_ bytes: [UInt8], by sender: DatagramReading.Sender) -> [String] {
        do throws(DatagramFault) {
            switch try DatagramReading(bytes.span, by: sender) {
            case .packets(let packets):
                var lines = packets.long.map { header in
                    let token = header.token.isEmpty ? "" : " token \(Array(bytes[header.token]).hexadecimal)"
                    return
                        "\(header.kind.rawValue) to \(text(bytes[header.destination])) from \(text(bytes[header.source]))"
                        + token + (header.hasFixedBit ? "" : " without the fixed bit")
                        + " with \(header.protected.count) bytes"
                }
                if let short = packets.short { lines.append("short header, \(short.count) bytes") }
                if let fault = packets.restFault {
                    lines.append("\(Plural.count(packets.rest.count, "byte")) left: \(text(fault))")
                }
                return lines
            case .otherVersion(let ours, let theirs):
                return ["another version to \(text(bytes[ours])) from \(text(bytes[theirs]))"]
            case .versionNegotiation(let ours): return ["version negotiation to \(text(bytes[ours]))"]
            }
        } catch {
            return [text(error)]
        }
    }

    private static func text(_ fault: DatagramFault) -> String { "\(fault.rawValue) (\(fault.section))" }

    private static func text(_ id: ArraySlice<UInt8>) -> String { id.isEmpty ? "-" : Array(id).hexadecimal }

    static func hello(_ parts: [(offset: UInt64, bytes: [UInt8])], source: [UInt8]) -> [String] {
        var stream = CryptoStream()
        do throws(OpeningFault) {
            var found: OpeningHello?
            for part in parts {
                _ = try stream.insert(part.bytes[...], at: part.offset)
                found = try OpeningHello.read(stream, source: source)
            }
            guard let found else { return ["needs more"] }
            return [
                "passed with \(Plural.count(found.hello.extensions.count, "extension")), "
                    + Plural.count(found.parameters.values.count, "parameter")
            ]
        } catch {
            return [fault(error)]
        }
    }
}
