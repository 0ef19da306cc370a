import Dispatch
import Foundation
import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The class by itself, on threads that a loading system would not choose.
@Suite(.limit(minutes: 5))
struct ReferenceProtocolTests {
    private func request(_ url: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.timeoutInterval = Double(Patience.seconds)
        return request
    }

    private final class HTTPSProtocol: ReferenceProtocol {
        override class var options: Options {
            var options = super.options
            options.takesHTTPS = true
            return options
        }
    }

    private final class AnchoredProtocol: ReferenceProtocol {
        override class var options: Options {
            var options = super.options
            options.security.anchors = [[0x30]]
            return options
        }
    }

    @Test func `it takes http, and https only with the option or with anchors`() throws {
        let rows = [
            ("http://127.0.0.1/", true), ("HTTP://127.0.0.1/", true), ("https://127.0.0.1/", false),
            ("ftp://127.0.0.1/", false),
        ]
        for (url, isTaken) in rows {
            #expect(ReferenceProtocol.canInit(with: try request(url)) == isTaken, "\(url)")
        }
        #expect(HTTPSProtocol.canInit(with: try request("https://127.0.0.1/")))
        #expect(AnchoredProtocol.canInit(with: try request("https://127.0.0.1/")))
        #expect(!AnchoredProtocol.canInit(with: try request("https://example.com/")))
    }

    private final class HostNameProtocol: ReferenceProtocol {
        override class var options: Options {
            var options = super.options
            options.takesHostNames = true
            return options
        }
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/a", true), ("http://[::1]/", true), ("http://localhost/", true),
        ("http://LocalHost:81/", true), ("http:///a", true), ("http://example.com/", false),
        ("http://localhost.example/", false), ("http://1.2.3/", false), ("http://[::1", true),
    ])
    func `a host that can't be dialled is left to others, unless it is told`(url: String, isTaken: Bool) throws {
        // Some of them are URLs for Foundation on one platform and not on the other.
        guard let url = URL(string: url) else { return }
        let request = URLRequest(url: url)
        #expect(ReferenceProtocol.canInit(with: request) == isTaken)
        #expect(HostNameProtocol.canInit(with: request))
    }

    @Test func `an https load of a host name fails with an error that says why`() async throws {
        let error = try #require(await failure(of: request("https://a/"), HTTPSProtocol.self))
        #expect(error.domain == NSURLErrorDomain)
        #expect(error.code == NSURLErrorCannotFindHost)
        #expect(error.localizedDescription.contains("looks up no names"))
    }

    @Test func `a url without a host fails as a bad one`() async throws {
        let error = try #require(await failure(of: request("http://user@:80/"), ReferenceProtocol.self))
        #expect(error.domain == NSURLErrorDomain)
        #expect([NSURLErrorBadURL, NSURLErrorCannotConnectToHost].contains(error.code), "\(error)")
    }

    @Test(arguments: ["/a", "?a=1", "home/a"])
    func `a reference without a base is taken and fails because the scheme is missing`(
        text: String
    ) async throws {
        let request = try request(text)
        #expect(ReferenceProtocol.canInit(with: request))
        let error = try #require(await failure(of: request, ReferenceProtocol.self))
        #expect(error.domain == NSURLErrorDomain)
        #expect(error.code == NSURLErrorUnsupportedURL)
    }

    @Test func `a port that is none fails as a bad URL`() async throws {
        let error = try #require(await failure(of: request("http://127.0.0.1:65536/"), ReferenceProtocol.self))
        #expect(error.domain == NSURLErrorDomain)
        #expect(error.code == NSURLErrorBadURL)
    }

    @Test func `a stream that was opened before is not sent`() async throws {
        var request = try request("http://127.0.0.1:9/")
        request.httpMethod = "POST"
        let stream = InputStream(data: Data("abc".utf8))
        stream.open()
        request.httpBodyStream = stream
        let error = try #require(await failure(of: request, ReferenceProtocol.self))
        #expect(error.code == NSURLErrorRequestBodyStreamExhausted)
    }

    /// Of a load that is started on a thread of Dispatch.
    private func failure(of request: URLRequest, _ type: ReferenceProtocol.Type) async -> NSError? {
        let client = HearingClient()
        let object = Confined(type.init(request: request, cachedResponse: nil, client: client))
        DispatchQueue.global().async { object.value.startLoading() }
        for await call in client.calls where call == "fail" { break }
        object.value.stopLoading()
        return client.error
    }

    // MARK: Threads

    @Test func `started where no run loop runs, it calls from one other thread, and never before it returned`()
        async throws
    {
        let returned = Locked(false)
        let early = Locked(0)
        let client = HearingClient { _ in
            if !returned.withLock({ $0 }) { early.withLock { $0 += 1 } }
        }
        let object = Confined(
            ReferenceProtocol(request: try request("http://127.0.0.1:9/"), cachedResponse: nil, client: client))
        let starter = try await onThread {
            object.value.startLoading()
            returned.withLock { $0 = true }
            // The object itself: once it is gone, another thread's may have its address.
            return Confined(Thread.current)
        }
        for await call in client.calls where call == "fail" { break }
        #expect(early.withLock { $0 } == 0)
        #expect(client.threads.count == 1)
        #expect(!client.threads.contains(ObjectIdentifier(starter.value)))
        object.value.stopLoading()
    }

    @Test func `started where a run loop runs, it calls there`() async throws {
        let client = HearingClient()
        let object = Confined(
            ReferenceProtocol(request: try request("http://127.0.0.1:9/"), cachedResponse: nil, client: client))
        let thread = try await onThread {
            // The start is in the run loop, as a loading system's is.
            RunLoop.current.perform { object.value.startLoading() }
            let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
            while client.count == 0, MonotonicClock.nanoseconds < end {
                _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
                RunLoop.current.perform {}
            }
            return ObjectIdentifier(Thread.current)
        }
        #expect(client.threads == [thread])
        object.value.stopLoading()
    }

    @Test func `a stop from another thread waits for the call that is being made, and none follows`() async throws {
        let isInCall = DispatchSemaphore(value: 0)
        let mayReturn = DispatchSemaphore(value: 0)
        let hasReturned = Locked(false)
        let client = HearingClient { _ in
            isInCall.signal()
            _ = mayReturn.wait(timeout: .now() + .seconds(Patience.seconds))
            hasReturned.withLock { $0 = true }
        }
        let object = Confined(
            ReferenceProtocol(request: try request("http://127.0.0.1:9/"), cachedResponse: nil, client: client))
        let returnedFirst = try await onThread {
            object.value.startLoading()
            #expect(isInCall.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
            let relay = object.value.relay
            Thread.detachNewThread {
                // The call returns when the stop waits for it.
                let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
                while relay?.state.withLock({ $0.waiter == nil }) == true, MonotonicClock.nanoseconds < end {
                    sched_yield()
                }
                mayReturn.signal()
            }
            object.value.stopLoading()
            return hasReturned.withLock { $0 }
        }
        #expect(returnedFirst)
        #expect(client.count == 1)
    }

    /// With the relay in a plain property this crashes, or the thread sanitizer says why it may.
    @Test func `a refusal may come from any thread while the object is stopped and started again`() async throws {
        let client = HearingClient()
        let object = Confined(
            HTTPSProtocol(request: try request("https://127.0.0.1/"), cachedResponse: nil, client: client))
        let isOver = Locked(false)
        let refusals = Locked(0)
        async let refusing: Void = onThread {
            while !isOver.withLock({ $0 }) {
                object.value.redirectRefused()
                refusals.withLock { $0 += 1 }
            }
        }
        _ = try await onThread {
            let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
            var count = 0
            // On a crowded machine the other thread may come late.
            while count < 5_000 || refusals.withLock({ $0 }) < 100 && MonotonicClock.nanoseconds < end {
                object.value.startLoading()
                object.value.stopLoading()
                count += 1
            }
            isOver.withLock { $0 = true }
        }
        try await refusing
        #expect(refusals.withLock { $0 } > 0)
        #expect(object.value.relay?.isAtWork == false)
    }

    @Test func `an object that goes without a stop takes its load with it`() async throws {
        let client = HearingClient()
        weak var gone: ReferenceProtocol?
        do {
            let object = ReferenceProtocol(
                request: try request("http://127.0.0.1:9/"), cachedResponse: nil, client: client)
            gone = object
            object.startLoading()
        }
        #expect(gone == nil)
    }
}
