import ProctorHTTP
import ProctorReference

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Sequential GETs of one URL through the reference client, each begun when the one before has ended.
///
/// `reference-gets URL COUNT` prints requests per second.
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = try? ClientURL(arguments[1]), let count = Int(arguments[2]), count > 0
        else {
            print("usage: reference-gets URL COUNT")
            exit(2)
        }
        let session = try ReferenceSession()
        // On the loading thread, as curl's easy interface loads on the caller's.
        let seconds = try await session.onLoadingThread {
            for _ in 0...count / 10 { try await get(url, with: session) }
            let clock = SuspendingClock()
            let begin = clock.now
            for _ in 0..<count { try await get(url, with: session) }
            return (clock.now - begin) / .seconds(1)
        }
        print(Int(Double(count) / seconds))
    }

    private static func get(_ url: ClientURL, with session: ReferenceSession) async throws {
        let (content, response) = try await session.data(for: ClientRequest(url: url))
        guard response.status == 200, !content.isEmpty else {
            print("status \(response.status), \(content.count) bytes")
            exit(1)
        }
    }
}
