internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorServing
internal import ProctorTLS

// What the parts of a server take of its configuration.

extension Journal {
    /// The journal of a scenario, of a `run`, or of the shared port (nil), as the configuration wants it.
    convenience init(
        of scenario: String?, run: String? = nil, limits: Limits, configuration: ServerConfiguration,
        at place: JournalTally.Place, judge: (any MessageJudge)? = nil
    ) {
        self.init(
            of: scenario, run: run, limits: limits, file: configuration.journalFile, faults: configuration.faults,
            lines: configuration.requestLines, judge: judge, tally: configuration.tallies.makeTally(of: place))
    }
}

extension TLSContexts {
    convenience init(_ configuration: ServerConfiguration) {
        self.init(
            configuration.authority, folders: configuration.certificateFolders,
            environment: configuration.environment, keyLogPath: configuration.keyLogPath)
    }
}

extension ConnectionBounds {
    convenience init(_ limits: ServerLimits) {
        self.init(
            request: limits.request, connectionCount: limits.connectionCount,
            wholeConnectionCount: limits.wholeConnectionCount, awakeConnectionCount: limits.awakeConnectionCount,
            http3ConnectionCount: limits.http3ConnectionCount, streamCount: limits.streamCount,
            keptBodyByteCount: limits.keptBodyByteCount, lingerByteCount: limits.lingerByteCount,
            codedByteCount: limits.codedByteCount, usage: limits.usage,
            handshake: limits.handshakeDuration, head: limits.headDuration, idle: limits.idleDuration,
            rest: limits.restDuration, progress: limits.progressDuration, stall: limits.stallDuration,
            settle: limits.settleDuration, linger: limits.lingerDuration, wholeLinger: limits.wholeLingerDuration,
            await: limits.awaitDuration, unreportedAwait: limits.unreportedAwaitDuration)
    }
}
