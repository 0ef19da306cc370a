import Foundation
import ProctorBase
import ProctorDNS

extension ReaderRunner {
    static let dns: [String: DataReader] = [
        // A message of DNS, and of a query with `query`.
        "dns": .whole { input, block in
            let reading = block.has("query") ? DNSReader.readQuery(input) : DNSReader.read(input)
            var lines: [String] = []
            if let message = reading.message {
                lines.append(ValueText.text(message))
                if reading.violations.isEmpty, message.bytes != input {
                    lines.append("written as \(message.bytes.hexadecimal)")
                }
                let longer = DNSReader.read(input + [0, 1])
                if longer.message != message || !longer.violations.contains(where: { $0.kind == .trailingBytes }) {
                    lines.append("other with bytes behind it: \(longer)")
                }
            }
            lines += reading.violations.map {
                PlacedText.line($0.kind, $0.offset, isFatal: $0.isFatal, $0.section, $0.sentence)
            }
            for count in 0..<input.count {
                let part = DNSReader.read(Array(input[..<count]))
                let isSound = (part.message == nil) == (part.violations.last?.isFatal == true)
                if !isSound || part.violations.contains(where: { !(0...count ~= $0.offset) }) {
                    lines.append("cut at \(count): \(part)")
                }
            }
            return lines
        },
        // Messages behind their lengths.
        "dns-stream": .pieces { pieces, _ in
            var reader = DNSStreamReader()
            let messages = pieces.flatMap { reader.messages(adding: $0) }
            return messages.map { "message \($0.hexadecimal)" }
                + [reader.isBetweenMessages ? "between messages" : "within a message"]
        },
        // One name, or `NAME | NAME`, and whether they are the same.
        "dns-name": .line { text in
            let names = text.components(separatedBy: " | ").map { DNSName($0) }
            if names.count > 1 { return names[0] == names[1] ? "the same" : "others" }
            return names[0].map { "\($0), \($0.byteCount) bytes" } ?? "none"
        },
        // Parameters of an HTTPS record, `KEY=HEX KEY=HEX`, and what a client makes of them that knows the keys of `knowing N,N`.
        "dns-service": .whole { input, block in
            let parameters = try Parts.text(input).split(separator: " ").map { word in
                let parts = word.split(separator: "=", omittingEmptySubsequences: false)
                guard parts.count == 2, let key = UInt16(parts[0]) else { throw TextError("expected KEY=HEX") }
                return DNSService.Parameter(key, try ByteText.hexadecimal(parts[1]))
            }
            let service = DNSService(priority: 1, target: .root, parameters: parameters)
            let known = (block.value(of: "knowing") ?? "").split(separator: ",").compactMap { UInt16($0) }
            return [
                "port \(service.port.map { "\($0)" } ?? "none")", "protocols \(ValueText.text(service.protocols))",
                service.isUsable(knowing: Set(known)) ? "usable" : "not usable",
            ]
        },
    ]
}
