import ProctorBase
import ProctorHTTP

/// Lines of curl, as they stand in tickets: the requests, to which the scenario answers 200 until a person writes more.
package enum CurlReader {
    /// `readFile` gives the content of files that the lines send.
    package static func read(
        _ lines: [String], keepsSecrets: Bool, readFile: (String) throws(FileRefusal) -> [UInt8]
    ) throws(ImportFailure) -> Draft {
        var drafter = Drafter(keepsSecrets: keepsSecrets)
        for (number, line) in lines.enumerated() {
            let name = lines.count == 1 ? "the line" : "line \(number + 1)"
            guard line.utf8.count <= 1 << 20 else {
                throw ImportFailure(at: name, "it has more than \(1 << 20) bytes, as many as are read")
            }
            for call in try CurlCall.calls(of: line, name: name, readFile: readFile) { try drafter.add(call, at: name) }
        }
        return try drafter.finish()
    }

    private struct Drafter {
        let keepsSecrets: Bool
        private var addresses = LateAddresses()
        private var draft = Draft(summary: "")
        private var store: SecretStore
        private var requests: [String] = []

        init(keepsSecrets: Bool) {
            self.keepsSecrets = keepsSecrets
            store = SecretStore(keepsSecrets: keepsSecrets)
        }

        mutating func add(_ call: CurlCall, at place: String) throws(ImportFailure) {
            guard !call.urls.isEmpty else {
                throw ImportFailure(at: place, "the line has no URL; expected one like https://example.com/path")
            }
            for remark in call.remarks where !draft.remarks.contains(remark) { draft.remarks.append(remark) }
            for url in call.urls { try add(call, url: url, at: place) }
        }

        private mutating func add(_ call: CurlCall, url: String, at place: String) throws(ImportFailure) {
            let method = method(of: call)
            // A URL without a scheme is one of http.
            let isBare = url.firstRange(ofText: "://") == nil
            guard var recorded = RecordedRequest(method: method, url: isBare ? "http://\(url)" : url) else {
                throw ImportFailure(at: place, "\(ByteShow.quote(url.utf8)) is no URL of http or https")
            }
            if call.isGet, let content = call.content {
                recorded.target +=
                    (recorded.target.contains("?") ? "&" : "?") + String(decoding: content, as: UTF8.self)
            }
            if recorded.target.hasSuffix("/"), let file = call.uploadName {
                recorded.target += String(decoding: CurlCall.escaped(Array(file.utf8)), as: UTF8.self)
            }
            guard let name = addresses.name(of: recorded.origin) else {
                throw ImportFailure(at: place, "the lines have more than \(LateAddresses.most) hosts")
            }
            searchSecrets(call, recorded.target, at: place)
            let pattern = TargetPattern(store: store, givenIDs: [])
            guard let target = pattern.pattern(recorded.target) else {
                throw ImportFailure(
                    at: place, "the URL \(ByteShow.quote(url.utf8)) has bytes that no target has; escape them with %")
            }
            var request = DraftRequest(method, .text(target.text))
            addFields(of: call, to: &request, pattern)
            addContent(of: call, to: &request, pattern, at: place)
            let credential = credential(of: call, at: place)
            if let credential, call.usesDigest || keepsSecrets {
                addGuarded(request, credential, call: call, origin: name)
            } else {
                if credential != nil { request.headers.append(.init("Authorization", .text("Basic *"))) }
                append(request, reply(to: call, method), origin: name)
            }
            requests.append("\(method) \(recorded.origin)\(target.text.prefix { $0 != "?" })")
        }

        private func method(of call: CurlCall) -> String {
            if let method = call.method { return method }
            if call.isHead { return "HEAD" }
            if call.isUpload { return "PUT" }
            return !call.isGet && (call.content != nil || !call.parts.isEmpty) ? "POST" : "GET"
        }

        private mutating func searchSecrets(_ call: CurlCall, _ target: String, at place: String) {
            guard !keepsSecrets else { return }
            var fields = call.fields.compactMap { field in field.value.map { HTTPField(field.name, $0) } }
            if let cookies = call.cookies { fields.append(HTTPField("Cookie", cookies)) }
            var search = SecretSearch(continuing: store)
            let type =
                call.content != nil && !fields.contains(named: "Content-Type")
                ? [HTTPField("Content-Type", Self.formType)] : []
            search.searchRequest(
                RecordedRequest(
                    method: "GET", origin: "", target: target, fields: fields + type, content: call.content),
                at: place)
            store = search.store
            store.prepare()
        }

        private static let formType = "application/x-www-form-urlencoded"

        // MARK: Parts of the request

        private func addFields(of call: CurlCall, to request: inout DraftRequest, _ pattern: TargetPattern) {
            for (name, value) in call.fields where !["host", "content-length"].contains(name.lowercased()) {
                guard let value else {
                    request.headers.append(.init(name, .null))
                    continue
                }
                let isSecret = !keepsSecrets && SecretNames.contains(name)
                if name.lowercased() == "authorization", !keepsSecrets {
                    request.headers.append(
                        .init(name, .text(LiteralText.pattern(String(value.prefix { $0 != " " })) + " *")))
                } else if name.lowercased() == "accept-encoding" {
                    request.headers.append(.init(name, .text(value)))
                } else {
                    request.headers.append(.init(name, .text(isSecret ? "*" : pattern.open(value))))
                }
            }
            if let range = call.range {
                request.headers.append(.init("Range", .text("bytes=\(LiteralText.pattern(range))")))
            }
            guard let cookies = call.cookies else { return }
            var names = Set(request.cookies.map(\.key))
            for pair in cookies.split(separator: ";") {
                let halves = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, names.insert(String(halves[0])).inserted else { continue }
                request.cookies.append(
                    .init(String(halves[0]), .text(keepsSecrets ? LiteralText.pattern(String(halves[1])) : "*")))
            }
        }

        private mutating func addContent(
            of call: CurlCall, to request: inout DraftRequest, _ pattern: TargetPattern, at place: String
        ) {
            if !call.parts.isEmpty {
                request.content.append(.init("parts", .list(call.parts)))
            } else if let content = call.content, !call.isGet {
                let field = call.fields.first { $0.name.lowercased() == "content-type" }?.value
                let type = (field ?? (call.isForm ? Self.formType : nil)).flatMap { MediaType(Array($0.utf8)) }
                if let member = ContentDraft(pattern: pattern).member(for: content, type: type) {
                    request.content.append(member)
                } else {
                    draft.remarks.add(
                        at: place,
                        "the content of \(content.count) bytes is too long to be compared, or holds a secret")
                }
            }
        }

        private mutating func credential(of call: CurlCall, at place: String) -> (user: String, password: String)? {
            guard let user = call.user else { return nil }
            let halves = user.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let password = halves.count == 2 ? halves[1] : ""
            guard !keepsSecrets else { return (halves[0], password) }
            let word = store.word(for: password.utf8, "the password of \(halves[0])", at: place)
            return (halves[0], word)
        }

        /// With its password the guard judges it; without, the challenge stands in the file and any answer is taken.
        private mutating func addGuarded(
            _ request: DraftRequest, _ credential: (user: String, password: String), call: CurlCall, origin: String
        ) {
            let reply = reply(to: call, request.method)
            if keepsSecrets {
                let scheme = call.usesDigest ? "digest" : "basic"
                let users: YAMLTree = [credential.user: .text(credential.password)]
                draft.guards = [.init("main", ["users": users, "schemes": .list([.text(scheme)])])]
                append(request, reply, origin: origin, more: [.init("auth", .text("main"))])
                return
            }
            var asking = request
            asking.headers.append(.init("Authorization", .null))
            asking.content = []
            var challenge = DraftReply(401)
            challenge.headers = [
                .init("WWW-Authenticate", .text(#"Digest realm="main", nonce="0a4f113b", qop="auth", algorithm=MD5"#))
            ]
            append(asking, challenge, origin: origin)
            var answered = request
            answered.headers.append(.init("Authorization", .text("Digest *")))
            append(answered, reply, origin: origin)
        }

        // MARK: Exchanges

        private func reply(to call: CurlCall, _ method: String) -> DraftReply {
            var reply = DraftReply(200)
            reply.headers = [.init("Content-Type", .text("text/plain"))]
            if method != "HEAD" { reply.body = .text("ok\n") }
            if call.range != nil { reply.more.append(.init("honours", .text("ranges"))) }
            return reply
        }

        private mutating func append(
            _ request: DraftRequest, _ reply: DraftReply, origin: String, more: [YAMLTree.Member] = []
        ) {
            let origin = origin == "main" ? nil : origin
            guard !draft.exchanges.contains(where: { $0.request == request && $0.origin == origin }) else { return }
            var exchange = DraftExchange(request, [reply], origin: origin)
            exchange.more = more
            draft.exchanges.append(exchange)
        }

        func finish() throws(ImportFailure) -> Draft {
            var draft = draft
            draft.origins = addresses.origins
            let first = requests.first ?? ""
            draft.summary = "curl asks \(first)" + (requests.count > 1 ? " and \(requests.count - 1) more" : "")
            draft.comments = ["A line of curl does not say what comes back: write the replies."]
            draft.secrets = ReplacedSecrets(store, orOpen: true)
            return draft
        }
    }
}
