internal import ProctorBase

/// The transport parameters of one end, held to RFC 9000 §7.4 and §18 before a library reads them.
package struct TransportParameters: Sendable, Equatable {
    package enum Sender: String, Sendable {
        case client, server
    }

    /// In their order.
    package private(set) var values: [(id: UInt64, value: Range<Int>)] = []
    /// The value of initial_source_connection_id, which every end sends.
    package private(set) var initialSource: [UInt8] = []

    /// Reads the content of quic_transport_parameters (RFC 9001 §8.2).
    package init(_ bytes: [UInt8], of sender: Sender) throws(OpeningFault) {
        var position = 0
        var known: Set<UInt64> = []
        var hasSource = false
        while position < bytes.count {
            guard let id = VariableInteger.read(bytes.span, at: &position),
                let count = VariableInteger.read(bytes.span, at: &position), count <= UInt64(bytes.count - position)
            else { throw .parameter("a transport parameter goes beyond the end", "RFC 9000 §18") }
            let value = position..<position + Int(count)
            position = value.upperBound
            let name = Self.rules[id]?.name ?? "0x\(String(id, radix: 16))"
            guard known.insert(id).inserted else {
                throw .parameter("the transport parameter \(name) came twice", "RFC 9000 §7.4")
            }
            if let rule = Self.rules[id] { try rule.check(bytes[value], of: sender) }
            if id == Self.initialSourceID { (initialSource, hasSource) = (Array(bytes[value]), true) }
            values.append((id, value))
        }
        guard hasSource else {
            throw .parameter("the transport parameter initial_source_connection_id is missing", "RFC 9000 §7.3")
        }
    }

    private static let initialSourceID: UInt64 = 0x0F

    package static func == (left: Self, right: Self) -> Bool {
        left.values.elementsEqual(right.values, by: ==) && left.initialSource == right.initialSource
    }

    /// How a parameter is written, and who may send it.
    fileprivate struct Rule {
        let name: String
        let form: Form
        var isServersOnly = false

        enum Form {
            /// An integer in a range, which fills the value.
            case number(ClosedRange<UInt64>)
            case bytes(ClosedRange<Int>)
            case address
            case versions
        }
    }

    private static let anyNumber = Rule.Form.number(0...VariableInteger.largest)

    /// The rules for parameters of RFC 9000 §18.2, and of the extensions that are known to libraries.
    private static let rules: [UInt64: Rule] = [
        0x00: Rule(name: "original_destination_connection_id", form: .bytes(0...20), isServersOnly: true),
        0x01: Rule(name: "max_idle_timeout", form: anyNumber),
        0x02: Rule(name: "stateless_reset_token", form: .bytes(16...16), isServersOnly: true),
        0x03: Rule(name: "max_udp_payload_size", form: .number(1_200...VariableInteger.largest)),
        0x04: Rule(name: "initial_max_data", form: anyNumber),
        0x05: Rule(name: "initial_max_stream_data_bidi_local", form: anyNumber),
        0x06: Rule(name: "initial_max_stream_data_bidi_remote", form: anyNumber),
        0x07: Rule(name: "initial_max_stream_data_uni", form: anyNumber),
        // RFC 9000 §4.6.
        0x08: Rule(name: "initial_max_streams_bidi", form: .number(0...1 << 60)),
        0x09: Rule(name: "initial_max_streams_uni", form: .number(0...1 << 60)),
        0x0A: Rule(name: "ack_delay_exponent", form: .number(0...20)),
        0x0B: Rule(name: "max_ack_delay", form: .number(0...1 << 14 - 1)),
        0x0C: Rule(name: "disable_active_migration", form: .bytes(0...0)),
        0x0D: Rule(name: "preferred_address", form: .address, isServersOnly: true),
        0x0E: Rule(name: "active_connection_id_limit", form: .number(2...VariableInteger.largest)),
        0x0F: Rule(name: "initial_source_connection_id", form: .bytes(0...20)),
        0x10: Rule(name: "retry_source_connection_id", form: .bytes(0...20), isServersOnly: true),
        // RFC 9368 §3, RFC 9221 §3, RFC 9287 §3.
        0x11: Rule(name: "version_information", form: .versions),
        0x20: Rule(name: "max_datagram_frame_size", form: anyNumber),
        0x2AB2: Rule(name: "grease_quic_bit", form: .bytes(0...0)),
    ]
}

extension TransportParameters.Rule {
    func check(_ value: ArraySlice<UInt8>, of sender: TransportParameters.Sender) throws(OpeningFault) {
        if isServersOnly, sender == .client {
            throw .parameter("a client sent the transport parameter \(name), which only a server may", "RFC 9000 §18.2")
        }
        switch form {
        case .number(let range):
            var end = 0
            guard let number = VariableInteger.read(Array(value).span, at: &end), end == value.count else {
                throw .parameter("the transport parameter \(name) is no integer of its length", "RFC 9000 §18")
            }
            guard range.contains(number) else {
                throw .parameter(
                    "the transport parameter \(name) is \(number); \(range.lowerBound) to \(range.upperBound) is permitted",
                    "RFC 9000 §18.2")
            }
        case .bytes(let range):
            guard range.contains(value.count) else {
                throw .parameter(
                    "the transport parameter \(name) has \(Plural.count(value.count, "byte"))", "RFC 9000 §18.2")
            }
        case .address:
            // Two addresses with ports in 24 bytes, an id of 1 to 20 bytes behind its length, and a token of 16.
            let idByteCount = value.dropFirst(24).first.map(Int.init) ?? 0
            guard (1...20).contains(idByteCount), value.count == 24 + 1 + idByteCount + 16 else {
                throw .parameter(
                    "the transport parameter \(name) has \(Plural.count(value.count, "byte"))", "RFC 9000 §18.2")
            }
        case .versions:
            let words = stride(from: value.startIndex, to: value.endIndex, by: 4)
            guard !value.isEmpty, value.count.isMultiple(of: 4),
                !words.contains(where: { value[$0..<$0 + 4].allSatisfy { $0 == 0 } })
            else { throw .parameter("the transport parameter \(name) has no versions", "RFC 9368 §4") }
        }
    }
}
