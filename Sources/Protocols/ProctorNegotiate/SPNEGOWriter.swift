/// Writes the tokens of SPNEGO in DER (RFC 4178 §4.2).
package enum SPNEGOWriter {
    package static func bytes(of message: SPNEGOMessage) -> [UInt8] {
        switch message {
        case .initial(let message):
            let fields =
                element(0xA0, message.listBytes) + field(2, SPNEGOReader.Tag.octets, message.token)
                + field(3, SPNEGOReader.Tag.octets, message.mic)
            let choice = element(SPNEGOReader.Tag.initial, element(SPNEGOReader.Tag.sequence, fields))
            return element(SPNEGOReader.Tag.frame, identifier(.spnego) + choice)
        case .response(let message):
            let fields =
                field(0, SPNEGOReader.Tag.enumerated, message.state.map { [$0.rawValue] })
                + field(1, SPNEGOReader.Tag.identifier, message.mechanism?.bytes)
                + field(2, SPNEGOReader.Tag.octets, message.token) + field(3, SPNEGOReader.Tag.octets, message.mic)
            return element(SPNEGOReader.Tag.response, element(SPNEGOReader.Tag.sequence, fields))
        case .bare(let mechanism): return element(SPNEGOReader.Tag.frame, identifier(mechanism))
        }
    }

    /// MechTypeList (§4.1).
    static func list(_ mechanisms: [MechanismID]) -> [UInt8] {
        element(SPNEGOReader.Tag.sequence, Array(mechanisms.map(identifier).joined()))
    }

    private static func identifier(_ mechanism: MechanismID) -> [UInt8] {
        element(SPNEGOReader.Tag.identifier, mechanism.bytes)
    }

    private static func field(_ number: UInt8, _ tag: UInt8, _ contents: [UInt8]?) -> [UInt8] {
        contents.map { element(0xA0 | number, element(tag, $0)) } ?? []
    }

    private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
        var length: [UInt8] = []
        var rest = contents.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + contents
    }
}
