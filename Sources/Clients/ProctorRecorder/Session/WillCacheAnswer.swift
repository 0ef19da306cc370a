internal import Foundation
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

enum CacheStorageName {
    /// The value of the fact `storage`.
    static func name(of policy: URLCache.StoragePolicy) -> String {
        switch policy {
        case .allowed: "allowed"
        case .allowedInMemoryOnly: "memory"
        case .notAllowed: "notAllowed"
        #if canImport(Darwin)
            @unknown default: "unknown"
        #endif
        }
    }
}

extension ScriptedStorage {
    var policy: URLCache.StoragePolicy {
        switch self {
        case .allowed: .allowed
        case .memory: .allowedInMemoryOnly
        case .notAllowed: .notAllowed
        }
    }
}

extension Assignment.WillCacheAnswer {
    /// The response that is returned for storing; nil: nothing is stored.
    func response(inPlaceOf proposed: CachedURLResponse) -> CachedURLResponse? {
        switch self {
        case .store: return proposed
        case .none: return nil
        case .change(let change):
            return CachedURLResponse(
                response: proposed.response, data: change.body.map { Data($0.utf8) } ?? proposed.data,
                userInfo: change.notes.map {
                    Dictionary(uniqueKeysWithValues: $0.map { (AnyHashable($0.key), $0.value) })
                }
                    ?? proposed.userInfo,
                storagePolicy: change.storage?.policy ?? proposed.storagePolicy)
        }
    }
}
