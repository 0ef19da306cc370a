extension CallbackFamily {
    /// The events that the client must answer, and that nothing but silence may follow (R8, R10, R22, R28).
    ///
    /// In the old families most answers are return values and need no event.
    public var questions: EventNameSet {
        switch self {
        case .US: [.redirect, .challenge, .needBodyStream, .response, .willCache, .delayed]
        case .UD, .HT, .BG: [.redirect, .challenge, .needBodyStream, .willCache, .delayed]
        case .WS, .PC: [.redirect, .challenge]
        case .UC, .CD, .DL, .ST: [.challenge]
        case .proto: []
        }
    }

    /// Whether the event ends a lane of the family (R39).
    public func isEnded(by name: EventName) -> Bool {
        switch name {
        case .complete: true
        case .fileReady: self == .CD
        case .streamsCaptured: self == .ST
        case .becameDownload, .becameStream: self == .US
        case .pDeinit: self == .proto
        default: false
        }
    }
}
