import Foundation

@testable import ProctorTLS

extension ReaderRunner {
    static let certificates: [String: DataReader] = [
        // An element of DER: `integer 128`, `integer-bytes HEX`, `oid 1.2.3`, `named-bits 0,5`, `bits HEX`, `boolean true`,
        // `sequence`, `context 3 HEX`, `primitive 2 HEX`, `zeros N` (the head of so many octets), `time SECONDS`.
        "der": .line { text in
            let words = text.split(separator: " ").map(String.init)
            let value = words.count > 1 ? words[1] : ""
            func bytes() throws -> [UInt8] { try ByteText.hexadecimal((words.last ?? "")[...]) }
            switch words[0] {
            case "integer": return DER.integer(UInt64(value) ?? 0).hexadecimal
            case "integer-bytes": return DER.integer(try bytes()).hexadecimal
            case "oid": return DER.oid(value).hexadecimal
            case "named-bits":
                return DER.namedBits(value.split(separator: ",").compactMap { Int($0) }).hexadecimal
            case "bits": return DER.bits(try bytes()).hexadecimal
            case "boolean": return DER.boolean(value == "true").hexadecimal
            case "sequence": return DER.sequence().hexadecimal
            case "context": return DER.context(UInt8(value) ?? 0, try bytes()).hexadecimal
            case "primitive": return DER.primitive(UInt8(value) ?? 0, try bytes()).hexadecimal
            case "zeros":
                let count = Int(value) ?? 0
                let element = DER.octets([UInt8](repeating: 0, count: count))
                return element.prefix(element.count - count).hexadecimal
            case "time":
                let element = DER.time(Int64(value) ?? 0)
                let name = element[0] == 0x17 ? "UTCTime" : element[0] == 0x18 ? "GeneralizedTime" : "no time"
                return "\(name) \(Parts.text(element.dropFirst(2)))"
            default: throw TextError("unknown element \"\(words[0])\"")
            }
        },
        // Elements of DER, one after the other, and what is left; no beginning of the first may be an element.
        "der-elements": .whole { input, _ in
            var reader = DERReader(input[...])
            var lines: [String] = []
            while !reader.isAtEnd {
                guard let element = reader.next() else { return lines + ["no element"] }
                lines.append("tag \(element.tag) of \(element.content.count) bytes")
            }
            guard let first = DERReader(input[...]).first else { return lines.isEmpty ? ["nothing"] : lines }
            for end in stride(from: 0, to: first, by: max(1, first / 300)) where DERReader(input[..<end]).first != nil {
                return lines + ["the first \(end) bytes are an element too"]
            }
            var other = DERReader(input[...])
            let hasMoved = other.readElement(input[0] ^ 1) != nil || other.readElement(input[0]) == nil
            return lines + (hasMoved ? ["an element with another tag did not stay"] : [])
        },
        // A host, for which the authority makes certificates or not.
        "certificate-host": .line { host in
            let names = CertificateNames(hosts: [], addresses: []).asked(for: host)
            do throws(AuthorityError) {
                _ = try (try authority()).identity("ecc256", names: names)
                return Authority.permits(host: host) ? "permitted" : "made against the rule"
            } catch { return Authority.permits(host: host) ? "refused against the rule" : "\(error.reason): \(error)" }
        },
        // `HOST HOST | ADDRESS`, and `asked HOST` behind the reader.
        "certificate-names": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " | ", block).map {
                $0.split(separator: 0x20).map { Parts.text($0) }
            }
            var names = CertificateNames(hosts: parts[0], addresses: parts[1])
            if let host = block.value(of: "asked") { names = names.asked(for: host) }
            return [
                "hosts \(names.hosts.joined(separator: " "))", "addresses \(names.addresses.joined(separator: " "))",
            ]
        },
    ]

    private static func authority() throws(AuthorityError) -> Authority {
        do { return try TestAuthority.shared } catch let error as AuthorityError { throw error } catch {
            fatalError("\(error)")
        }
    }
}

extension DERReader {
    /// The bytes of the first element.
    fileprivate var first: Int? {
        var reader = self
        return reader.next()?.whole.count
    }
}
