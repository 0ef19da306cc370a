import ProctorBase

extension Assignment {
    /// One JSON object for adapters, without a trailing line feed; nil parts are left out.
    public var json: [UInt8] {
        var json = JSONText()
        json.open("{")
        json.member("version", version)
        json.member("scenario", scenario)
        json.member("case", caseName)
        json.member("base", base)
        if let run { json.member("run", run) }
        json.member("deadline", deadline)
        if let awaited {
            json.key("awaited")
            json.open("[")
            for name in awaited { json.element(name) }
            json.close("]")
        }
        if let needs {
            json.key("needs")
            json.open("[")
            for word in needs { json.element(word) }
            json.close("]")
        }
        if let protocolName { json.member("protocol", protocolName) }
        json.key("session")
        session.append(to: &json)
        json.key("steps")
        json.open("[")
        for step in steps {
            json.element()
            step.append(to: &json, in: session)
        }
        json.close("]")
        json.close("}")
        return json.bytes
    }
}

extension SessionSetup {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("delegates", delegates.rawValue)
        if !without.isEmpty {
            json.key("without")
            json.open("[")
            for method in without { json.element(method.rawValue) }
            json.close("]")
        }
        if let challengeMethods { json.member("challengeMethods", challengeMethods.rawValue) }
        json.member("queue", queue.rawValue)
        if let end { json.member("end", end.rawValue) }
        if let endAt {
            json.key("endAt")
            endAt.append(to: &json)
        }
        json.member("cookies", cookies.rawValue)
        if let cache { json.member("cache", cache) }
        if let requestTimeout { json.member("requestTimeout", requestTimeout) }
        if let resourceTimeout { json.member("resourceTimeout", resourceTimeout) }
        if let connectionsPerHost { json.member("connectionsPerHost", connectionsPerHost) }
        if let proxy { json.member("proxy", proxy) }
        if let proxyProtocol { json.member("proxyProtocol", proxyProtocol.rawValue) }
        if let names {
            json.key("names")
            json.list(names) { host, json in
                json.open("{")
                json.member("name", host.name)
                json.member("port", host.port)
                json.member("address", host.address)
                json.close("}")
            }
        }
        if let namesProxy { json.member("namesProxy", namesProxy) }
        if let ownScheme { json.member("ownScheme", ownScheme) }
        if !protocols.isEmpty {
            json.key("protocols")
            json.list(protocols) { item, json in
                json.open("{")
                json.member("name", item.name)
                json.member("takes", item.takes.text)
                json.member("place", item.place.rawValue)
                json.close("}")
            }
        }
        if isShared { json.member("shared", isShared) }
        if keepsObjects { json.member("keepsObjects", keepsObjects) }
        if callsAtOnce { json.member("callsAtOnce", callsAtOnce) }
        if let trust { json.member("trust", trust) }
        if let identity {
            json.key("identity")
            identity.append(to: &json)
        }
        json.close("}")
    }
}

extension Assignment.Step {
    fileprivate func append(to json: inout JSONText, in session: SessionSetup) {
        json.open("{")
        json.member("method", method)
        json.member("url", url)
        if let address = session.address(of: url) { json.member("address", address) }
        json.key("headers")
        headers.append(to: &json)
        if let body {
            json.key("body")
            body.append(to: &json)
        }
        json.member("bodyForm", bodyForm.rawValue)
        json.member("task", task.rawValue)
        json.key("onRedirect")
        json.list(onRedirect) { $0.append(to: &$1) }
        json.key("onChallenge")
        json.list(onChallenge) { $0.append(to: &$1) }
        let told = Beforehand(self, hasProxy: session.proxy != nil, judgesServers: session.trust != nil)
        if let told {
            json.key("beforehand")
            json.open("{")
            json.member("follow", told.follow)
            if let credential = told.credential {
                json.key("credential")
                json.open("{")
                credential.append(to: &json)
                json.close("}")
            }
            json.close("}")
        }
        if let redirectCount { json.member("redirectCount", redirectCount) }
        if let challengeCount { json.member("challengeCount", challengeCount) }
        json.member("onResponse", onResponse.rawValue)
        json.member("onBodyStream", onBodyStream.rawValue)
        if case .change(let change) = onWillCache {
            json.key("onWillCache")
            change.append(to: &json)
        } else {
            json.member("onWillCache", onWillCache.word)
        }
        if let onCanAuthenticate { json.member("onCanAuthenticate", onCanAuthenticate) }
        if let onCredentialStorage { json.member("onCredentialStorage", onCredentialStorage) }
        if let onShouldDecode {
            json.key("onShouldDecode")
            onShouldDecode.append(to: &json)
        }
        if let onCanonicalize {
            json.key("onCanonicalize")
            onCanonicalize.append(to: &json)
        }
        if let answerAfter { json.member("answerAfter", answerAfter) }
        if let cancelAt {
            json.key("cancelAt")
            cancelAt.append(to: &json)
        }
        if let suspendAt {
            json.key("suspendAt")
            suspendAt.append(to: &json)
        }
        json.member("suspendFor", suspendFor)
        if let timeout { json.member("timeout", timeout) }
        if let resume { json.member("resume", resume) }
        if isTogether { json.member("together", isTogether) }
        json.member("producesResumeData", producesResumeData)
        if let download {
            json.key("download")
            download.append(to: &json)
        }
        if let cachePolicy { json.member("cachePolicy", cachePolicy.rawValue) }
        if let schedule {
            json.key("schedule")
            json.open("{")
            json.member("start", schedule.start.rawValue)
            json.member("on", schedule.place.rawValue)
            json.member("mode", schedule.mode.rawValue)
            json.close("}")
        }
        if let protocolScript {
            json.key("protocolScript")
            json.list(protocolScript) { $0.append(to: &$1) }
        }
        if !fieldNames.isEmpty {
            json.key("fieldNames")
            json.open("[")
            for name in fieldNames { json.element(name) }
            json.close("]")
        }
        if let form {
            json.key("form")
            form.append(to: &json)
        }
        if let query {
            json.key("query")
            query.append(to: &json)
        }
        if !byHand.isEmpty {
            json.key("byHand")
            json.list(byHand) { act, json in
                json.open("{")
                json.member("act", act.word)
                if let text = act.text { json.member("text", text) }
                json.close("}")
            }
        }
        if !reads.isEmpty {
            json.key("reads")
            json.open("[")
            for store in reads { json.element(store.rawValue) }
            json.close("]")
        }
        json.close("}")
    }
}

extension Assignment.CachedChange {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", "change")
        if let body { json.member("body", body) }
        if let storage { json.member("storage", storage.rawValue) }
        if let notes {
            json.key("notes")
            json.open("{")
            for (name, text) in notes.sorted(by: { $0.key < $1.key }) { json.member(named: name, text) }
            json.close("}")
        }
        json.close("}")
    }
}

extension Assignment.DownloadFileProgram {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        if let deletesFileUponFailure { json.member("deletesFileUponFailure", deletesFileUponFailure) }
        if let destination { json.member("destination", destination) }
        if let overwrites { json.member("overwrites", overwrites) }
        json.close("}")
    }
}

extension Assignment.Moment {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("event", word)
        if case .event(_, let count) = self { json.member("count", count) } else { json.member("count", 1) }
        json.close("}")
    }
}

extension Assignment.Bytes {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        if let text { json.member("text", text) }
        if let base64 { json.member("base64", base64) }
        if let count { json.member("count", count) }
        json.close("}")
    }
}

extension JSONText {
    /// The members of a changed request; what stays as it is has none.
    fileprivate mutating func change(method: String?, url: String?, headers: [[String]]) {
        if let method { member("method", method) }
        if let url { member("url", url) }
        guard !headers.isEmpty else { return }
        key("headers")
        headers.append(to: &self)
    }
}

extension Assignment.RedirectAnswer {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", word)
        if case .change(let method, let url, let headers) = self {
            json.change(method: method, url: url, headers: headers)
        }
        json.close("}")
    }
}

extension Assignment.CanonicalAnswer {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", word)
        if case .change(let method, let url, let headers) = self {
            json.change(method: method, url: url, headers: headers)
        }
        json.close("}")
    }
}

extension Assignment.DecodeAnswer {
    /// Always by type, with `*` for all others.
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        switch self {
        case .decode: json.member("*", "decode")
        case .leave: json.member("*", "leave")
        case .byType(let types):
            for entry in types { json.member(named: entry.type, entry.isDecoded ? "decode" : "leave") }
            json.member("*", "leave")
        }
        json.close("}")
    }
}

extension Assignment.ChallengeAnswer {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", word)
        if let credential {
            credential.append(to: &json)
            json.member("persistence", credential.persistence.rawValue)
        }
        if case .identity(let identity?) = self {
            json.key("identity")
            identity.append(to: &json)
        }
        json.close("}")
    }
}

extension Assignment.Credential {
    fileprivate func append(to json: inout JSONText) {
        if let token {
            json.member("token", token)
        } else {
            json.member("user", user)
            json.member("password", password)
        }
    }
}

extension Assignment.Identity {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("name", name)
        json.member("certificate", certificate)
        json.member("key", key)
        json.member("pkcs12", pkcs12)
        json.member("passphrase", passphrase)
        json.close("}")
    }
}

extension Assignment.ProtocolCall {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("call", name)
        if let argument { json.member("argument", argument) }
        json.member("isOnOtherThread", isOnOtherThread)
        if !headers.isEmpty {
            json.key("headers")
            headers.append(to: &json)
        }
        if let version { json.member("version", version) }
        json.close("}")
    }
}

extension [[String]] {
    fileprivate func append(to json: inout JSONText) {
        json.list(self) { (pair: [String], json: inout JSONText) in
            json.open("[")
            for text in pair { json.element(text) }
            json.close("]")
        }
    }
}

// MARK: Reading

/// Unknown words are kept, so that a client can report what it can't do.
extension KeyedDecodingContainer {
    fileprivate func word<Word: RawRepresentable<String>>(
        _ key: Key, else standard: Word, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Word {
        let text = try decode(String.self, forKey: key)
        if let word = Word(rawValue: text) { return word }
        unknown.append(Assignment.UnknownWord(key: key.stringValue, word: text))
        return standard
    }

    fileprivate func wordIfPresent<Word: RawRepresentable<String>>(
        _ key: Key, _ unknown: inout [Assignment.UnknownWord]
    ) throws -> Word? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        unknown.append(Assignment.UnknownWord(key: key.stringValue, word: text))
        return nil
    }
}

extension SessionSetup: Decodable {
    private enum Key: String, CodingKey {
        case delegates, queue, end, endAt, cookies, cache, requestTimeout, resourceTimeout, proxy, names, namesProxy
        case ownScheme, trust, identity, connectionsPerHost, protocols, shared, keepsObjects, callsAtOnce, without
        case challengeMethods, proxyProtocol
    }

    /// Every key but the first two and `cookies` may be left out.
    public init(from decoder: any Decoder) throws {
        self.init()
        let keys = try decoder.container(keyedBy: Key.self)
        delegates = try keys.word(.delegates, else: delegates, &unknownWords)
        for word in try keys.decodeIfPresent([String].self, forKey: .without) ?? [] {
            if let method = DelegateMethod(rawValue: word) {
                without.append(method)
            } else {
                unknownWords.append(Assignment.UnknownWord(key: "without", word: word))
            }
        }
        challengeMethods = try keys.wordIfPresent(.challengeMethods, &unknownWords)
        queue = try keys.word(.queue, else: queue, &unknownWords)
        end = try keys.wordIfPresent(.end, &unknownWords)
        endAt = try keys.decodeIfPresent(Assignment.Moment.self, forKey: .endAt)
        cookies = try keys.word(.cookies, else: cookies, &unknownWords)
        cache = try keys.decodeIfPresent(Int.self, forKey: .cache)
        requestTimeout = try keys.decodeIfPresent(Int.self, forKey: .requestTimeout)
        resourceTimeout = try keys.decodeIfPresent(Int.self, forKey: .resourceTimeout)
        connectionsPerHost = try keys.decodeIfPresent(Int.self, forKey: .connectionsPerHost)
        proxy = try keys.decodeIfPresent(String.self, forKey: .proxy)
        proxyProtocol = try keys.wordIfPresent(.proxyProtocol, &unknownWords)
        names = try keys.decodeIfPresent([Assignment.NamedHost].self, forKey: .names)
        namesProxy = try keys.decodeIfPresent(String.self, forKey: .namesProxy)
        ownScheme = try keys.decodeIfPresent(String.self, forKey: .ownScheme)
        trust = try keys.decodeIfPresent(String.self, forKey: .trust)
        identity = try keys.decodeIfPresent(Assignment.Identity.self, forKey: .identity)
        for written in try keys.decodeIfPresent([WrittenProtocolClass].self, forKey: .protocols) ?? [] {
            protocols.append(written.read(&unknownWords))
        }
        isShared = try keys.decodeIfPresent(Bool.self, forKey: .shared) ?? false
        keepsObjects = try keys.decodeIfPresent(Bool.self, forKey: .keepsObjects) ?? false
        callsAtOnce = try keys.decodeIfPresent(Bool.self, forKey: .callsAtOnce) ?? false
    }
}

private struct WrittenProtocolClass: Decodable {
    let name: String
    let takes: String
    let place: String

    /// A word that is not known is kept as such, and the class takes nothing.
    func read(_ unknown: inout [Assignment.UnknownWord]) -> ProtocolClass {
        let takes = ProtocolClass.Takes(takes)
        if takes == nil { unknown.append(Assignment.UnknownWord(key: "takes", word: self.takes)) }
        let place = ProtocolClass.Place(rawValue: place)
        if place == nil { unknown.append(Assignment.UnknownWord(key: "place", word: self.place)) }
        return ProtocolClass(name, takes: takes ?? .none, place: place ?? .session)
    }
}

extension Assignment.Step: Decodable {
    private enum Key: String, CodingKey {
        case method, url, headers, body, bodyForm, task, onRedirect, onChallenge, redirectCount, challengeCount
        case onResponse, onBodyStream, onWillCache, answerAfter, cancelAt, suspendAt, suspendFor, timeout, resume
        case producesResumeData, download, cachePolicy, schedule, protocolScript, fieldNames, form, query, byHand, reads
        case together, onCanAuthenticate, onCredentialStorage, onShouldDecode, onCanonicalize
    }

    /// Keys of non-optional properties are required.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        self.init(
            method: try keys.decode(String.self, forKey: .method), url: try keys.decode(String.self, forKey: .url))
        headers = try keys.decode([[String]].self, forKey: .headers)
        body = try keys.decodeIfPresent(Assignment.Bytes.self, forKey: .body)
        bodyForm = try keys.word(.bodyForm, else: bodyForm, &unknownWords)
        task = try keys.word(.task, else: task, &unknownWords)
        onRedirect = []
        for written in try keys.decode([WrittenRedirectAnswer].self, forKey: .onRedirect) {
            onRedirect.append(written.answer(&unknownWords))
        }
        for written in try keys.decode([WrittenChallengeAnswer].self, forKey: .onChallenge) {
            onChallenge.append(written.answer(&unknownWords))
        }
        redirectCount = try keys.decodeIfPresent(Int.self, forKey: .redirectCount)
        challengeCount = try keys.decodeIfPresent(Int.self, forKey: .challengeCount)
        onResponse = try keys.word(.onResponse, else: onResponse, &unknownWords)
        onBodyStream = try keys.word(.onBodyStream, else: onBodyStream, &unknownWords)
        if let word = try? keys.decode(String.self, forKey: .onWillCache) {
            if let known = Assignment.WillCacheAnswer.plain.first(where: { $0.word == word }) {
                onWillCache = known
            } else {
                unknownWords.append(Assignment.UnknownWord(key: "onWillCache", word: word))
            }
        } else {
            onWillCache = .change(try keys.decode(Assignment.CachedChange.self, forKey: .onWillCache))
        }
        onCanAuthenticate = try keys.decodeIfPresent(Bool.self, forKey: .onCanAuthenticate)
        onCredentialStorage = try keys.decodeIfPresent(Bool.self, forKey: .onCredentialStorage)
        onShouldDecode = try keys.decodeIfPresent([String: String].self, forKey: .onShouldDecode)
            .map { Assignment.DecodeAnswer(written: $0, &unknownWords) }
        onCanonicalize = try keys.decodeIfPresent(WrittenRedirectAnswer.self, forKey: .onCanonicalize)
            .map { $0.canonicalAnswer(&unknownWords) }
        answerAfter = try keys.decodeIfPresent(Int.self, forKey: .answerAfter)
        cancelAt = try keys.decodeIfPresent(Assignment.Moment.self, forKey: .cancelAt)
        suspendAt = try keys.decodeIfPresent(Assignment.Moment.self, forKey: .suspendAt)
        suspendFor = try keys.decode(Int.self, forKey: .suspendFor)
        timeout = try keys.decodeIfPresent(Int.self, forKey: .timeout)
        resume = try keys.decodeIfPresent(Int.self, forKey: .resume)
        isTogether = try keys.decodeIfPresent(Bool.self, forKey: .together) ?? false
        producesResumeData = try keys.decode(Bool.self, forKey: .producesResumeData)
        download = try keys.decodeIfPresent(Assignment.DownloadFileProgram.self, forKey: .download)
        cachePolicy = try keys.wordIfPresent(.cachePolicy, &unknownWords)
        schedule = try keys.decodeIfPresent(WrittenSchedule.self, forKey: .schedule).map { $0.schedule(&unknownWords) }
        protocolScript = try keys.decodeIfPresent([Assignment.ProtocolCall].self, forKey: .protocolScript)
        fieldNames = try keys.decodeIfPresent([String].self, forKey: .fieldNames) ?? []
        form = try keys.decodeIfPresent([[String]].self, forKey: .form)
        query = try keys.decodeIfPresent([[String]].self, forKey: .query)
        for written in try keys.decodeIfPresent([WrittenActByHand].self, forKey: .byHand) ?? [] {
            if let act = ActByHand(word: written.act, text: written.text) {
                byHand.append(act)
            } else {
                unknownWords.append(Assignment.UnknownWord(key: "byHand", word: written.act))
            }
        }
        for word in try keys.decodeIfPresent([String].self, forKey: .reads) ?? [] {
            if let store = StoreToRead(rawValue: word) {
                reads.append(store)
            } else {
                unknownWords.append(Assignment.UnknownWord(key: "reads", word: word))
            }
        }
    }
}

extension Assignment.DecodeAnswer {
    fileprivate init(written: [String: String], _ unknown: inout [Assignment.UnknownWord]) {
        for word in Set(written.values).subtracting(["decode", "leave"]).sorted() {
            unknown.append(Assignment.UnknownWord(key: "onShouldDecode", word: word))
        }
        let types = written.filter { $0.key != "*" }.sorted { $0.key < $1.key }
        self =
            types.isEmpty
            ? Self(word: written["*"] ?? "leave") ?? .leave
            : .byType(types.map { Assignment.DecodedType(type: $0.key, isDecoded: $0.value == "decode") })
    }
}

/// `schedule` in JSON; all keys are required.
private struct WrittenSchedule: Decodable {
    let start: String
    let on: String
    let mode: String

    func schedule(_ unknown: inout [Assignment.UnknownWord]) -> Assignment.Schedule {
        var schedule = Assignment.Schedule()
        func read<Word: RawRepresentable<String>>(_ key: String, _ text: String, into word: inout Word) {
            if let known = Word(rawValue: text) {
                word = known
            } else {
                unknown.append(Assignment.UnknownWord(key: "schedule: \(key)", word: text))
            }
        }
        read("start", start, into: &schedule.start)
        read("on", on, into: &schedule.place)
        read("mode", mode, into: &schedule.mode)
        return schedule
    }
}

/// One entry of `byHand` in JSON.
private struct WrittenActByHand: Decodable {
    let act: String
    let text: String?
}

/// One entry of `onRedirect` in JSON.
private struct WrittenRedirectAnswer: Decodable {
    let answer: String
    let method: String?
    let url: String?
    let headers: [[String]]?

    func answer(_ unknown: inout [Assignment.UnknownWord]) -> Assignment.RedirectAnswer {
        if answer == "change" { return .change(method: method, url: url, headers: headers ?? []) }
        if let known = Assignment.RedirectAnswer(word: answer) { return known }
        unknown.append(Assignment.UnknownWord(key: "onRedirect", word: answer))
        return .follow
    }

    /// The same for `onCanonicalize`.
    func canonicalAnswer(_ unknown: inout [Assignment.UnknownWord]) -> Assignment.CanonicalAnswer {
        if answer == "change" { return .change(method: method, url: url, headers: headers ?? []) }
        if let known = Assignment.CanonicalAnswer(word: answer) { return known }
        unknown.append(Assignment.UnknownWord(key: "onCanonicalize", word: answer))
        return .accept
    }
}

/// One entry of `onChallenge` in JSON; a missing user is empty.
private struct WrittenChallengeAnswer: Decodable {
    let answer: String
    let user: String?
    let password: String?
    let token: String?
    let persistence: String?
    let identity: Assignment.Identity?

    func answer(_ unknown: inout [Assignment.UnknownWord]) -> Assignment.ChallengeAnswer {
        if answer == "identity" { return .identity(identity) }
        if let known = Assignment.ChallengeAnswer(word: answer) { return known }
        let kept = persistence.map(Assignment.Credential.Persistence.init(rawValue:))
        if kept == .some(nil) {
            unknown.append(Assignment.UnknownWord(key: "onChallenge: persistence", word: persistence ?? ""))
        }
        let credential = Assignment.Credential(
            user: user ?? "", password: password ?? "", token: token, persistence: (kept ?? nil) ?? .none)
        if let known = Assignment.ChallengeAnswer(word: answer, credential) { return known }
        unknown.append(Assignment.UnknownWord(key: "onChallenge", word: answer))
        return .performDefault
    }
}

extension Assignment.Moment: Decodable {
    private enum Key: String, CodingKey { case event, count }

    /// Both keys are required; the count is ignored for `before-resume` and `after-resume`.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        let event = try keys.decode(String.self, forKey: .event)
        self.init(event, count: try keys.decode(Int.self, forKey: .count))
    }
}

extension ScriptedProtocolCall: Decodable where Target == String {
    private enum Key: String, CodingKey { case call, argument, isOnOtherThread, headers, version }

    /// A call that cannot be played says so when it is its turn.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        self.init(
            try keys.decode(String.self, forKey: .call),
            try keys.decodeIfPresent(String.self, forKey: .argument),
            isOnOtherThread: try keys.decode(Bool.self, forKey: .isOnOtherThread))
        headers = try keys.decodeIfPresent([[String]].self, forKey: .headers) ?? []
        version = try keys.decodeIfPresent(String.self, forKey: .version)
    }
}
