internal import Foundation
internal import ProctorBase

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension ControlClient {
    /// Bytes an answer has at most.
    private static let limit = 64 << 20

    /// One exchange with the server; the content of an answer that is no refusal.
    func call(
        _ method: String, _ path: [String], query: [String: String] = [:], body: Data? = nil
    ) async throws(ControlFailure) -> Data {
        var request = try URLRequest(url: url(path, query))
        request.httpMethod = method
        request.httpBody = body
        request.timeoutInterval = max(1, (Double(timeout.wholeNanoseconds) / 1e9).rounded(.up))
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await load(request).get()
        guard data.count <= Self.limit else { throw .unreadable("the answer has more than \(Self.limit) bytes") }
        guard let status = (response as? HTTPURLResponse)?.statusCode else {
            throw .unreadable("the answer is none of HTTP")
        }
        guard 200..<300 ~= status else { throw Self.refusal(status, data) }
        return data
    }

    func encode(_ value: some Encodable) throws(ControlFailure) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw .unreadable("the call can't be written as JSON: \(error)")
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(ControlFailure) -> Value {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            let start = String(decoding: data.prefix(200), as: UTF8.self)
            throw .unreadable("the answer is no \(type): \(error); it begins with '\(start)'")
        }
    }

    private func url(_ path: [String], _ query: [String: String]) throws(ControlFailure) -> URL {
        let url = path.reduce(base.appendingPathComponent("__proctor")) { $0.appendingPathComponent($1) }
        var components = URLComponents(url: url, resolvingAgainstBaseURL: true)
        // A plus sign would be read as a space by some, so that only what is safe everywhere stays as it is.
        let parts = query.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value)"
        }
        if !parts.isEmpty { components?.percentEncodedQuery = parts.joined(separator: "&") }
        guard let url = components?.url else { throw .unreachable("'\(base)' is no base of a server") }
        return url
    }

    /// With a handler and a session of its own: `async` methods of URLSession on Linux can lock up when cancelled.
    private func load(_ request: URLRequest) async -> Result<(Data, URLResponse?), ControlFailure> {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [:]
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return await withCheckedContinuation { continuation in
            let task = session.dataTask(with: request) { data, response, error in
                if let error {
                    let reason = "\(ErrorFacts(error).name): \(error.localizedDescription)"
                    continuation.resume(returning: .failure(.unreachable(reason)))
                } else {
                    continuation.resume(returning: .success((data ?? Data(), response)))
                }
            }
            task.resume()
        }
    }

    private static func refusal(_ status: Int, _ data: Data) -> ControlFailure {
        struct Refusal: Decodable {
            struct Reason: Decodable {
                let code: String
                let message: String
            }
            let error: Reason
        }
        guard let reason = try? JSONDecoder().decode(Refusal.self, from: data).error else {
            return .refused(status: status, code: "", message: String(decoding: data.prefix(200), as: UTF8.self))
        }
        return .refused(status: status, code: reason.code, message: reason.message)
    }
}
