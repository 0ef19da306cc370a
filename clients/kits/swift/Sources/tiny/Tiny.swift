import Foundation
import ProctorEvents
import ProctorProgram

/// A client of sixty lines: a GET without content to an address, one connection each, and the reply until it closes.
struct Tiny: Client {
    static let header = TraceHeader(
        client: "tiny", clientVersion: "1", lanes: [.harness], facts: [.status, .bytes, .body, .error, .message],
        abilities: [.redirectRefuse, .challengeDefault], adapter: "tiny", adapterVersion: "1")

    init(_ session: SessionSetup) {}

    func refusal(of step: Assignment.Step) -> String? {
        if step.method != "GET" || step.body != nil { return "method: tiny sends GET alone" }
        return step.url.hasPrefix("http://") ? nil : "url: tiny knows http alone"
    }

    func load(_ step: Assignment.Step) -> EventFacts {
        do throws(Failure) {
            let reply = try exchange(step)
            guard let end = reply.firstRange(of: Data("\r\n\r\n".utf8)),
                let line = String(data: reply.prefix { $0 != 13 }, encoding: .utf8),
                let status = Int(line.split(separator: " ").dropFirst().first ?? "")
            else { throw Failure(name: "badServerResponse", text: "no status line, or no end of the head") }
            return EventFacts([EventFact(.status, .integer(status))] + Kit.facts(ofBody: reply[end.upperBound...]))
        } catch {
            return EventFacts([EventFact(.error, .text(error.name)), EventFact(.message, .text(error.text))])
        }
    }

    private struct Failure: Error {
        let name: String
        let text: String
    }

    private func exchange(_ step: Assignment.Step) throws(Failure) -> Data {
        guard let url = URLComponents(string: step.url), let host = url.host else {
            throw Failure(name: "badURL", text: step.url)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(url.port ?? 80).bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw Failure(name: "cannotFindHost", text: "\(host) is no address")
        }
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        defer { close(descriptor) }
        let isOpen = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isOpen else { throw Failure(name: "cannotConnect", text: String(cString: strerror(errno))) }
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let target = path + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
        let fields = step.headers.map { "\($0[0]): \($0[1])\r\n" }.joined()
        let port = url.port.map { ":\($0)" } ?? ""
        let head = Array("GET \(target) HTTP/1.1\r\nHost: \(host)\(port)\r\nConnection: close\r\n\(fields)\r\n".utf8)
        guard send(descriptor, head, head.count, 0) == head.count else {
            throw Failure(name: "connectionLost", text: String(cString: strerror(errno)))
        }
        var reply = Data()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw Failure(name: "connectionLost", text: String(cString: strerror(errno))) }
            if count == 0 { return reply }
            reply += buffer.prefix(count)
        }
    }
}
