import Foundation
import ProctorTestSupport
import Testing

/// `proctor serve` as a process.
struct ServeTests {
    #if os(Linux)
        @Test func `uploads and connections leave neither memory nor descriptors behind`() async throws {
            let folder = try TestFolder(Fixtures.files)
            let child = try await onThread { try ServingChild(folder) }
            _ = try await curl("\(child.base)/redirect/root/a")
            let before = child.descriptorCount

            try await onThread {
                let body = try folder.create("body")
                for _ in 0..<100 { try body.write(contentsOf: Data(count: 1 << 20)) }
            }
            let put = try await curl("-T", "\(folder.path)/body", "\(child.base)/plain/hello/upload")
            #expect(put.out == "put\n")
            #expect(child.peakByteCount > 0)
            if !Sanitizer.isOn { #expect(child.peakByteCount < 60 << 20) }

            let many = try await curl("--parallel", "--parallel-immediate", "\(child.base)/plain/hello/?[1-300]")
            #expect(many.out.components(separatedBy: "does not expect GET").count == 301)
            try await onThread {
                try wait(for: "the descriptors") { child.descriptorCount <= before }
            }
        }
    #endif
}
