import Dispatch
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sequential GETs of one URL through a URLSession, each begun when the one before has ended.
///
/// `urlsession-gets URL COUNT` prints requests per second.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let url = URL(string: arguments[1]), let count = Int(arguments[2]), count > 0 else {
            FileHandle.standardError.write(Data("usage: urlsession-gets URL COUNT\n".utf8))
            exit(2)
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        for _ in 0...count / 10 { get(url, with: session) }
        let begin = DispatchTime.now().uptimeNanoseconds
        for _ in 0..<count { get(url, with: session) }
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - begin) / 1e9
        print(Int(Double(count) / seconds))
        exit(0)
    }

    private static func get(_ url: URL, with session: URLSession) {
        let done = DispatchSemaphore(value: 0)
        session.dataTask(with: url) { data, response, error in
            guard (response as? HTTPURLResponse)?.statusCode == 200, data?.isEmpty == false else {
                FileHandle.standardError.write(Data("urlsession-gets: \(String(describing: error))\n".utf8))
                exit(1)
            }
            done.signal()
        }.resume()
        done.wait()
    }
}
