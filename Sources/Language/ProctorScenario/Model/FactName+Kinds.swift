extension FactName {
    /// Whether the fact has several values in order.
    package var holdsList: Bool {
        switch self {
        case .wire(_, .violations), .wire(_, .fieldNames), .wire(_, .header): true
        case .wire(_, .chunks), .wire(_, .trailer), .wire(_, .form), .wire(_, .guardFaults): true
        case .wire(_, .query): true
        case .wire(_, .cookieNames), .wire(_, .cookie), .wire(_, .chunkLines), .wire(_, .replyHeader): true
        case .guarding(_, .nc), .guarding(_, .faults), .client(_, .storedCookies), .client(_, .messages): true
        case .client(_, .events): true
        case .tls(_, let fact): fact.isOffer
        case .socks(_, .methods), .socks(_, .violations): true
        case .questions, .dns(_, .replies), .dns(_, .violations): true
        case .stream(_, .frames), .stream(_, .fields), .http2(_, .violations): true
        case .http3(_, let fact): fact.holdsList
        case .webSocket(_, let fact): ![.request, .subprotocol, .close, .closeReason, .repeatedMasks].contains(fact)
        default: false
        }
    }

    /// Whether the fact is about requests that came before replies had gone out.
    package var isOfPipelining: Bool {
        switch self {
        case .pipelinedCount, .wire(_, .behind): true
        default: false
        }
    }

    /// Whether the fact is about memory and processor time of the client, which must be measured while it runs.
    package var isOfSpending: Bool { if case .spent = self { true } else { false } }

    /// Whether the fact is compared by `min` and `max`.
    package var isNumber: Bool {
        switch self {
        case .questionCount, .dns(_, .gap), .spent: true
        case .requestCount, .connectionCount, .tunnelCount, .pipelinedCount, .connection(_, .requests): true
        case .http3ConnectionCount: true
        case .http3(_, let fact): fact.isNumber
        case .http2ConnectionCount, .streamCount, .connection(_, .streams), .wire(_, .stream): true
        case .stream(_, let fact):
            switch fact {
            case .id, .connection, .request, .data, .length, .padding, .window, .weight, .dependency: true
            case .end, .reset, .frames, .fields, .exclusive, .priority: false
            }
        case .http2(_, let fact):
            switch fact {
            case .goaway, .goawayHeeded, .violations: false
            default: true
            }
        case .wire(_, .behind): true
        case .wire(_, .bodyLength), .wire(_, .connection), .wire(_, .gap), .wire(_, .partCount): true
        case .wire(_, .opaqueLength), .wire(_, .reply(.status)), .wire(_, .reply(.bodyLength)): true
        case .client(_, .status), .client(_, .bodyLength), .client(_, .expectedLength): true
        case .client(_, .closeCode): true
        case .client(_, .eventCount), .client(_, .retries): true
        case .client(_, .redirect(_, .status)), .client(_, .cached(.status)), .client(_, .errorMessageLength): true
        case .guarding(_, .attempts), .guarding(_, .failures), .guarding(_, .challenges): true
        case .handshakeCount, .handshakeFailureCount: true
        case .webSocketCount, .webSocket(_, .request), .webSocket(_, .close): true
        case .webSocket(_, .repeatedMasks): true
        default: false
        }
    }
}
