import ProctorBase

extension Assignment {
    /// As one JSON object without a line feed at its end; parts that are nil are left out.
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
        json.member("delegates", delegates)
        json.member("queue", queue)
        if let end { json.member("end", end) }
        if let endAt {
            json.key("endAt")
            endAt.append(to: &json)
        }
        json.member("cookies", cookies)
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
        json.member("bodyForm", bodyForm)
        json.member("task", task)
        json.key("onRedirect")
        json.list(onRedirect) { $0.append(to: &$1) }
        json.key("onChallenge")
        json.list(onChallenge) { $0.append(to: &$1) }
        if let redirectCount { json.member("redirectCount", redirectCount) }
        if let challengeCount { json.member("challengeCount", challengeCount) }
        json.member("onResponse", onResponse)
        json.member("onBodyStream", onBodyStream)
        json.member("onWillCache", onWillCache)
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
        if let cachePolicy { json.member("cachePolicy", cachePolicy) }
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
        json.member("event", event)
        json.member("count", count)
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
        json.member("answer", answer)
        if let method { json.member("method", method) }
        if let url { json.member("url", url) }
        if let headers {
            json.key("headers")
            headers.append(to: &json)
        }
        json.close("}")
    }
}

extension Assignment.ChallengeAnswer {
    fileprivate func append(to json: inout JSONText) {
        json.open("{")
        json.member("answer", answer)
        if let user { json.member("user", user) }
        if let password { json.member("password", password) }
        if let token { json.member("token", token) }
        if let persistence { json.member("persistence", persistence) }
        if let identity {
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
        json.member("call", call)
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

extension JSONText {
    /// A list whose elements `body` writes.
    mutating func list<Element>(_ elements: [Element], _ body: (Element, inout JSONText) -> Void) {
        open("[")
        for item in elements {
            element()
            body(item, &self)
        }
        close("]")
    }
}
