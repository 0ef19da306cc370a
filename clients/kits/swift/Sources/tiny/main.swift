import Foundation

// One of the two is yours, and the other one goes: `tiny --session` drives URLSession.
if CommandLine.arguments.contains("--session") { Kit.serve(Session.self) }
Kit.serve(Tiny.self)
