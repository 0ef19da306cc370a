import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorProgram
import ProctorRules
import ProctorScenario

/// The keys of a step.
extension ActRow {
    static let ofSteps: [ActRow] =
        [
            ActRow("method", says: ofStep { $0.method == "GET" ? nil : $0.method }, .run(lackOfMethod)),
            ActRow("headers", says: ofStep { fieldNames($0.fieldsToSend) }, .run(lackOfFields)),
            ActRow(
                "headers", says: ofStep { fieldNames($0.fieldsLeftOut.filter { !$0.names("Expect") }) },
                .control(.field)),
            ActRow(
                "headers", says: ofStep { fieldNames($0.fieldsLeftOut.filter { $0.names("Expect") }) },
                .control(.expect)),
            ActRow(
                "body", says: ofStep { ($0.body?.byteCount ?? 1) == 0 || $0.body == nil ? nil : "a body" },
                .run(lackOfBody)),
            ActRow(
                "bodyForm", .uploadStream,
                says: ofStep { $0.body == nil || $0.bodyForm == .data ? nil : $0.bodyForm.rawValue }, .run(lackOfForm)),
            ActRow("task", says: ofStep { $0.task == .data ? nil : $0.task.rawValue }, .run(lackOfTask)),
            answers("onRedirect", .redirect, ["follow"]) { $0.onRedirect.map(\.givenWords) },
            ActRow(
                "onChallenge",
                says: ofStep { program in
                    let words = program.onChallenge.map(\.word)
                    return words.isEmpty || words == ["default"] ? nil : words.joined(separator: ", ")
                },
                .run { $0.lackOfAnswers(to: .challenge, $0.challengeWords) }),
            answers("onResponse", .response, ["allow"]) {
                $0.onResponse == .never ? [[]] : [[$0.onResponse.rawValue]]
            },
            answers("onBodyStream", .needBodyStream, ["stream"]) {
                switch $0.onBodyStream {
                case .fresh: [["stream"]]
                case .none: [["none"]]
                case .never: [[]]
                }
            },
            answers("onWillCache", .willCache, ["store"]) { [[$0.onWillCache.word]] },
            answers("onCanAuthenticate", .askCanAuth, ["yes"]) { [[$0.onCanAuthenticate == false ? "no" : "yes"]] },
            answers("onCredentialStorage", .askCredStore, ["yes"]) {
                [[$0.onCredentialStorage == false ? "no" : "yes"]]
            },
            answers("onCanonicalize", .canonicalize, ["accept"]) { [[$0.onCanonicalize?.word ?? "accept"]] },
        ] + ofCourse

    // MARK: Answers

    /// A key with the answers to one kind of question; `usual` is what a client answers to whom the program says nothing.
    private static func answers(
        _ key: String, _ question: EventName, _ usual: [String],
        _ words: @escaping @Sendable (ClientProgram) -> [[String]]
    ) -> ActRow {
        let says = ofStep { program -> String? in
            let words = words(program)
            guard let first = words.first, words.contains(where: { $0 != usual }) else { return nil }
            return words.count == 1 && first.isEmpty
                ? "no answer" : words.map { $0.joined(separator: " ") }.joined(separator: ", ")
        }
        return ActRow(key, says: says, .run { $0.lackOfAnswers(to: question, words($0.program)) })
    }

    static func ofStep(_ says: @escaping @Sendable (ClientProgram) -> String?) -> @Sendable (Case, Int) -> String? {
        { item, step in says(item.client[step]) }
    }

    // MARK: The request

    private static func fieldNames(_ fields: [ReplyField]) -> String? {
        fields.isEmpty ? nil : fields.map { String(decoding: $0.name, as: UTF8.self) }.joined(separator: ", ")
    }

    @Sendable private static func lackOfMethod(_ acts: SeenActs) -> String? {
        let requests = acts.requests.filter { !$0.isConnect }
        let method = acts.program.method
        guard !requests.isEmpty, !requests.contains(where: { $0.method == method || $0.methodAskedFor == method })
        else { return nil }
        return "no request was a \(method)"
    }

    /// Why a field of the program was not seen in any request of its step.
    @Sendable private static func lackOfFields(_ acts: SeenActs) -> String? {
        let requests = acts.requests
        guard !requests.isEmpty else { return nil }
        // A cache asks for what it lacks of the wanted range (RFC 9111 §3.4).
        let asksForRest = acts.grading.item.client.first?.session?.cache != nil
        let areQuestions = requests.allSatisfy { $0.methodAskedFor != nil }
        let missing = acts.program.fieldsToSend.first { field in
            !(areQuestions && field.isSafelisted)
                && !requests.contains { request in
                    field.isIn(request) || field.isAskedFor(in: request)
                        || asksForRest && field.names("Range") && !request.head.fields.values(named: "Range").isEmpty
                }
        }
        return missing.map { "no request had \($0.shown)" }
    }

    @Sendable private static func lackOfBody(_ acts: SeenActs) -> String? {
        let requests = acts.requests.filter { $0.methodAskedFor == nil }
        guard !requests.isEmpty, !requests.contains(where: { $0.bodyLength != 0 }) else { return nil }
        return "no request had content"
    }

    /// What only a form of the body allows: a question for a stream, content without a length, the call for a file.
    @Sendable private static func lackOfForm(_ acts: SeenActs) -> String? {
        let form = acts.program.bodyForm
        if form == .file { return acts.lackOfCall("fromFile", "the body was handed over as a file") }
        let requests = acts.requests.filter { $0.bodyLength != 0 && !$0.isConnect }
        if form.isAskedFor, !requests.isEmpty, acts.grading.evidence.reportsLoads, acts.calls(.needBodyStream).isEmpty {
            return "the client asked for no stream"
        }
        guard !acts.program.sets("Content-Length"), acts.program.bodyLength == nil, !requests.isEmpty,
            requests.allSatisfy({ !$0.head.fields.values(named: "Content-Length").isEmpty })
        else { return nil }
        return "each request told its length, which a stream has not"
    }

    /// The call that makes a kind of task, or the callbacks that no other kind has.
    @Sendable private static func lackOfTask(_ acts: SeenActs) -> String? {
        let task = acts.program.task
        guard acts.grading.evidence.reportsLoads, !acts.grading.trace.isOfProtocol else { return nil }
        let isOfHandler = !acts.calls(.handler).isEmpty || !acts.calls(.awaited).isEmpty
        let family = acts.grading.course.task(ofStep: acts.step)?.family
        switch task {
        case .data: return nil
        case .upload:
            guard acts.program.body != nil, !isOfHandler else { return nil }
            return acts.lackOfCall("upload", "an upload was asked for")
        case .download:
            return family.map { $0.isDownload } ?? true ? nil : "its callbacks were not those of a download"
        case .handler, .async, .synchronous, .queued:
            return acts.end == nil || isOfHandler ? nil : "no completion handler was called, and nothing was awaited"
        case .eventSource, .eventStream:
            return family == .eventSource ? nil : "its callbacks were not those of a stream"
        case .websocket: return family == .webSocket ? nil : "its callbacks were not those of a WebSocket"
        }
    }
}

extension ClientProgram {
    /// Fields of the program that a right client may leave out, so that the wire need not show them: those of a connection
    /// (RFC 9110 §7.6.1, RFC 9113 §8.2.2), those of the framing, Expect without content (RFC 9110 §10.1.1),
    /// Proxy-Authorization, which is for a proxy (§11.7.2), and what a page may not set (Fetch, forbidden request-header;
    /// request-header guard of no-cors).
    fileprivate var fieldsLeftOut: [ReplyField] {
        let isOfPage = page != nil
        let isWithoutCORS = step.fetch?.mode == .noCORS
        return headers.filter { field in
            Self.ownFields.contains { field.names($0) } || body == nil && field.names("Expect")
                || isOfPage && field.isForbiddenToPages || isWithoutCORS && !field.isSafelisted
        }
    }

    fileprivate var fieldsToSend: [ReplyField] {
        let left = fieldsLeftOut
        return headers.filter { field in !left.contains { $0.name == field.name } }
    }

    private static let ownFields = [
        "Connection", "Keep-Alive", "Proxy-Connection", "Upgrade", "TE", "Trailer", "Transfer-Encoding",
        "Content-Length",
        "Host", "Proxy-Authorization",
    ]
}

extension SeenExchange {
    /// The method that a preflight asks for (Fetch, CORS-preflight fetch); nil: the request is none.
    fileprivate var methodAskedFor: String? {
        guard head.hasMethod("OPTIONS"), let method = values("Access-Control-Request-Method").first else { return nil }
        return String(decoding: method, as: UTF8.self)
    }
}

extension ReplyField {
    /// Whether a preflight asks whether the field is permitted.
    fileprivate func isAskedFor(in request: SeenExchange) -> Bool {
        guard request.methodAskedFor != nil else { return false }
        return request.values("Access-Control-Request-Headers").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains {
                names(FieldLines.trimmed(String(decoding: $0, as: UTF8.self)))
            }
        }
    }

    /// Whether the name is one that pages may send without a preflight, by Fetch's CORS-safelisted request-headers.
    fileprivate var isSafelisted: Bool {
        ["Accept", "Accept-Language", "Content-Language", "Content-Type"].contains { names($0) }
    }

    /// Whether Fetch leaves the field out of what a page sets (forbidden request-header).
    fileprivate var isForbiddenToPages: Bool {
        let name = String(decoding: name, as: UTF8.self).lowercased()
        return Self.forbiddenNames.contains(name) || name.hasPrefix("proxy-") || name.hasPrefix("sec-")
    }

    private static let forbiddenNames: Set<String> = [
        "accept-charset", "accept-encoding", "access-control-request-headers", "access-control-request-method",
        "connection", "content-length", "cookie", "cookie2", "date", "dnt", "expect", "host", "keep-alive", "origin",
        "referer", "set-cookie", "te", "trailer", "transfer-encoding", "upgrade", "via",
    ]

    /// Whether a request has the field, with the value that the program says; a client may add to it, as to Cookie.
    fileprivate func isIn(_ request: SeenExchange) -> Bool {
        let wanted = value.literalBytes.map { FieldLines.trimmed(String(decoding: $0, as: UTF8.self)) } ?? ""
        return request.head.fields.values(named: name).contains { value in
            wanted.isEmpty || String(decoding: Array(value), as: UTF8.self).contains(text: wanted)
        }
    }

    /// The field for a sentence.
    fileprivate var shown: String {
        let text = value.literalBytes.map { ": \(String(decoding: $0, as: UTF8.self))" } ?? ""
        return EventText.printable(String(decoding: name, as: UTF8.self) + text, limit: 100)
    }

    fileprivate func names(_ other: String) -> Bool {
        HTTPField(name: other, bytes: []).isNamed(String(decoding: name, as: UTF8.self))
    }
}
