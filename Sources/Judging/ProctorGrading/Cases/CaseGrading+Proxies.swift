import ProctorBase
import ProctorEvents
import ProctorScenario

extension CaseGrading {
    /// Whether the client asks a proxy for http by a tunnel, where the case is about requests in absolute form.
    ///
    /// A client may do so: RFC 9112 §3.2.2 asks for the absolute form of all requests to a proxy but CONNECT.
    var tunnelsPlainHTTP: Bool {
        guard item.needs.contains(.proxy), let record else { return false }
        return record.exchanges.contains { exchange in
            exchange.isConnect
                && (!item.needs.contains(.proxyTunnel) || exchange.target.suffix(3).elementsEqual(":80".utf8))
        }
    }
}
