internal import ProctorBase
package import ProctorHTTP
package import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// Decides where this process sends a request of its own, by who asks for it.
///
/// A program of this machine can reach every port by itself, so it may name any listener. A web page, another machine and a
/// client that names another host can't: they reach ports of the run, and those that the fixture itself names. The same is so
/// for a webhook that comes back to this process, which does not say who asked first. No request goes to this process's control API.
package struct OutgoingGate: Sendable {
    /// Why the asker may not name a listener, as half a sentence; nil: it is a program of this machine.
    private let doubt: String?
    private let own: OwnPorts

    /// What a stage answers by itself.
    private enum OwnPorts {
        case authorities([[UInt8]])
        /// Below `path` of the port to which the client has connected.
        case mount(port: UInt16?, path: [UInt8])

        func have(_ address: SocketAddress, _ target: [UInt8]) -> Bool {
            switch self {
            case .authorities(let authorities):
                return authorities.contains { Self.address(of: $0) == address }
            case .mount(let port, let path):
                guard port != nil, address.port == port, target.starts(with: path) else { return false }
                let next = target.dropFirst(path.count).first
                return next == nil || next.map { "/?".utf8.contains($0) } == true
            }
        }

        private static func address(of authority: [UInt8]) -> SocketAddress? {
            guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
                let port = UInt16(String(decoding: authority[(colon + 1)...], as: UTF8.self))
            else { return nil }
            let host = String(decoding: authority[..<colon].filter { !"[]".utf8.contains($0) }, as: UTF8.self)
            return SocketAddress(host: host, port: port)
        }
    }

    /// For what follows the reply to a request of a stage.
    init(behind head: RequestHead, on connection: any RequestConnection, of stage: Stage) {
        let peer = connection.clientSocket?.peer ?? connection.peer
        let local = connection.clientSocket?.local ?? connection.local
        let names = stage.scenario.origins.compactMap(\.hostName)
        doubt = Self.doubt(head, from: peer, at: local, permitting: names)
        own =
            switch stage.addresses {
            case .origins(let authorities, _): .authorities(authorities)
            case .mount(let path, _): .mount(port: local.port, path: path)
            }
    }

    /// Throws why nothing is sent to an address; `isFixed` tells that the fixture itself names the address.
    package func check(
        _ address: SocketAddress, _ target: [UInt8], isFixed: Bool
    ) throws(OutgoingRefusal) {
        guard !ControlPorts.leadToCalls(address, target) else {
            throw OutgoingRefusal(
                sentence: "\(address) has the control API of this process there, to which nothing is sent; "
                    + "expected a listener of the client")
        }
        guard let doubt, !isFixed, !own.have(address, target) else { return }
        throw OutgoingRefusal(
            sentence: "the request names the listener \(address), which is no port of the run, and \(doubt); "
                + "only a program of this machine may name a listener, or the fixture itself")
    }

    private static func doubt(
        _ head: RequestHead, from peer: SocketAddress, at local: SocketAddress, permitting names: [String]
    ) -> String? {
        guard peer.isOfThisMachine(as: local) else { return "a client on another machine, \(peer), asks" }
        if OutgoingPlaces.haveAddress(peer) { return "a webhook of this process asks" }
        let marks = BrowserMarks(head)
        if let origin = marks.origins.first {
            return "a web page of \"\(EscapedText.escape(origin.utf8, limit: 200))\" asks"
        }
        if !marks.isEmpty || marks.isOfUnmarkedBrowser { return "a browser asks" }
        guard let authority = head.askedAuthority else { return nil }
        let text = String(decoding: authority, as: UTF8.self)
        guard !local.isReached(atAuthority: text), !names.contains(Host.name(of: text)) else { return nil }
        return "Host is \"\(EscapedText.escape(authority, limit: 200))\", as where a page had its name led here"
    }
}

/// Why a request is not sent, as a sentence.
package struct OutgoingRefusal: Error {
    package let sentence: String
}

// MARK: Gateways

extension OutgoingGate {
    /// Why a gateway at `local` hands no request of such a page on; nil where it does.
    ///
    /// Pages of this machine and of the hosts are handed on, and so is a person whom a link of another page leads here.
    package static func refusal(
        ofPage head: RequestHead, at local: SocketAddress, permitting hosts: Set<String>
    ) -> String? {
        let marks = BrowserMarks(head)
        for origin in marks.origins {
            let authority = origin.firstIndex(of: "/").map { String(origin[$0...].drop { $0 == "/" }) } ?? ""
            guard local.isReached(atAuthority: authority) || hosts.contains(Host.name(of: authority)) else {
                return "a web page of \"\(EscapedText.escape(origin.utf8, limit: 200))\" asks"
            }
        }
        guard marks.origins.isEmpty, marks.sites.contains("cross-site") else { return nil }
        let modes = head.fields.values(named: "Sec-Fetch-Mode").map { String(decoding: $0, as: UTF8.self) }
        return modes == ["navigate"] && (head.hasMethod("GET") || head.hasMethod("HEAD"))
            ? nil : "a web page of another site asks"
    }
}

/// The host of an authority.
private enum Host {
    /// In lower case, without a port.
    static func name(of authority: String) -> String {
        String(authority.lowercased().prefix { $0 != ":" })
    }
}

extension SocketAddress {
    /// Whether a peer that connected to `local` is on the same machine.
    fileprivate func isOfThisMachine(as local: SocketAddress) -> Bool {
        isLoopback || hostBytes.map { $0.first == 127 && $0.count == 4 || $0 == local.hostBytes } == true
    }
}
