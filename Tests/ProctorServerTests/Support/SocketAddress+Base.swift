import Foundation
import ProctorLoop
import Testing

extension SocketAddress {
    /// Where a base URL such as `http://127.0.0.1:4000` is served.
    init(base: String) throws {
        let url = try #require(URL(string: base))
        let port = try #require(url.port.flatMap(UInt16.init(exactly:)))
        self = try #require(SocketAddress(host: url.host ?? "", port: port))
    }
}
