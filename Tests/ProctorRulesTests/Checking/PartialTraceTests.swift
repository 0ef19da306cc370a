import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// Logs may leave out any event: then what is missing breaks nothing, and a wrong order still does.
struct PartialTraceTests {
    private func judge(_ log: String, family: CallbackFamily? = nil) throws -> TraceReport {
        let trace = try Trace(Array(log.utf8))
        #expect(trace.format == .log)
        var checker = TraceChecker(family: family)
        checker.expectGaps()
        for event in trace.events { checker.observe(event) }
        return checker.finish()
    }

    private func failures(_ report: TraceReport) -> [RuleNumber] {
        report.hits.filter { $0.weight != .observation }.map(\.rule)
    }

    @Test(arguments: [
        "startLoading()\nurlProtocolDidFinishLoading(_:)\n",
        "urlProtocol(_:didReceive:cacheStoragePolicy:) 200\n",
        "connection:didReceiveData: 5\nconnectionDidFinishLoading:\n",
        "connectionDidFinishLoading:\n",
        "urlSession(_:task:didReceive:completionHandler:) basic\nurlSession(_:dataTask:didReceive:) 5 bytes\n",
        "urlSession(_:downloadTask:didFinishDownloadingTo:)\n",
        "urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:) 5 90 100\n"
            + "urlSession(_:task:didCompleteWithError:) nil\n",
        "download:didCreateDestination:\ndownloadDidFinish:\n",
        "stopLoading\ndeinit\n",
    ])
    func `a missing event breaks no rule`(log: String) throws {
        let report = try judge(log)
        #expect(report.grammars.isEmpty && failures(report).isEmpty, "\(report)")
        #expect(report.eventCount > 0)
    }

    @Test(arguments: [
        "connectionDidFinishLoading:\nconnection:didReceiveData: 5\n",
        "download:didCreateDestination:\ndownload:decideDestinationWithSuggestedFilename: a\n",
        "connection:didReceiveResponse: 200\nconnection:willSendRequest:redirectResponse: 302\nconnectionDidFinishLoading:\n",
        "urlSession(_:task:didCompleteWithError:) nil\nurlSession(_:dataTask:didReceive:) 5 bytes\n",
        "-[MyProtocol stopLoading]\n-[MyProtocol startLoading]\n",
    ])
    func `a wrong order breaks a rule`(log: String) throws {
        let report = try judge(log)
        #expect(!report.grammars.isEmpty || !failures(report).isEmpty, "\(report)")
    }

    @Test func `the same traces without gaps are refused`() throws {
        var checker = TraceChecker()
        for event in try Trace(Array("startLoading()\nconnectionDidFinishLoading:\n".utf8)).events {
            checker.observe(event)
        }
        #expect(checker.finish().grammarCount > 0)
    }

    // MARK: Answers

    private static let challenged =
        "connection:didReceiveAuthenticationChallenge: basic\nconnection:didReceiveResponse: 200\nconnectionDidFinishLoading:\n"

    @Test func `without answers the rules that need them are not judged, and the report says so`() throws {
        let report = try judge(Self.challenged)
        #expect(failures(report).isEmpty)
        #expect(
            report.notJudged.first == "R10, R11, R13, R14, R15: the trace has no answers, and challenge asks for one")
        #expect(report.text.contains("\nnot judged: R10, R11, "))
        #expect(!saysOfAnswers(try judge("connectionDidFinishLoading:\n")))
    }

    @Test func `R11 is not named for sessions, which have no such callback`() throws {
        let report = try judge("urlSession(_:task:didReceive:completionHandler:) basic\n", family: .sessionData)
        #expect(report.notJudged.first == "R10, R13, R14, R15: the trace has no answers, and challenge asks for one")
    }

    @Test func `with answers those rules are judged`() throws {
        let answered = Self.challenged.replacing(
            "\nconnection:didReceiveResponse:", with: "\nuse(_:for:)\nconnection:didReceiveResponse:")
        let right = try judge(answered)
        #expect(failures(right).isEmpty && !saysOfAnswers(right) && right.grammars.isEmpty, "\(right)")
        let late = Self.challenged.replacing(
            "\nconnectionDidFinish", with: "\nuse(_:for:)\nconnectionDidFinish")
        #expect(failures(try judge(late)) == [RuleNumber(10)])
        let twice = try judge(
            "URLProtocol:didReceiveAuthenticationChallenge: basic object=1\n"
                + "useCredential:forAuthenticationChallenge: object=1\n"
                + "URLProtocol:didReceiveAuthenticationChallenge: basic object=1\n"
                + "URLProtocol:didFailWithError: object=1 timedOut\n")
        #expect(failures(twice) == [RuleNumber(11)], "\(twice)")
    }

    @Test func `a log with answers to challenges need not have answers to other questions`() throws {
        let report = try judge(
            """
            urlSession(_:task:didReceive:completionHandler:) basic
            completionHandler(.useCredential, c)
            urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:) 302
            urlSession(_:dataTask:didReceive:completionHandler:) 200
            urlSession(_:dataTask:didReceive:) 5 bytes
            urlSession(_:task:didCompleteWithError:) nil
            """)
        #expect(failures(report).isEmpty && !saysOfAnswers(report), "\(report)")
    }

    private func saysOfAnswers(_ report: TraceReport) -> Bool {
        report.notJudged.contains { $0.contains("the trace has no answers") }
    }

    // MARK: What else a log may lack

    @Test(arguments: [
        ("connectionDidFinishLoading:", "R47: the trace names no threads; NSLog writes them as App[PID:TID]"),
        (
            "connection:didReceiveResponse: 200\nconnection:didReceiveData:",
            "R30: no data has its length; the number of bytes would do"
        ),
        (
            "urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)",
            "R23: no bodySent has its counts; the three numbers of the method would do"
        ),
        (
            "urlProtocolDidFinishLoading(_:)",
            "R49, R50, R51, R61: the trace has no startLoading, stopLoading or dealloc of an object; each with the object would do"
        ),
        (
            "startLoading\nstopLoading",
            "R52, R60: the trace has no canInitWithRequest: and canonicalRequestForRequest:; both with the request would do"
        ),
        ("startLoading\nstopLoading", "R61: the trace has no result of a step, which only a recorder writes"),
    ])
    func `a rule that the log cannot decide is named with what it would need`(log: String, sentence: String) throws {
        let report = try judge(log + "\n")
        #expect(report.notJudged.contains(sentence), "\(report.notJudged)")
    }

    @Test(arguments: [
        ("2026-11-20 10:00:00.200 MyApp[123:456] connectionDidFinishLoading:", "R47"),
        ("connection:didReceiveResponse: 200\nconnection:didReceiveData: 5 bytes", "R30"),
        ("connectionDidFinishLoading:", "R30"),
        ("startLoading\nstopLoading", "R49"),
        ("canInitWithRequest:\nstartLoading", "R52"),
    ])
    func `a rule that the log can decide is not named`(log: String, rule: String) throws {
        let report = try judge(log + "\n")
        #expect(!report.notJudged.contains { $0.hasPrefix(rule) }, "\(report.notJudged)")
    }

    @Test func `of a whole trace nothing is said`() throws {
        var checker = TraceChecker()
        for event in try Trace(Array("connectionDidFinishLoading:\n".utf8)).events { checker.observe(event) }
        #expect(checker.finish().notJudged.isEmpty)
    }
}
