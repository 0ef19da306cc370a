import ProctorTestSupport
import Testing

@testable import ProctorEvents

struct LogReadingTests {
    @Test func `a log of NSURLConnection`() {
        let seen = TraceVerifier.seen(
            """
            2026-11-20 10:00:00.123 MyApp[123:4567] application started
            2026-11-20 10:00:00.200 MyApp[123:4567] -[Loader connection:willSendRequest:redirectResponse:] <NSURLRequest> (null)
            2026-11-20 10:00:00.250 MyApp[123:4567] -[Loader connection:willSendRequest:redirectResponse:] http://h:8080/b 302
            2026-11-20 10:00:00.260 MyApp[123:4567] -[Loader connectionShouldUseCredentialStorage:]
            2026-11-20 10:00:00.270 MyApp[123:4567] -[Loader connection:canAuthenticateAgainstProtectionSpace:] NSURLAuthenticationMethodHTTPBasic
            2026-11-20 10:00:00.280 MyApp[123:4567] -[Loader connection:didReceiveAuthenticationChallenge:] <x: 0x600> NSURLAuthenticationMethodHTTPBasic
            2026-11-20 10:00:00.300 MyApp[123:4567] -[Loader connection:didReceiveResponse:] 200
            2026-11-20 10:00:00.310 MyApp[123:4567] -[Loader connection:didReceiveData:] 512
            2026-11-20 10:00:00.320 MyApp[123:4567] -[Loader connnection:willCacheResponse:]
            2026-11-20 10:00:00.330 MyApp[123:4567] -[Loader connectionDidFinishLoading:]

            """)
        #expect(
            seen.symbols
                == "canonicalize redirect(302) askCredStore askCanAuth(basic) challenge(basic) response(200) data willCache complete(ok)"
        )
        #expect(seen.format == .log && seen.skippedLineCount == 1 && seen.firstSkippedLine == 1)
        #expect(seen.events.map(\.family) == Array(repeating: nil, count: 5) + Array(repeating: .connection, count: 4))
        #expect(Set(seen.events.map(\.thread)) == ["4567"])
        #expect(seen.events.map(\.sequence) == Array(1...9))
        #expect(seen.events[6].facts.integer(.bytes) == 512)
        guard case .elsewhere(let first)? = seen.events[0].time, case .elsewhere(let last)? = seen.events[8].time else {
            Issue.record("no times")
            return
        }
        #expect(abs(first - 1_795_168_800_200) < 0.01 && abs(last - first - 130) < 0.01)
    }

    @Test func `a log of NSURLDownload`() {
        let seen = TraceVerifier.seen(
            """
            10:00:00.5 downloadDidBegin:
            10:00:00.6 download:willSendRequest:redirectResponse: response=nil
            10:00:01,25 download:didReceiveResponse: <NSHTTPURLResponse: 0x7f20> { URL: http://h:80/200 } { Status Code: 404, Headers {
                "Content-Length" = 12;
            } }
            10:00:02 download:didReceiveDataOfLength: 1024
            download:shouldDecodeSourceDataOfMIMEType: application/gzip
            download:decideDestinationWithSuggestedFilename: "my file.txt"
            download:didCreateDestination: /tmp/x
            download:willResumeWithResponse:fromByte: <r> 500
            download:didFailWithError: Error Domain=NSURLErrorDomain Code=-1005 "The network connection was lost." (null)
            """)
        #expect(
            seen.symbols
                == "downloadBegin canonicalize response(404) progress shouldDecode(application/gzip) destination(my file.txt) "
                + "destinationCreated downloadResumed(500) complete(connectionLost)")
        #expect(Set(seen.events.map(\.family)) == [.download])
        #expect(seen.skippedLineCount == 2 && seen.firstSkippedLine == 4)
        #expect(seen.events[3].facts.integer(.n) == 1_024 && seen.events[7].facts.integer(.offset) == 500)
        #expect(seen.events[0].time == .elsewhere(36_000_500) && seen.events[2].time == .elsewhere(36_001_250))
        #expect(seen.events[4].time == nil)
    }

    @Test func `a log of URLSession`() {
        let seen = TraceVerifier.seen(
            """
            2026-11-20T10:00:00.000Z urlSession(_:didReceive:completionHandler:) NSURLAuthenticationMethodServerTrust
            2026-11-20T11:00:00.001+0100 task=1 urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:) 10 20 30
            2026-11-20T11:00:00.002+01:00 MyDelegate.urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:) 307 task=1
            func urlSession(_:dataTask:didReceive:completionHandler:) status=200, task=1
            urlSession(_:dataTask:didReceive:) task=1 100 bytes
            urlSession(_:dataTask:didBecome:) task=1 <__NSCFURLSessionStreamTask>
            urlSession(_:task:didFinishCollecting:) task=1
            urlSession(_:task:didCompleteWithError:) task=1 error: nil
            urlSession(_:task:didCompleteWithError:) task=2 Optional(Error Domain=NSURLErrorDomain Code=-999 "(null)")
            urlSession(_:task:didCompleteWithError:) task=3
            urlSession(_:didBecomeInvalidWithError:) nil
            """)
        #expect(
            seen.symbols
                == "challenge(serverTrust) bodySent redirect(307) response(200) data becameStream metrics complete(ok) "
                + "complete(cancelled) complete sessionInvalid(ok)")
        #expect(seen.events.map(\.task) == [0, 1, 1, 1, 1, 1, 1, 1, 2, 3, 0])
        #expect(seen.events.map(\.family) == [nil, nil, nil] + Array(repeating: .sessionData, count: 7) + [nil])
        #expect(seen.events[1].facts.integer(.n) == 10 && seen.events[1].facts.integer(.expected) == 30)
        #expect(seen.events[4].facts.integer(.bytes) == 100)
        let times = seen.events.prefix(3).map(\.time)
        #expect(times[0] == .elsewhere(1_795_168_800_000) && times[1] == .elsewhere(1_795_168_800_001))
        #expect(times[2] == .elsewhere(1_795_168_800_002))
    }

    @Test func `a log of a URLProtocol and its client`() {
        let seen = TraceVerifier.seen(
            """
            +[MyProtocol canInitWithRequest:] YES
            +[MyProtocol canonicalRequestForRequest:]
            +[MyProtocol requestIsCacheEquivalent:toRequest:] NO
            -[MyProtocol initWithRequest:cachedResponse:client:] object=1
            -[MyProtocol startLoading] object=1
            object=1 URLProtocol:wasRedirectedToRequest:redirectResponse: 302
            object=1 URLProtocol:didReceiveAuthenticationChallenge: basic
            object=1 URLProtocol:didCancelAuthenticationChallenge: basic
            object=1 urlProtocol(_:didReceive:cacheStoragePolicy:) 200
            object=1 urlProtocol(_:didLoad:) 5
            object=1 urlProtocol(_:didFailWithError:) cannotConnect
            object=1 urlProtocolDidFinishLoading(_:)
            -[MyProtocol stopLoading]
            -[MyProtocol dealloc]
            -[UIView dealloc]
            the app calls startLoading soon
            """)
        #expect(
            seen.symbols
                == "p.canInit p.canonical p.cacheEquivalent p.init p.start redirect(302) challenge(basic) "
                + "challengeCancelled(basic) response(200) data "
                + "complete(cannotConnect) complete(ok) p.stop p.deinit")
        #expect(seen.events.map(\.lane.isOfObject) == Array(repeating: true, count: 14))
        #expect(seen.events[0].facts[.accepts] == .flag(true))
        #expect(seen.events[2].facts[.accepts] == .flag(false))
        #expect(seen.events.prefix(12).dropFirst(3).allSatisfy { $0.object == 1 })
        #expect(seen.skippedLineCount == 2 && seen.firstSkippedLine == 15)
    }

    @Test func `a name is found wherever it stands in its line`() {
        for line in [
            "connection:didReceiveResponse:200", "Foo:connection:didReceiveResponse: 200",
            "[Foo connection:didReceiveResponse:200]",
            "x=connection:didReceiveResponse:,200", "é connection:didReceiveResponse: \t200",
            "::connection:didReceiveResponse: = 200",
            "12:30:00:connection:didReceiveResponse: http://h:8080/300 1.200 200",
        ] {
            #expect(TraceVerifier.seen(line).symbols == "response(200)", "\(line)")
        }
        for line in [
            "connection:didReceiveResponse", "myconnection:didReceiveResponse:", "connection: didReceiveResponse:",
            "urlSession(_: task: didCompleteWithError:)", "_connection:didReceiveResponse:", "42", ":::", "deinit done",
        ] {
            #expect(TraceVerifier.seen(line).events.isEmpty, "\(line)")
        }
        #expect(TraceVerifier.seen("deinit").symbols == "p.deinit")
    }

    @Test func `a misspelt name in a log is pointed out`() {
        let seen = TraceVerifier.seen(
            "hello\nconnection:something:else:\n[x urlSession(_:task:didCompletWithError:)]\nconnection:didRecieveData:\n"
        )
        #expect(seen.events.isEmpty && seen.skippedLineCount == 4 && seen.firstSkippedLine == 1)
        #expect(seen.misspelling?.line == 3)
        #expect(seen.misspelling?.word == "urlSession(_:task:didCompletWithError:)")
        #expect(seen.misspelling?.nearest == "urlSession(_:task:didCompleteWithError:)")
    }

    @Test func `errors are found in all the ways they are printed`() {
        for (text, argument) in [
            ("", "unknown"), ("-1001", "timedOut"), ("code -1001", "timedOut"), ("timedOut", "timedOut"),
            ("Error Domain=NSPOSIXErrorDomain Code=61 \"Connection refused\"", "NSPOSIXErrorDomain#61"),
            ("NSPOSIXErrorDomain#61", "NSPOSIXErrorDomain#61"), ("Domain= Code=", "unknown"),
            ("Domain=X Code=y", "unknown"),
            ("Domain=X Code=99999999999999999999", "unknown"), ("the request failed", "unknown"),
        ] {
            let seen = TraceVerifier.seen("connection:didFailWithError: \(text)")
            #expect(seen.symbols == "complete(\(argument))", "\(text)")
        }
    }

    @Test func `an invalid time stamp is ignored`() {
        for line in [
            "2026-13-20 10:00:00", "2026-11-32 10:00:00", "2026-11-20", "24:00:00", "10:60:00", "10:00",
            "2026-11-20x10:00:00", "99999:1:1",
        ] {
            #expect(TraceVerifier.seen(line + " downloadDidBegin:").events.map(\.time) == [nil], "\(line)")
        }
        #expect(TraceVerifier.seen("[1970-01-01 00:00:00.001] downloadDidBegin:").events.map(\.time) == [.elsewhere(1)])
        #expect(
            TraceVerifier.seen("2000-02-29T12:00:00-0030 downloadDidBegin:").events.map(\.time) == [
                .elsewhere(951_827_400_000)
            ])
    }

    @Test func `a log may hold any bytes`() {
        var generator = SeededGenerator(seed: 9)
        let words = [
            "connection:didReceiveResponse:", "URLSession:task:", "(_:", ")", "200", " ", "task=", "Domain=", "Code=",
            "-", "\u{0}", "é", "[", "1:", "]",
        ]
        for _ in 0..<300 {
            var bytes: [UInt8] = [UInt8(ascii: "x")]
            for _ in 0..<12 {
                if let word = words.randomElement(using: &generator) { bytes += word.utf8 }
                if Bool.random(using: &generator) { bytes.append(.random(in: 0...255, using: &generator)) }
            }
            let whole = TraceVerifier.read([bytes], 1_000)
            #expect(TraceVerifier.read(bytes.map { [$0] }, 1_000) == whole)
        }
    }
}

/// Answers to challenges, as logs have them.
struct LogAnswerTests {
    @Test(arguments: [
        ("-[Sender useCredential:forAuthenticationChallenge:] <NSURLCredential: 0x1>", "use"),
        ("-[Sender useCredential:forAuthenticationChallenge:] (null)", "use-none"),
        ("use(_:for:) user", "use"), ("continueWithoutCredentialForAuthenticationChallenge:", "use-none"),
        ("continueWithoutCredential(for:)", "use-none"), ("cancelAuthenticationChallenge:", "cancel"),
        ("performDefaultHandlingForAuthenticationChallenge:", "default"), ("performDefaultHandling(for:)", "default"),
        ("rejectProtectionSpaceAndContinueWithChallenge:", "reject"),
        ("rejectProtectionSpaceAndContinue(with:)", "reject"),
        ("completionHandler(.useCredential, credential)", "use"),
        ("completionHandler(.useCredential, nil)", "use-none"),
        ("calling completionHandler(NSURLSessionAuthChallengePerformDefaultHandling, nil)", "default"),
        ("disposition=URLSession.AuthChallengeDisposition.rejectProtectionSpace", "reject"),
        ("NSURLSessionAuthChallengeCancelAuthenticationChallenge", "cancel"),
    ])
    func `an answer is read`(line: String, answer: String) {
        let seen = TraceVerifier.seen(line)
        #expect(seen.symbols == "answer(\(answer))", "\(line)")
        #expect(seen.events.first?.lane == .harness && seen.events.first?.facts.text(.to) == "challenge")
    }

    @Test func `task and object stand beside it`() {
        let seen = TraceVerifier.seen("task=2 completionHandler(.performDefaultHandling, nil)\nobject=1 use(_:for:)\n")
        #expect(seen.events.map(\.task) == [2, 0] && seen.events.map(\.object) == [nil, 1])
    }

    @Test func `words that only resemble an answer are ignored`() {
        for line in ["cancel(_:)", "user", "completionHandler(nil)", "useCredential:", "default", "cancelled"] {
            #expect(TraceVerifier.seen(line).events.isEmpty, "\(line)")
        }
    }
}
