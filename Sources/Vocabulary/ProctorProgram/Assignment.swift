import ProctorBase

/// The instructions for a client under test, with the values of late-bound parts.
///
/// Its JSON is the one object on an adapter's standard input; bytes are written as text when they are UTF-8, else in
/// base64.
public struct Assignment: Sendable, Equatable, Decodable {
    /// The version of the format; a new one means that an old adapter would misread the assignment.
    public var version: Int
    /// The id of the scenario.
    public var scenario: String
    /// The name of the case.
    public var caseName: String
    /// The URL of the run, without a trailing slash.
    public var base: String
    /// The run's id on the control API; nil when there is none.
    public var run: String?
    /// Milliseconds after which the adapter must give up; after more time a watchdog ends it.
    public var deadline: Int
    /// How the session is set up.
    public var session: SessionSetup
    /// The steps, performed in one session, each after the end of the one before unless ``Step/isTogether``; never
    /// empty.
    public var steps: [Step]
    /// Names of events that the client must report at once, since replies wait for them; nil: none.
    public var awaited: [String]?
    /// Names of the abilities that the case needs, sorted; nil: none.
    public var needs: [String]?
    /// The ALPN name of the protocol that the client must use with every origin: `h2`; nil: the client chooses.
    public var protocolName: String?

    /// The version this module writes and reads.
    public static let currentVersion = 1

    /// A word of an assignment that this version does not know.
    package struct UnknownWord: Sendable, Equatable {
        /// The key at which the word stands, as in `onRedirect` or `onChallenge: persistence`.
        package let key: String
        /// The word as it was read.
        package let word: String

        package init(key: String, word: String) {
            (self.key, self.word) = (key, word)
        }
    }

    /// The absolute path of the folder that is the same in all processes of one program with launches; nil: the client
    /// keeps nothing.
    package var storage: String?
    /// How many steps earlier processes of the program have performed, which `resume` of a step counts too; nil: none.
    package var earlierSteps: Int?

    /// Makes an assignment of these parts.
    package init(
        scenario: String, caseName: String, base: String, run: String? = nil, deadline: Int = 10_000,
        session: SessionSetup = SessionSetup(), steps: [Step], awaited: [String]? = nil, needs: [String]? = nil,
        protocolName: String? = nil
    ) {
        version = Self.currentVersion
        (self.scenario, self.caseName, self.base, self.run, self.deadline) = (scenario, caseName, base, run, deadline)
        (self.session, self.steps, self.awaited, self.needs) = (session, steps, awaited, needs)
        self.protocolName = protocolName
    }

    /// The first unknown word with its key, `session.queue: long`; nil when all words are known.
    ///
    /// `joint` is written between step and key.
    package func unknownWord(joint: String = ".") -> String? {
        if let protocolName, protocolName != "h2", protocolName != "h3" { return "protocol: \(protocolName)" }
        if let unknown = session.unknownWords.first { return "session.\(unknown.key): \(unknown.word)" }
        for (index, step) in steps.enumerated() {
            if let unknown = step.unknownWords.first { return "steps[\(index)]\(joint)\(unknown.key): \(unknown.word)" }
        }
        return nil
    }

    /// The application's settings for the file of an NSURLDownload; nil: the client's default.
    package struct DownloadFileProgram: Sendable, Equatable, Codable {
        /// Whether the file is deleted when the download fails or is cancelled, so that the download can't be resumed.
        package var deletesFileUponFailure: Bool?
        /// The name of the file, set before the start; nil: the delegate accepts the suggested name when it is asked.
        package var destination: String?
        /// Whether an existing file may be replaced.
        package var overwrites: Bool?

        /// Makes settings that leave every choice to the client.
        package init() {}
    }

    /// Content, as text or as base64.
    public struct Bytes: Sendable, Equatable, Codable {
        /// The content as UTF-8; nil when `base64` is given.
        public var text: String?
        /// The content in base64; nil when `text` is given.
        public var base64: String?
        /// The byte count of the content, to which `text` is repeated; for long content.
        public var count: Int?

        /// Makes content from exactly one of `text` and `base64`.
        package init(text: String? = nil, base64: String? = nil, count: Int? = nil) {
            (self.text, self.base64, self.count) = (text, base64, count)
        }
    }

    /// A client certificate with its private key, as files.
    public struct Identity: Sendable, Equatable, Codable {
        /// The identity's name in the fixture.
        public var name: String
        /// Path of a PEM file with the certificate and its intermediate certificates.
        public var certificate: String
        /// Path of a PEM file with the private key, without a passphrase.
        public var key: String
        /// Path of a PKCS #12 file with certificate and key.
        public var pkcs12: String
        /// The passphrase of the PKCS #12 file.
        public var passphrase: String

        /// Makes an identity; paths must be absolute.
        package init(name: String, certificate: String, key: String, pkcs12: String, passphrase: String) {
            (self.name, self.certificate, self.key, self.pkcs12) = (name, certificate, key, pkcs12)
            self.passphrase = passphrase
        }
    }

    /// The address of a host name that no name server has.
    public struct NamedHost: Sendable, Equatable, Codable {
        /// The host name, in lower case.
        public var name: String
        /// The port in URLs with that name; the scheme's default when they have none.
        public var port: Int
        /// `127.0.0.1:4711`, `[::1]:4711`, or `unix:` with the absolute path of a Unix socket.
        public var address: String
        /// All addresses in the order in which they are to be tried, of one port; nil: ``address`` alone.
        package var addresses: [String]?

        /// Makes a host name with its address.
        package init(name: String, port: Int, address: String) {
            (self.name, self.port, self.address) = (name, port, address)
        }
    }
}

extension Assignment: AssignmentObject {
    package static let keys: [AssignmentKey<Assignment>] = [
        .always("version", \.version),
        .always("scenario", \.scenario),
        .always("case", \.caseName),
        .always("base", \.base),
        .optional("run", \.run),
        .always("deadline", \.deadline),
        .optional("awaited", \.awaited),
        .optional("needs", \.needs),
        .optional("protocol", \.protocolName),
        .optional("storage", \.storage),
        .optional("earlierSteps", \.earlierSteps),
        .always("session", \.session),
        .always("steps", \.steps),
    ]

    init() { self.init(scenario: "", caseName: "", base: "", steps: []) }

    /// One JSON object for adapters, without a trailing line feed; nil parts are left out.
    public var json: [UInt8] {
        var json = JSONText()
        write(to: &json, in: session)
        return json.bytes
    }

    /// Reads an assignment; throws when a key of a non-optional property is missing.
    public init(from decoder: any Decoder) throws {
        var unknown: [UnknownWord] = []
        self = try Self.object(from: decoder, &unknown)
    }
}
