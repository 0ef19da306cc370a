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
        json.key("session")
        session.append(to: &json)
        json.key("steps")
        json.open("[")
        for step in steps {
            json.element()
            step.append(to: &json)
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
        if let proxy { json.member("proxy", proxy) }
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
        if let trust { json.member("trust", trust) }
        if let identity {
            json.key("identity")
            identity.append(to: &json)
        }
        json.close("}")
    }
}

extension Assignment.Step {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("method", method)
        json.member("url", url)
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
        if let redirectCount { json.member("redirectCount", redirectCount) }
        if let challengeCount { json.member("challengeCount", challengeCount) }
        json.member("onResponse", onResponse.rawValue)
        json.member("onBodyStream", onBodyStream.rawValue)
        json.member("onWillCache", onWillCache.rawValue)
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
        json.member("producesResumeData", producesResumeData)
        if let cachePolicy { json.member("cachePolicy", cachePolicy.rawValue) }
        if let protocolScript {
            json.key("protocolScript")
            json.list(protocolScript) { $0.append(to: &$1) }
        }
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

extension Assignment.RedirectAnswer {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", word)
        if case .change(let method, let url, let headers) = self {
            if let method { json.member("method", method) }
            if let url { json.member("url", url) }
            if !headers.isEmpty {
                json.key("headers")
                headers.append(to: &json)
            }
        }
        json.close("}")
    }
}

extension Assignment.ChallengeAnswer {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", word)
        if let credential {
            if let token = credential.token {
                json.member("token", token)
            } else {
                json.member("user", credential.user)
                json.member("password", credential.password)
            }
            json.member("persistence", credential.persistence.rawValue)
        }
        if case .identity(let identity?) = self {
            json.key("identity")
            identity.append(to: &json)
        }
        json.close("}")
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
        case ownScheme, trust, identity
    }

    /// Every key but the first two and `cookies` may be left out.
    public init(from decoder: any Decoder) throws {
        self.init()
        let keys = try decoder.container(keyedBy: Key.self)
        delegates = try keys.word(.delegates, else: delegates, &unknownWords)
        queue = try keys.word(.queue, else: queue, &unknownWords)
        end = try keys.wordIfPresent(.end, &unknownWords)
        endAt = try keys.decodeIfPresent(Assignment.Moment.self, forKey: .endAt)
        cookies = try keys.word(.cookies, else: cookies, &unknownWords)
        cache = try keys.decodeIfPresent(Int.self, forKey: .cache)
        requestTimeout = try keys.decodeIfPresent(Int.self, forKey: .requestTimeout)
        resourceTimeout = try keys.decodeIfPresent(Int.self, forKey: .resourceTimeout)
        proxy = try keys.decodeIfPresent(String.self, forKey: .proxy)
        names = try keys.decodeIfPresent([Assignment.NamedHost].self, forKey: .names)
        namesProxy = try keys.decodeIfPresent(String.self, forKey: .namesProxy)
        ownScheme = try keys.decodeIfPresent(String.self, forKey: .ownScheme)
        trust = try keys.decodeIfPresent(String.self, forKey: .trust)
        identity = try keys.decodeIfPresent(Assignment.Identity.self, forKey: .identity)
    }
}

extension Assignment.Step: Decodable {
    private enum Key: String, CodingKey {
        case method, url, headers, body, bodyForm, task, onRedirect, onChallenge, redirectCount, challengeCount
        case onResponse, onBodyStream, onWillCache, answerAfter, cancelAt, suspendAt, suspendFor, timeout, resume
        case producesResumeData, cachePolicy, protocolScript
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
        onWillCache = try keys.word(.onWillCache, else: onWillCache, &unknownWords)
        answerAfter = try keys.decodeIfPresent(Int.self, forKey: .answerAfter)
        cancelAt = try keys.decodeIfPresent(Assignment.Moment.self, forKey: .cancelAt)
        suspendAt = try keys.decodeIfPresent(Assignment.Moment.self, forKey: .suspendAt)
        suspendFor = try keys.decode(Int.self, forKey: .suspendFor)
        timeout = try keys.decodeIfPresent(Int.self, forKey: .timeout)
        resume = try keys.decodeIfPresent(Int.self, forKey: .resume)
        producesResumeData = try keys.decode(Bool.self, forKey: .producesResumeData)
        cachePolicy = try keys.wordIfPresent(.cachePolicy, &unknownWords)
        protocolScript = try keys.decodeIfPresent([Assignment.ProtocolCall].self, forKey: .protocolScript)
    }
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
    private enum Key: String, CodingKey { case call, argument, isOnOtherThread }

    /// A call that cannot be played says so when it is its turn.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        self.init(
            try keys.decode(String.self, forKey: .call),
            try keys.decodeIfPresent(String.self, forKey: .argument),
            isOnOtherThread: try keys.decode(Bool.self, forKey: .isOnOtherThread))
    }
}
