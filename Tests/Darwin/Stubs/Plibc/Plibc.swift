// swift-format-ignore-file
// These are names of Apple, of which only the types are said.
@_exported import SwiftPlibc
