package import ProctorScenario

/// The scheme of a connection's URLs; ProctorHTTP has another type `Origin`.
package typealias Scheme = ProctorScenario.Origin.Scheme
