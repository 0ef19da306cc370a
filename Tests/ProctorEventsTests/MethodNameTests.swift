import ProctorEvents
import Testing

struct MethodNameTests {
    @Test func `no spelling stands for two methods, and none is a neutral name`() {
        let spellings = MethodName.all.flatMap(\.spellings)
        #expect(Set(spellings).count == spellings.count)
        for spelling in spellings { #expect(EventVocabulary.kind(named: spelling) == nil) }
    }

    @Test func `every spelling is found, and belongs to a lane of its event`() throws {
        for method in MethodName.all {
            #expect(!method.spellings.isEmpty)
            for spelling in method.spellings {
                #expect(MethodName.named(spelling) == method, "\(spelling)")
                #expect(MethodName.named(spelling + "x") == nil && MethodName.named("x" + spelling) == nil)
                #expect(MethodName.named(String(spelling.dropLast())) == nil || spelling.hasSuffix(")"))
            }
            guard let event = method.event else { continue }
            #expect(EventVocabulary.kind(named: event.rawValue)?.lanes.contains(method.lane) == true, "\(method)")
        }
    }

    @Test func `every spelling is read as an event and as a line of a log`() {
        for method in MethodName.all {
            for spelling in method.spellings {
                let read = TraceVerifier.read([Array("{\"ev\":\"\(spelling)\"}\n".utf8)], 1_000)
                let log = TraceVerifier.read([Array("-[MyProtocol \(spelling)]\n".utf8)], 1_000)
                #expect(read.errors.isEmpty)
                guard let event = method.event else {
                    #expect(read.events.isEmpty && read.skippedLineCount == 1)
                    #expect(log.events.isEmpty && log.skippedLineCount == 1)
                    continue
                }
                // What the argument leaves open is resolved below.
                let isOpen = spelling.hasSuffix("(_:didReceive:)") && spelling.hasPrefix("connection")
                #expect(read.events.map(\.name) == [isOpen ? .response : event], "\(spelling)")
                #expect(log.events.map(\.name) == [isOpen ? .response : event], "\(spelling)")
                for seen in [read, log] {
                    #expect(seen.events.first?.lane == method.lane)
                    let isGuessed = !method.isOfOneFamily && event != .complete
                    #expect(seen.events.first?.family == (isGuessed ? nil : method.family))
                    #expect(seen.events.first?.facts.text(.sel) == spelling)
                }
            }
        }
    }

    @Test func `every event of a delegate or a protocol has a method`() {
        // An event source has no delegate.
        let known = Set(MethodName.all.compactMap { $0.event } + [.esOpen, .esEvent, .esError])
        for kind in EventVocabulary.kinds
        where !Set(kind.lanes).isDisjoint(with: [.task, .session, .proto, .protocolClient]) {
            #expect(known.contains(kind.event), "\(kind.name)")
        }
    }

    @Test func `a misspelt name finds the nearest name`() {
        #expect(MethodName.nearestName(to: "compleet") == "complete")
        #expect(MethodName.nearestName(to: "conection:didReceiveResponse:") == "connection:didReceiveResponse:")
        #expect(
            MethodName.nearestName(to: "urlSession(_:task:didCompleteWithErr:)")
                == "urlSession(_:task:didCompleteWithError:)")
        #expect(MethodName.nearestName(to: "applicationDidFinishLaunching:") == nil)
    }

    struct Open: Sendable, CustomTestStringConvertible {
        let ev: String
        let rest: String
        let symbol: String

        init(_ ev: String, _ rest: String, _ symbol: String) {
            self.ev = ev
            self.rest = rest
            self.symbol = symbol
        }

        var testDescription: String { "\(ev) \(rest)" }
    }

    private static let open: [Open] = [
        Open("connection:willSendRequest:redirectResponse:", "", "canonicalize"),
        Open("connection:willSendRequest:redirectResponse:", #","arg":null"#, "canonicalize"),
        Open("connection:willSendRequest:redirectResponse:", #","arg":"302""#, "redirect(302)"),
        Open("connection:willSendRequest:redirectResponse:", #","facts":{"status":307}"#, "redirect(307)"),
        Open("connection:willSendRequest:redirectResponse:", #","arg":"200""#, "canonicalize"),
        Open("download(_:willSend:redirectResponse:)", #","arg":301"#, "redirect(301)"),
        Open("urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)", "", "redirect"),
        Open("urlSession(_:task:willPerformHTTPRedirection:newRequest:)", #","arg":null"#, "canonicalize"),
        Open("URLProtocol:wasRedirectedToRequest:redirectResponse:", #","arg":null"#, "canonicalize"),
        Open("URLProtocol:wasRedirectedToRequest:redirectResponse:", #","arg":"303""#, "redirect(303)"),
        Open("urlSession(_:dataTask:didBecome:)", "", "becameDownload"),
        Open("urlSession(_:dataTask:didBecome:)", #","arg":"NSURLSessionDownloadTask""#, "becameDownload"),
        Open("urlSession(_:dataTask:didBecome:)", #","arg":"URLSessionStreamTask""#, "becameStream"),
        Open("urlSession(_:dataTask:didBecome:)", #","arg":"stream""#, "becameStream"),
        Open("connection(_:didReceive:)", #","arg":"404""#, "response(404)"),
        Open("connection(_:didReceive:)", #","arg":"NSHTTPURLResponse""#, "response"),
        Open("connection(_:didReceive:)", #","arg":"Data""#, "data"),
        Open("connection(_:didReceive:)", #","arg":"512 bytes""#, "data"),
        Open("connection(_:didReceive:)", #","arg":"basic""#, "challenge(basic)"),
        Open("connection(_:didReceive:)", #","arg":"NSURLAuthenticationMethodNTLM""#, "challenge(ntlm)"),
        Open("download(_:didReceive:)", #","arg":"512""#, "response(512)"),
        Open(
            "download(_:didReceive:)", #","arg":"NSURLAuthenticationChallenge""#,
            "challenge(NSURLAuthenticationChallenge)"),
        Open("connectionDidFinishLoading:", #","arg":"whatever""#, "complete(ok)"),
        Open("downloadDidFinish(_:)", "", "complete(ok)"),
        Open("URLProtocolDidFinishLoading:", "", "complete(ok)"),
        Open("connection:didFailWithError:", "", "complete(unknown)"),
        Open("connection:didFailWithError:", #","arg":"-1001""#, "complete(timedOut)"),
        Open("download:didFailWithError:", #","arg":"NSPOSIXErrorDomain#54""#, "complete(NSPOSIXErrorDomain#54)"),
        Open(
            "urlProtocol(_:didFailWithError:)", #","facts":{"domain":"NSURLErrorDomain","code":-1004}"#,
            "complete(cannotConnect)"),
        Open("URLSession:task:didCompleteWithError:", "", "complete"),
        Open("URLSession:task:didCompleteWithError:", #","arg":null"#, "complete(ok)"),
        Open("URLSession:task:didCompleteWithError:", #","arg":"(null)""#, "complete(ok)"),
        Open("URLSession:task:didCompleteWithError:", #","arg":"ok""#, "complete(ok)"),
        Open("URLSession:task:didCompleteWithError:", #","arg":"networkConnectionLost""#, "complete(connectionLost)"),
        Open("URLSession:didBecomeInvalidWithError:", #","arg":null"#, "sessionInvalid(ok)"),
        Open(
            "URLSession:task:didReceiveChallenge:completionHandler:", #","arg":"NSURLAuthenticationMethodHTTPBasic""#,
            "challenge(basic)"),
        Open(
            "connection:canAuthenticateAgainstProtectionSpace:", #","arg":"NSURLAuthenticationMethodServerTrust""#,
            "askCanAuth(serverTrust)"),
        Open("sendSynchronousRequest:returningResponse:error:", "", "awaited"),
        Open("sendSynchronousRequest(_:returning:)", #","arg":"ok""#, "awaited(ok)"),
        Open(
            "sendAsynchronousRequest:queue:completionHandler:",
            #","facts":{"domain":"NSURLErrorDomain","code":-1001}"#, "handler(timedOut)"),
        Open("URLSession:dataTask:didReceiveData:", #","arg":"512""#, "data"),
        Open("URLSession:task:didReceiveInformationalResponse:", #","arg":103"#, "informational(103)"),
    ]

    @Test(arguments: open)
    func `the other values of a line decide what a method name leaves open`(_ row: Open) {
        let seen = TraceVerifier.seen("{\"ev\":\"\(row.ev)\"\(row.rest)}\n")
        #expect(seen.symbols == row.symbol)
    }

    @Test func `connection didReceive is data once there was a response`() {
        let line = "{\"ev\":\"connection(_:didReceive:)\",\"task\":1}\n"
        let other = "{\"ev\":\"connection(_:didReceive:)\",\"task\":2}\n"
        let seen = TraceVerifier.seen(line + other + line + line + other)
        #expect(seen.symbols == "response response data data data")
    }

    @Test func `the scope of a challenge is the method's`() {
        let seen = TraceVerifier.seen(
            "{\"ev\":\"urlSession(_:didReceive:completionHandler:)\",\"arg\":\"serverTrust\"}\n"
                + "{\"ev\":\"urlSession(_:task:didReceive:completionHandler:)\",\"arg\":\"basic\"}\n"
                + "{\"ev\":\"urlSession(_:task:didReceive:)\",\"arg\":\"basic\",\"facts\":{\"scope\":\"session\",\"sel\":\"x\"}}\n"
        )
        #expect(seen.events.map(\.lane) == [.session, .task, .task])
        #expect(seen.events.map { $0.facts.text(.scope) } == ["session", "task", "session"])
        #expect(seen.events.last?.facts.text(.sel) == "x")
    }

    // MARK: Families

    @Test func `a family that is stated once applies to the task`() {
        let seen = TraceVerifier.seen(
            "{\"lane\":\"harness\",\"ev\":\"resume\",\"task\":1,\"family\":\"UD\"}\n{\"ev\":\"progress\",\"task\":1}\n{\"ev\":\"data\"}\n"
                + "{\"ev\":\"handler\",\"task\":1}\n{\"lane\":\"harness\",\"ev\":\"answer\",\"object\":1}\n{\"ev\":\"request\",\"task\":1}\n"
                + "{\"lane\":\"client\",\"ev\":\"data\",\"object\":1}\n{\"ev\":\"p.start\",\"object\":1}\n"
                + "{\"ev\":\"fileReady\",\"task\":1,\"family\":\"CD\"}\n{\"ev\":\"complete\",\"task\":1}\n")
        #expect(
            seen.events.map(\.family) == [
                .sessionDownload, .sessionDownload, nil, .sessionDownload, nil, nil, .urlProtocol, nil,
                .connectionDownload, .connectionDownload,
            ])
    }

    @Test func `a method of one family decides what methods of several left open`() throws {
        let text =
            "{\"ev\":\"URLSession:task:didReceiveChallenge:completionHandler:\",\"task\":3}\n{\"ev\":\"metrics\",\"task\":3}\n"
            + "{\"ev\":\"URLSession:downloadTask:didFinishDownloadingToURL:\",\"task\":3}\n"
            + "{\"ev\":\"URLSession:task:didCompleteWithError:\",\"task\":3}\n{\"ev\":\"data\",\"task\":4}\n"
        #expect(TraceVerifier.seen(text).events.map(\.family) == [nil, nil, .sessionDownload, .sessionDownload, nil])
        #expect(
            try Trace(Array(text.utf8)).events.map(\.family) == [
                .sessionDownload, .sessionDownload, .sessionDownload, .sessionDownload, nil,
            ])
    }

    @Test func `a guessed family is stated at the end, and in a whole trace from the beginning`() throws {
        let text =
            "connectionShouldUseCredentialStorage: task=1\nurlSession(_:didCreateTask:)\nconnection:didFailWithError: task=1 -1\n"
            + "urlSession(_:taskIsWaitingForConnectivity:) task=2\n"
        #expect(TraceVerifier.seen(text).events.map(\.family) == [nil, nil, .connection, nil])
        #expect(
            try Trace(Array(text.utf8)).events.map(\.family) == [.connection, .sessionData, .connection, .sessionData])
    }

    @Test func `a stated family is not changed by a method, and old tasks are forgotten`() {
        let seen = TraceVerifier.read(
            [
                Array(
                    ("{\"ev\":\"data\",\"task\":5,\"family\":\"BG\"}\n"
                        + "{\"ev\":\"URLSession:downloadTask:didFinishDownloadingToURL:\",\"task\":5}\n"
                        + "{\"ev\":\"data\",\"task\":\(5 + 16_384),\"family\":\"US\"}\n{\"ev\":\"data\",\"task\":5}\n"
                        + "{\"ev\":\"data\",\"task\":\(Int.max)}\n").utf8)
            ], 1_000)
        #expect(seen.events.map(\.family) == [.sessionBackground, .sessionBackground, .sessionData, nil, nil])
    }
}
