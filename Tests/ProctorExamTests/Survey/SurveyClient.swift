import Foundation
import ProctorExam
import ProctorGrading
import ProctorTestSupport
import Testing

/// A client whose cookies and URLs are looked at, in the order of the page's columns.
enum SurveyClient: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case curl
    case requests
    case aiohttp
    case urlSession = "URLSession"

    var testDescription: String { rawValue }

    /// The versions that the page is written for.
    var writtenFor: String {
        switch self {
        case .curl: "7.88"
        case .requests: "2.28"
        case .aiohttp: "3.8"
        case .urlSession: "6.3.1"
        }
    }

    /// What the page says of the client, behind its name.
    var remark: String {
        switch self {
        case .curl: "the tool, by `--connect-to`"
        case .requests: "a `Session`, with the table in the resolver's place"
        case .aiohttp:
            "a `ClientSession` with `CookieJar(unsafe=True)`, for without it no host that is an address may set cookies"
        case .urlSession: "swift-corelibs-foundation, by `namesProxy`; judged by its callbacks too"
        }
    }

    /// Nothing of the user's; curl is the system's own where there is one.
    static let environment = ["PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "HOME": "/tmp"]

    /// The adapter and its options.
    var command: [String] {
        let folder = "\(Checkout.path)/clients/adapters"
        return switch self {
        case .curl: Self.python + ["\(folder)/curl"]
        case .requests: Self.python + ["\(folder)/requests"]
        case .aiohttp: Self.python + ["\(folder)/aiohttp", "--unsafe-cookies"]
        case .urlSession: [BuiltProduct.urlSessionClient]
        }
    }

    /// The system's own has the packages that `Scripts/install-packages.sh test` installs.
    private static let python =
        (FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")
            ? ["/usr/bin/python3"] : ["/usr/bin/env", "python3"])
        + ["-E", "-s", "-B"]

    var adapter: Adapter { Adapter(command: command, environment: Self.environment) }

    /// nil where it is not installed.
    func version() async throws -> String? {
        let outcome = try await ChildProcess.run(
            command.filter { $0 != "--unsafe-cookies" } + ["--version"], environment: Self.environment)
        guard outcome.status == 0 else { return nil }
        return outcome.out.split(whereSeparator: \.isWhitespace).last.map(String.init)
    }
}
