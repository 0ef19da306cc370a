import Foundation
import ProctorGrading
import ProctorTestSupport

/// A way to call a program that can fetch a part of a file, or the rest of it.
enum RangeClient: String, Sendable, CaseIterable {
    /// The range that the row names.
    case curlRange = "curl -r"
    /// The rest of the file that is there.
    case curlContinue = "curl -C -"
    case curlContinueOrFail = "curl -f -C -"
    /// What lies behind the offset that the row names.
    case curlContinueAt = "curl --continue-at"
    case curlRetry = "curl --retry"
    /// One attempt, to which the rest of the file that is there belongs.
    case wgetContinue = "wget -c"
    /// Several attempts, which begin with nothing.
    case wgetRetry = "wget"
    case wgetStart = "wget --start-pos"
    /// One attempt, with what stands in its control file.
    case ariaContinue = "aria2c -c"
    /// Several attempts, which begin with nothing.
    case ariaRetry = "aria2c"
    /// Four connections and four parts.
    case ariaSplit = "aria2c -x4 -s4"

    /// The programs and the versions that the table is written for.
    enum Program: String, Sendable, CaseIterable {
        case curl, wget, aria2c

        var writtenFor: String {
            switch self {
            case .curl: "7.88"
            case .wget: "1.21"
            case .aria2c: "1.36"
            }
        }

        var path: String { Tools.path(of: rawValue, preferring: "/usr/bin/\(rawValue)") }

        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

        /// The number in `GNU Wget 1.21.3 built on linux-gnu.` or `aria2 version 1.36.0`.
        func version() throws -> String {
            let text = try ChildProcess.runNow([path, "--version"]).out
            let words = text.split(whereSeparator: \.isWhitespace)
            return words.first { $0.first?.isNumber == true }.map(String.init) ?? ""
        }
    }

    var program: Program {
        Program.allCases.first { rawValue.hasPrefix($0.rawValue) } ?? .curl
    }

    /// What the program is called with, so that it keeps to this machine and waits for nothing for ever.
    func words(_ argument: String?, url: String, file: String) -> [String] {
        let own: [String] =
            switch self {
            case .curlRange: ["-r", argument ?? ""]
            case .curlContinue: ["-C", "-"]
            case .curlContinueOrFail: ["-f", "-C", "-"]
            case .curlContinueAt: ["--continue-at", argument ?? ""]
            case .curlRetry: ["--retry", "2", "--retry-all-errors", "--retry-delay", "1"]
            case .wgetContinue: ["--tries=1", "-c"]
            case .wgetRetry: ["--tries=3", "--waitretry=0"]
            case .wgetStart: ["--tries=1", "--start-pos=\(argument ?? "")"]
            case .ariaContinue: ["-c", "--max-tries=1", "-x1", "-s1"]
            case .ariaRetry: ["--max-tries=3", "--retry-wait=0", "-x1", "-s1"]
            case .ariaSplit: ["--max-tries=3", "--retry-wait=0", "-x4", "-s4", "--min-split-size=1M"]
            }
        return [program.path] + common(file) + own + [url]
    }

    private func common(_ file: String) -> [String] {
        switch program {
        // -q, which leaves the user's own settings out, counts only in the first place.
        case .curl: ["-q", "-sS", "--noproxy", "*", "-m", "\(ClientTimes.step)", "-o", file]
        case .wget: ["--no-config", "--no-proxy", "--no-hsts", "-nv", "-T", "\(ClientTimes.step)", "-O", file]
        case .aria2c:
            [
                "--no-conf", "--no-netrc", "-q", "--timeout=\(ClientTimes.step)", "--auto-file-renaming=false",
                "--allow-overwrite=true", "--file-allocation=none",
                "-d", (file as NSString).deletingLastPathComponent, "-o", (file as NSString).lastPathComponent,
            ]
        }
    }
}
