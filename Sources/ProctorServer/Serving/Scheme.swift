internal import ProctorScenario

/// Of the URLs by which a connection is reached; ProctorHTTP has an origin of its own.
typealias Scheme = ProctorScenario.Origin.Scheme
