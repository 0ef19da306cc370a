/// What a client shows of itself when a server asks for a certificate, and the files that hold it.
public struct ClientIdentity: Sendable, Hashable {
    /// Of the description it was made by, as `alice`.
    public var name: String
    /// DER; the client's own first.
    public var chain: [[UInt8]]
    /// PKCS#8 DER, without a passphrase.
    public var key: [UInt8]
    /// PEM of ``chain``, its owner's alone like all three files; empty where no authority exported it.
    public var certificatePath = ""
    /// PEM of ``key``; empty where no authority exported it.
    public var keyPath = ""
    /// Both in one PKCS#12 file, under ``passphrase``; empty where no authority exported it.
    public var pkcs12Path = ""

    /// What the PKCS#12 files open with; the same for all, as what it protects is of no worth.
    public static let passphrase = "proctor"

    /// Parts as they are.
    public init(name: String, chain: [[UInt8]], key: [UInt8]) {
        self.name = name
        self.chain = chain
        self.key = key
    }
}
