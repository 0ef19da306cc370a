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
            report.notJudged == ["R10, R11, R13, R14, R15: the trace has no answers, and challenge asks for one"])
        #expect(report.text.contains("\nnot judged: R10, R11, "))
        #expect(try judge("connectionDidFinishLoading:\n").notJudged.isEmpty)
    }

    @Test func `R11 is not named for sessions, which have no such callback`() throws {
        let report = try judge("urlSession(_:task:didReceive:completionHandler:) basic\n", family: .sessionData)
        #expect(report.notJudged == ["R10, R13, R14, R15: the trace has no answers, and challenge asks for one"])
    }

    @Test func `with answers those rules are judged`() throws {
        let answered = Self.challenged.replacing(
            "\nconnection:didReceiveResponse:", with: "\nuse(_:for:)\nconnection:didReceiveResponse:")
        let right = try judge(answered)
        #expect(failures(right).isEmpty && right.notJudged.isEmpty && right.grammars.isEmpty, "\(right)")
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
        #expect(failures(report).isEmpty && report.notJudged.isEmpty, "\(report)")
    }
}
