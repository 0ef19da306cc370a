import Foundation
import ProctorProgram
import ProctorScenario

/// A step of a client program with everything late-bound filled in; its body stands in a file.
struct ClientStep: Sendable, Encodable {
    let method: String
    let url: String
    /// Name and value.
    let headers: [[String]]
    let bodyFile: String?
    let bodyForm: String
    let follow: Bool
    /// The user of the answer to a challenge; nil: no answer.
    let user: String?
    let password: String?
    let token: String?
    /// Where the proxy listens that it goes through; nil: none.
    let proxy: String?
    /// The addresses of the scenario's names, for clients without a proxy.
    let names: [Assignment.NamedHost]
    /// PEM file of the authority that servers are judged by; nil: the client's own.
    let trust: String?
    /// PEM files of what the client shows of itself; nil: nothing.
    let certificate: String?
    let key: String?
    /// Seconds without activity; nil: none but ``limit``.
    let silence: Int?
    /// Seconds for the whole step.
    let limit: Int

    /// Writes the body into `folder`; `number` tells it from those of other steps.
    init(_ program: ClientProgram, number: Int, session: SessionProgram?, context: TemplateContext, folder: String)
        throws
    {
        method = program.method
        let rendered = String(decoding: program.url.rendered(in: context), as: UTF8.self)
        let isBelowBase = rendered.isEmpty || rendered.hasPrefix("/")
        url = isBelowBase ? String(decoding: context.base, as: UTF8.self) + rendered : rendered
        headers = program.headers.map {
            [String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value.rendered(in: context), as: UTF8.self)]
        }
        if let body = program.body {
            let path = "\(folder)/body-\(number)"
            try Data(body.bytes(in: context)).write(to: URL(fileURLWithPath: path))
            bodyFile = path
        } else {
            bodyFile = nil
        }
        bodyForm = program.bodyForm.rawValue
        follow = program.follows
        let credential = program.onChallenge.lazy.compactMap(\.credential).first
        token = credential?.token
        user = credential?.token == nil ? credential?.user : nil
        password = credential?.token == nil ? credential?.password : nil
        proxy = session?.proxy.map { "http://" + String(decoding: context.authorities[$0], as: UTF8.self) }
        names = proxy == nil ? context.names : []
        trust = session?.trust ?? .authority == .authority ? context.trust?.authority : nil
        let identity = session?.identity.flatMap { context.trust?.identities[$0] }
        certificate = identity?.certificate
        key = identity?.key
        silence = (program.timeout ?? session?.requestTimeout).map(Self.wholeSeconds)
        limit = session?.resourceTimeout.map(Self.wholeSeconds) ?? ClientTimes.step
    }

    /// Whether the body comes from a pipe, so that its length is unknown.
    var isStreamed: Bool { !["data", "file"].contains(bodyForm) }

    private static func wholeSeconds(_ milliseconds: Int) -> Int { max(1, milliseconds / 1_000) }
}

extension ClientProgram.ChallengeAnswer {
    var credential: ClientProgram.Credential? { if case .use(let credential) = self { credential } else { nil } }

    /// Whether what the server says instead is taken for the response.
    var isWithoutCredential: Bool { [.useNone, .performDefault, .reject].contains(self) }
}

/// A client's report about a step.
struct ClientReport: Sendable, Decodable {
    /// nil when no response came.
    var status: Int?
    /// Where the response came from; nil when the client does not tell.
    var url: String?
    var byteCount: Int
    /// nil when it is long.
    var body: Data?
    /// nil when the client is content.
    var error: String?
}

extension ByteSource {
    /// The bytes with all templates bound.
    func bytes(in context: TemplateContext) throws -> [UInt8] {
        switch self {
        case .literal(let bytes): bytes
        case .template(let template): template.rendered(in: context)
        case .file(let file): [UInt8](try Data(contentsOf: URL(fileURLWithPath: file.path)))
        case .repeated(let unit, let byteCount): Self.repeated(unit, byteCount)
        case .pattern(let pattern, let byteCount): (0..<byteCount).map { pattern.byte(at: $0) }
        }
    }

    /// By copies of what is there already, since a debug build takes long for each byte.
    private static func repeated(_ unit: [UInt8], _ byteCount: Int) -> [UInt8] {
        var bytes = unit
        while bytes.count < byteCount { bytes += bytes }
        return Array(bytes.prefix(byteCount))
    }
}
