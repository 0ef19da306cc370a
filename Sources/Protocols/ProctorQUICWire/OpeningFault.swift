/// What is wrong with the first packets of a client: the connection is closed with a code of QUIC (RFC 9000 §20.1).
package struct OpeningFault: Error, Sendable, Equatable {
    package let code: UInt64
    /// One sentence with its section.
    package let reason: String

    private init(_ code: UInt64, _ sentence: String, _ section: String) {
        (self.code, reason) = (code, "\(sentence) (\(section))")
    }

    package static func frame(_ sentence: String, _ section: String) -> OpeningFault {
        OpeningFault(0x07, sentence, section)
    }

    package static func parameter(_ sentence: String, _ section: String) -> OpeningFault {
        OpeningFault(0x08, sentence, section)
    }

    package static func protocolViolation(_ sentence: String, _ section: String) -> OpeningFault {
        OpeningFault(0x0A, sentence, section)
    }

    package static func token(_ sentence: String, _ section: String) -> OpeningFault {
        OpeningFault(0x0B, sentence, section)
    }

    package static func cryptoBuffer(_ sentence: String, _ section: String) -> OpeningFault {
        OpeningFault(0x0D, sentence, section)
    }

    /// CRYPTO_ERROR, with the alert of TLS (RFC 9001 §4.8).
    package static func alert(_ number: UInt8, _ sentence: String, _ section: String) -> OpeningFault {
        OpeningFault(0x100 | UInt64(number), sentence, section)
    }
}
