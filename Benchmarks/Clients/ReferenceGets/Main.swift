import Dispatch
import ProctorHTTP
import ProctorReference

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Sequential GETs of one URL through the reference client, each begun when the one before has ended.
///
/// `reference-gets URL COUNT` prints requests per second; with `--tasks` behind them, by tasks with completion handlers,
/// each waited for on another thread, as `urlsession-gets` does.
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        let byTasks = arguments.count == 4 && arguments[3] == "--tasks"
        guard arguments.count == 3 || byTasks, let url = try? ClientURL(arguments[1]), let count = Int(arguments[2]),
            count > 0
        else {
            print("usage: reference-gets URL COUNT [--tasks]")
            exit(2)
        }
        let session = try ReferenceSession()
        if byTasks { return print(rate(count) { getByTask(url, with: session) }) }
        // On the loading thread, as curl's easy interface loads on the caller's.
        let rate = try await session.onLoadingThread {
            for _ in 0...count / 10 { try await get(url, with: session) }
            let begin = SuspendingClock().now
            for _ in 0..<count { try await get(url, with: session) }
            return Int(Double(count) / ((SuspendingClock().now - begin) / .seconds(1)))
        }
        print(rate)
    }

    private static func rate(_ count: Int, _ get: () -> Void) -> Int {
        for _ in 0...count / 10 { get() }
        let begin = SuspendingClock().now
        for _ in 0..<count { get() }
        return Int(Double(count) / ((SuspendingClock().now - begin) / .seconds(1)))
    }

    private static func getByTask(_ url: ClientURL, with session: ReferenceSession) {
        let done = DispatchSemaphore(value: 0)
        session.dataTask(with: ClientRequest(url: url)) { content, response, error in
            guard response?.status == 200, content?.isEmpty == false else {
                print("\(String(describing: error))")
                exit(1)
            }
            done.signal()
        }.resume()
        done.wait()
    }

    private static func get(_ url: ClientURL, with session: ReferenceSession) async throws {
        let (content, response) = try await session.data(for: ClientRequest(url: url))
        guard response.status == 200, !content.isEmpty else {
            print("status \(response.status), \(content.count) bytes")
            exit(1)
        }
    }
}
