import Foundation

/// What the package builds beside its tests.
public enum BuiltProduct {
    /// The path of the `proctor` that stands beside the test bundle, or beside the program that runs the tests.
    public static let proctor = path(of: "proctor")

    /// The path of the adapter for URLSession that stands there too.
    public static let urlSessionClient = path(of: "proctor-client-urlsession")

    /// The path of the adapter for the reference client that stands there too.
    public static let referenceClient = path(of: "proctor-client-reference")

    private static func path(of product: String) -> String {
        #if os(Linux)
            let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        #else
            // A program that runs tests has no such bundle, and stands there itself.
            let bundle =
                Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath ?? Bundle.main.executablePath
                ?? ""
        #endif
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent(product).path
    }
}
