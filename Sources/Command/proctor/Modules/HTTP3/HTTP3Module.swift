internal import ProctorHTTP3Serving
internal import ProctorQUIC
internal import ProctorServer

extension Modules {
    static var http3: ModuleRows? {
        ModuleRows(configure: { $0.http3 = HTTP3Serving(over: NGTCP2Transport()) }, quic: NGTCP2Transport())
    }
}
