import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// A request and the final reply that began to go out for it.
struct ContentExchange {
    let request: WireRecord.SeenRequest
    /// What was asked for, as the target and Host say it; nil where they do not, and where the program set Host.
    let url: ClientURL?
    /// Host and port at which the client's connection arrived.
    let local: (host: String, port: Int)?
    /// nil where none began, or where what was sent is no reply.
    let reply: SentReply?
    /// The field lines of the reply.
    let fields: [HTTPField]
    let method: String

    init(_ index: Int, _ grading: CaseGrading) {
        // Only called for requests of a record.
        guard let record = grading.record else { preconditionFailure("an exchange without a journal") }
        request = record.requests[index]
        let connection = record.connections[request.connection]
        method = request.head.method
        reply = request.reply
        fields = reply?.fields.map { [HTTPField]($0) } ?? []
        local = connection.localAddress.flatMap { Self.split($0) }
        let isContrary = !grading.item.contraryOrigins.isEmpty
        let setsHost = grading.item.client.contains { program in
            program.headers.contains { HTTPField("Host", "").isNamed(String(decoding: $0.name, as: UTF8.self)) }
        }
        url =
            isContrary || setsHost
            ? nil : Self.url(request.head, isSecured: connection.tls.hello != nil)
    }

    var status: Int? { reply?.status }

    var isTunnel: Bool { request.head.hasMethod("CONNECT") }

    /// What a client may make of the content: with its codings undone, or as it was sent; empty where it is not known.
    var contents: [SentContent] {
        guard let reply, let content = reply.content else { return [] }
        return [content] + (reply.codedContent.map { [$0] } ?? [])
    }

    /// Whether the content is known and has no codings, so that its length is that of what arrives.
    var plainContent: SentContent? { reply?.codedContent == nil ? reply?.content : nil }

    /// Whether all of the reply went out.
    var isWhole: Bool { request.isReplySent && !request.isReplyCut }

    /// The value of a field that is there once; nil also where it comes several times.
    func single(_ name: String) -> [UInt8]? {
        let found = fields.all(named: name)
        return found.count == 1 ? found[0].bytes : nil
    }

    /// The parts of multipart/x-mixed-replace are responses of their own (R26).
    var isMixedReplace: Bool { MediaType(of: fields)?.isMixedReplace ?? false }

    /// Content-Length as digits, where no Transfer-Encoding stands beside it (RFC 9112 §6.3).
    var contentLength: Int? {
        guard !fields.contains(named: "Transfer-Encoding") else { return nil }
        return single("Content-Length").flatMap { bytes in
            bytes.allSatisfy { 0x30...0x39 ~= $0 } ? Int(String(decoding: bytes, as: UTF8.self)) : nil
        }
    }

    /// The range of a 206 with one part.
    var range: ContentRange? { status == 206 ? single("Content-Range").flatMap { ContentRange($0) } : nil }

    // MARK: Its URL

    private static func url(_ head: RequestHead, isSecured: Bool) -> ClientURL? {
        switch head.form {
        case .absolute: return try? ClientURL(head.target)
        case .origin:
            let hosts = head.fields.values(named: "Host")
            guard hosts.count == 1, let host = hosts.first, !host.isEmpty else { return nil }
            let scheme: HTTPScheme = isSecured ? .https : .http
            return try? ClientURL(Array("\(scheme.rawValue)://".utf8) + host + head.target)
        case .authority, .asterisk: return nil
        }
    }

    private static func split(_ address: String) -> (host: String, port: Int)? {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]) else {
            return nil
        }
        return (String(address[..<colon]), port)
    }
}

/// URLs as callbacks write them, against those that requests were sent to.
enum ContentURL {
    /// Whether both name the same resource, escapes of unreserved characters, user and fragment aside; nil where the text is
    /// no URL that can be read.
    static func isSame(_ text: String, as url: ClientURL, ownScheme: String?) -> Bool? {
        var text = text
        if let ownScheme, text.lowercased().hasPrefix("\(ownScheme.lowercased()):") {
            text = url.origin.scheme.rawValue + text.dropFirst(ownScheme.count)
        }
        do throws(ClientURLError) {
            let other = try ClientURL(text)
            return other.isEquivalent(to: url)
        } catch .unsupportedScheme {
            return false
        } catch {
            return nil
        }
    }

    /// The URL in double quotes, for a finding.
    static func shown(_ url: ClientURL) -> String { WireText.quoted(Array(url.description.utf8)) }
}

extension ContentFault {
    /// A text of the client in double quotes, without control characters.
    static func quoted(_ text: String) -> String { WireText.quoted(Array(text.utf8)) }
}
