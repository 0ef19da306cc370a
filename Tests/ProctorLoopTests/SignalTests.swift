import ProctorBase
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite(.timeLimit(.minutes(5)))
struct SignalTests {
    @Test func `signals arrive as events, each with its number`() async throws {
        await #expect(processExitsWith: .success) {
            await recordingErrors {
                let got = try await onLoop { loop in
                    let source = try SignalSource([SIGUSR1, SIGUSR2], on: loop)
                    defer { source.close() }
                    var got: [Int32?] = []
                    for number in [SIGUSR1, SIGUSR2, SIGUSR1] {
                        kill(getpid(), number)
                        got.append(await source.next())
                    }
                    return got
                }
                #expect(got == [SIGUSR1, SIGUSR2, SIGUSR1], "\(got)")
            }
        }
    }

    @Test func `closing ends the wait`() async throws {
        let isEnd = try await onLoop { loop in
            let source = try SignalSource([SIGUSR1], on: loop)
            async let next = source.next()
            async let closing: Void = source.close()
            let isEnd = await next == nil
            await closing
            return isEnd
        }
        #expect(isEnd)
    }

    @Test func `after closing, the signal has its default action again`() async throws {
        await #expect(processExitsWith: .signal(SIGUSR2)) {
            try await onLoop { loop in
                try SignalSource([SIGUSR2], on: loop).close()
            }
            kill(getpid(), SIGUSR2)
            // The signal may be taken by another thread a moment later.
            while true { pause() }
        }
    }

    @Test func `a signal that cannot be caught is an error and leaves nothing behind`() async throws {
        // onLoop waits for the loop's end, so the handle of SIGUSR1 must be closed too.
        let code = try await onLoop { loop -> Int32? in
            do throws(CallFailure) {
                _ = try SignalSource([SIGUSR1, SIGKILL], on: loop)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code == -EINVAL)
    }
}
