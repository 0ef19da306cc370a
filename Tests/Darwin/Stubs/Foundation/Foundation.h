// The members of Foundation that the code uses, in the words of Apple's headers, so that the importer gives them their
// names in Swift. What FoundationEssentials has is in Foundation.swift.
#pragma once
#include <CoreFoundation.h>
#include <Security.h>
#include <objc/NSObject.h>

#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define NOT_SENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NAME(x) __attribute__((swift_name(#x)))
#define BRIDGE(x) __attribute__((swift_bridge(#x)))
#define ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define CLOSED_ENUM(type, name) enum __attribute__((enum_extensibility(closed))) name : type name; enum name : type
#define OPTIONS(type, name) enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; enum name : type
#define TYPED_EXTENSIBLE __attribute__((swift_newtype(struct)))
#define DESIGNATED __attribute__((objc_designated_initializer))

#pragma clang assume_nonnull begin
@class NSArray, NSCachedURLResponse, NSData, NSDate, NSDictionary, NSError, NSInputStream, NSNumber, NSOperationQueue,
    NSOutputStream, NSSet, NSString, NSURL, NSURLAuthenticationChallenge, NSURLCache, NSURLCredential, NSURLProtectionSpace,
    NSURLProtocol, NSURLRequest, NSURLResponse, NSURLSession, NSURLSessionDataTask, NSURLSessionDownloadTask,
    NSURLSessionStreamTask, NSURLSessionTask, NSURLSessionTaskMetrics, NSURLSessionUploadTask, NSURLSessionWebSocketTask;

typedef double NSTimeInterval;
typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;
typedef NSString *NSRunLoopMode TYPED_EXTENSIBLE NAME(RunLoop.Mode);
typedef NSString *NSHTTPCookiePropertyKey TYPED_EXTENSIBLE NAME(HTTPCookiePropertyKey);
extern NSErrorDomain const NSURLErrorDomain;
extern NSString *const NSURLErrorFailingURLErrorKey;
extern NSErrorUserInfoKey const NSLocalizedDescriptionKey;
extern NSRunLoopMode const NSDefaultRunLoopMode NAME(NSRunLoopMode.default);
extern NSRunLoopMode const NSRunLoopCommonModes NAME(NSRunLoopMode.common);

@protocol NSCopying
- (id)copyWithZone:(nullable struct _NSZone *)zone;
@end
@protocol NSMutableCopying
@end
@protocol NSCoding
@end
@protocol NSSecureCoding <NSCoding>
@end
@protocol NSFastEnumeration
@end

BRIDGE(Swift.String) SENDABLE
@interface NSString : NSObject <NSCopying>
@property (readonly, copy) NSString *lastPathComponent;
@property (readonly, copy) NSString *pathExtension;
@property (readonly, copy) NSString *deletingLastPathComponent;
@end
BRIDGE(Swift.Array)
@interface NSArray<__covariant ObjectType> : NSObject <NSCopying, NSFastEnumeration>
@end
BRIDGE(Swift.Dictionary)
@interface NSDictionary<__covariant KeyType, __covariant ObjectType> : NSObject <NSCopying, NSFastEnumeration>
@end
BRIDGE(Swift.Set)
@interface NSSet<__covariant ObjectType> : NSObject <NSCopying>
@end
SENDABLE
@interface NSNumber : NSObject <NSCopying>
@end
BRIDGE(Data)
@interface NSData : NSObject <NSCopying>
@end
BRIDGE(Date) SENDABLE
@interface NSDate : NSObject <NSCopying>
@end
BRIDGE(URL) SENDABLE
@interface NSURL : NSObject <NSCopying>
@end
BRIDGE(URLRequest) SENDABLE
@interface NSURLRequest : NSObject <NSCopying>
@end
BRIDGE(Swift.Error) SENDABLE
@interface NSError : NSObject <NSCopying>
- (instancetype)initWithDomain:(NSErrorDomain)domain
                          code:(NSInteger)code
                      userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)dictionary DESIGNATED;
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSErrorUserInfoKey, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
@end

// MARK: Threads, run loops and streams

NAME(Thread)
@interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread NAME(current);
@property (class, readonly) BOOL isMainThread;
@property (nullable, copy) NSString *name;
@property NSUInteger stackSize;
- (instancetype)initWithBlock:(void (SENDABLE ^)(void))block;
- (void)start;
+ (void)detachNewThreadWithBlock:(void (SENDABLE ^)(void))block NAME(detachNewThread(_:));
+ (void)sleepForTimeInterval:(NSTimeInterval)interval;
@end

NAME(Bundle) SENDABLE
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NAME(main);
@property (class, readonly, copy) NSArray<NSBundle *> *allBundles;
@property (readonly, copy) NSString *bundlePath;
@end

@interface NSCondition : NSObject
- (instancetype)init DESIGNATED;
- (void)lock;
- (void)unlock;
- (void)wait;
- (BOOL)waitUntilDate:(NSDate *)limit NAME(wait(until:));
- (void)signal;
- (void)broadcast;
@end

NAME(Timer)
@interface NSTimer : NSObject
+ (NSTimer *)timerWithTimeInterval:(NSTimeInterval)interval
                           repeats:(BOOL)repeats
                             block:(void (SENDABLE ^)(NSTimer *timer))block NAME(init(timeInterval:repeats:block:));
- (instancetype)initWithFireDate:(NSDate *)date
                        interval:(NSTimeInterval)interval
                         repeats:(BOOL)repeats
                           block:(void (SENDABLE ^)(NSTimer *timer))block NAME(init(fire:interval:repeats:block:));
- (void)invalidate;
@property (copy) NSDate *fireDate;
@end

NAME(RunLoop)
@interface NSRunLoop : NSObject
@property (class, readonly, strong) NSRunLoop *currentRunLoop NAME(current);
@property (class, readonly, strong) NSRunLoop *mainRunLoop NAME(main);
@property (nullable, readonly, copy) NSRunLoopMode currentMode;
- (CFRunLoopRef)getCFRunLoop __attribute__((cf_returns_not_retained));
- (void)addTimer:(NSTimer *)timer forMode:(NSRunLoopMode)mode;
- (BOOL)runMode:(NSRunLoopMode)mode beforeDate:(NSDate *)limitDate NAME(run(mode:before:));
- (void)performBlock:(void (SENDABLE ^)(void))block NAME(perform(_:));
- (void)performInModes:(NSArray<NSRunLoopMode> *)modes
                 block:(void (SENDABLE ^)(void))block NAME(perform(inModes:block:));
@end

NAME(OperationQueue) SENDABLE
@interface NSOperationQueue : NSObject
- (instancetype)init DESIGNATED;
@property (class, readonly, strong, nullable) NSOperationQueue *currentQueue NAME(current);
@property (class, readonly, strong) NSOperationQueue *mainQueue NAME(main);
@property NSInteger maxConcurrentOperationCount;
@property (nullable, copy) NSString *name;
@property (getter=isSuspended) BOOL suspended;
- (void)addOperationWithBlock:(void (SENDABLE ^)(void))block NAME(addOperation(_:));
- (void)waitUntilAllOperationsAreFinished;
@end

typedef ENUM(NSUInteger, NSStreamStatus) {
    NSStreamStatusNotOpen, NSStreamStatusOpening, NSStreamStatusOpen, NSStreamStatusReading, NSStreamStatusWriting,
    NSStreamStatusAtEnd, NSStreamStatusClosed, NSStreamStatusError
} NAME(Stream.Status);

NAME(Stream)
@interface NSStream : NSObject
- (void)open;
- (void)close;
@property (readonly) NSStreamStatus streamStatus;
@property (nullable, readonly, copy) NSError *streamError;
+ (void)getBoundStreamsWithBufferSize:(NSUInteger)bufferSize
                          inputStream:(NSInputStream *_Nullable *_Nullable)inputStream
                         outputStream:(NSOutputStream *_Nullable *_Nullable)outputStream
    NAME(getBoundStreams(withBufferSize:inputStream:outputStream:));
@end
NAME(InputStream)
@interface NSInputStream : NSStream
- (NSInteger)read:(uint8_t *)buffer maxLength:(NSUInteger)len;
@property (readonly) BOOL hasBytesAvailable;
- (instancetype)initWithData:(NSData *)data DESIGNATED;
- (nullable instancetype)initWithURL:(NSURL *)url DESIGNATED;
- (nullable instancetype)initWithFileAtPath:(NSString *)path;
@end
NAME(OutputStream)
@interface NSOutputStream : NSStream
- (NSInteger)write:(const uint8_t *)buffer maxLength:(NSUInteger)len;
@property (readonly) BOOL hasSpaceAvailable;
@end

// MARK: Requests, responses and stores

typedef ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0, NSURLRequestReloadIgnoringLocalCacheData = 1,
    NSURLRequestReturnCacheDataElseLoad = 2, NSURLRequestReturnCacheDataDontLoad = 3,
    NSURLRequestReloadIgnoringLocalAndRemoteCacheData = 4, NSURLRequestReloadRevalidatingCacheData = 5
} NAME(NSURLRequest.CachePolicy);
typedef ENUM(NSUInteger, NSURLRequestNetworkServiceType) {
    NSURLNetworkServiceTypeDefault = 0, NSURLNetworkServiceTypeBackground = 3
} NAME(NSURLRequest.NetworkServiceType);

NAME(URLResponse) SENDABLE
@interface NSURLResponse : NSObject <NSSecureCoding, NSCopying>
- (instancetype)initWithURL:(NSURL *)URL
                   MIMEType:(nullable NSString *)MIMEType
      expectedContentLength:(NSInteger)length
           textEncodingName:(nullable NSString *)name DESIGNATED NAME(init(url:mimeType:expectedContentLength:textEncodingName:));
@property (nullable, readonly, copy) NSURL *URL;
@property (nullable, readonly, copy) NSString *MIMEType;
@property (readonly) long long expectedContentLength;
@property (nullable, readonly, copy) NSString *textEncodingName;
@property (nullable, readonly, copy) NSString *suggestedFilename;
@end

NAME(HTTPURLResponse) SENDABLE
@interface NSHTTPURLResponse : NSURLResponse
- (nullable instancetype)initWithURL:(NSURL *)url
                          statusCode:(NSInteger)statusCode
                         HTTPVersion:(nullable NSString *)HTTPVersion
                        headerFields:(nullable NSDictionary<NSString *, NSString *> *)headerFields;
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field;
+ (NSString *)localizedStringForStatusCode:(NSInteger)statusCode;
@end

typedef ENUM(NSUInteger, NSURLCacheStoragePolicy) {
    NSURLCacheStorageAllowed, NSURLCacheStorageAllowedInMemoryOnly, NSURLCacheStorageNotAllowed
} NAME(URLCache.StoragePolicy);

NAME(CachedURLResponse) SENDABLE
@interface NSCachedURLResponse : NSObject <NSCopying>
- (instancetype)initWithResponse:(NSURLResponse *)response data:(NSData *)data;
- (instancetype)initWithResponse:(NSURLResponse *)response
                            data:(NSData *)data
                        userInfo:(nullable NSDictionary *)userInfo
                   storagePolicy:(NSURLCacheStoragePolicy)storagePolicy;
@property (readonly, copy) NSURLResponse *response;
@property (readonly, copy) NSData *data;
@property (nullable, readonly, copy) NSDictionary *userInfo;
@property (readonly) NSURLCacheStoragePolicy storagePolicy;
@end

NAME(URLCache) SENDABLE
@interface NSURLCache : NSObject
@property (class, strong) NSURLCache *sharedURLCache NAME(shared);
- (instancetype)initWithMemoryCapacity:(NSUInteger)memoryCapacity
                          diskCapacity:(NSUInteger)diskCapacity
                          directoryURL:(nullable NSURL *)directoryURL NAME(init(memoryCapacity:diskCapacity:directory:));
- (nullable NSCachedURLResponse *)cachedResponseForRequest:(NSURLRequest *)request NAME(cachedResponse(for:));
- (void)storeCachedResponse:(NSCachedURLResponse *)cachedResponse forRequest:(NSURLRequest *)request;
- (void)storeCachedResponse:(NSCachedURLResponse *)cachedResponse forDataTask:(NSURLSessionDataTask *)dataTask;
- (void)getCachedResponseForDataTask:(NSURLSessionDataTask *)dataTask
                   completionHandler:(void (SENDABLE ^)(NSCachedURLResponse *_Nullable cachedResponse))completionHandler;
- (void)removeCachedResponseForRequest:(NSURLRequest *)request NAME(removeCachedResponse(for:));
- (void)removeAllCachedResponses;
@property NSUInteger memoryCapacity;
@property NSUInteger diskCapacity;
@end

typedef ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) {
    NSHTTPCookieAcceptPolicyAlways, NSHTTPCookieAcceptPolicyNever, NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain
} NAME(HTTPCookie.AcceptPolicy);

NAME(HTTPCookie) SENDABLE
@interface NSHTTPCookie : NSObject
- (nullable instancetype)initWithProperties:(NSDictionary<NSHTTPCookiePropertyKey, id> *)properties;
+ (NSArray<NSHTTPCookie *> *)cookiesWithResponseHeaderFields:(NSDictionary<NSString *, NSString *> *)headerFields
                                                      forURL:(NSURL *)URL;
+ (NSDictionary<NSString *, NSString *> *)requestHeaderFieldsWithCookies:(NSArray<NSHTTPCookie *> *)cookies;
@property (readonly, copy) NSString *name;
@property (readonly, copy) NSString *value;
@property (nullable, readonly, copy) NSDate *expiresDate;
@property (readonly, getter=isSessionOnly) BOOL sessionOnly;
@property (readonly, copy) NSString *domain;
@property (readonly, copy) NSString *path;
@property (readonly, getter=isSecure) BOOL secure;
@property (readonly, getter=isHTTPOnly) BOOL HTTPOnly;
@end

NAME(HTTPCookieStorage) SENDABLE
@interface NSHTTPCookieStorage : NSObject
@property (class, readonly, strong) NSHTTPCookieStorage *sharedHTTPCookieStorage NAME(shared);
@property (nullable, readonly, copy) NSArray<NSHTTPCookie *> *cookies;
- (nullable NSArray<NSHTTPCookie *> *)cookiesForURL:(NSURL *)URL;
- (void)setCookie:(NSHTTPCookie *)cookie;
- (void)deleteCookie:(NSHTTPCookie *)cookie;
- (void)setCookies:(NSArray<NSHTTPCookie *> *)cookies forURL:(nullable NSURL *)URL mainDocumentURL:(nullable NSURL *)mainDocumentURL;
@property NSHTTPCookieAcceptPolicy cookieAcceptPolicy;
@end

// MARK: Authentication

extern NSString *const NSURLAuthenticationMethodDefault;
extern NSString *const NSURLAuthenticationMethodHTTPBasic;
extern NSString *const NSURLAuthenticationMethodHTTPDigest;
extern NSString *const NSURLAuthenticationMethodNTLM;
extern NSString *const NSURLAuthenticationMethodNegotiate;
extern NSString *const NSURLAuthenticationMethodClientCertificate;
extern NSString *const NSURLAuthenticationMethodServerTrust;
extern NSString *const NSURLProtectionSpaceHTTP;
extern NSString *const NSURLProtectionSpaceHTTPS;
extern NSString *const NSURLProtectionSpaceHTTPProxy;

NAME(URLProtectionSpace) SENDABLE
@interface NSURLProtectionSpace : NSObject <NSCopying>
- (instancetype)initWithHost:(NSString *)host
                        port:(NSInteger)port
                    protocol:(nullable NSString *)protocol
                       realm:(nullable NSString *)realm
        authenticationMethod:(nullable NSString *)authenticationMethod;
- (instancetype)initWithProxyHost:(NSString *)host
                             port:(NSInteger)port
                             type:(nullable NSString *)type
                            realm:(nullable NSString *)realm
             authenticationMethod:(nullable NSString *)authenticationMethod;
@property (nullable, readonly, copy) NSString *realm;
@property (readonly) BOOL receivesCredentialSecurely;
@property (readonly) BOOL isProxy;
@property (readonly, copy) NSString *host;
@property (readonly) NSInteger port;
@property (nullable, readonly, copy) NSString *proxyType;
@property (nullable, readonly, copy) NSString *protocol;
@property (readonly, copy) NSString *authenticationMethod;
@property (nullable, readonly, copy) NSArray<NSData *> *distinguishedNames;
@property (nullable, readonly) SecTrustRef serverTrust;
@end

typedef ENUM(NSUInteger, NSURLCredentialPersistence) {
    NSURLCredentialPersistenceNone, NSURLCredentialPersistenceForSession, NSURLCredentialPersistencePermanent,
    NSURLCredentialPersistenceSynchronizable
} NAME(URLCredential.Persistence);

NAME(URLCredential) SENDABLE
@interface NSURLCredential : NSObject <NSCopying>
- (instancetype)initWithUser:(NSString *)user password:(NSString *)password persistence:(NSURLCredentialPersistence)persistence;
- (instancetype)initWithIdentity:(SecIdentityRef)identity
                    certificates:(nullable NSArray *)certArray
                     persistence:(NSURLCredentialPersistence)persistence;
- (instancetype)initWithTrust:(SecTrustRef)trust;
@property (readonly) NSURLCredentialPersistence persistence;
@property (nullable, readonly, copy) NSString *user;
@property (nullable, readonly, copy) NSString *password;
@property (readonly) BOOL hasPassword;
@end

NAME(URLCredentialStorage) SENDABLE
@interface NSURLCredentialStorage : NSObject
@property (class, readonly, strong) NSURLCredentialStorage *sharedCredentialStorage NAME(shared);
- (void)setDefaultCredential:(NSURLCredential *)credential
          forProtectionSpace:(NSURLProtectionSpace *)space NAME(setDefaultCredential(_:for:));
- (void)setCredential:(NSURLCredential *)credential forProtectionSpace:(NSURLProtectionSpace *)space NAME(set(_:for:));
@property (readonly, copy)
    NSDictionary<NSURLProtectionSpace *, NSDictionary<NSString *, NSURLCredential *> *> *allCredentials;
@end

SENDABLE NAME(URLAuthenticationChallengeSender)
@protocol NSURLAuthenticationChallengeSender <NSObject>
- (void)useCredential:(NSURLCredential *)credential
    forAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge NAME(use(_:for:));
- (void)continueWithoutCredentialForAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge
    NAME(continueWithoutCredential(for:));
- (void)cancelAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge NAME(cancel(_:));
@optional
- (void)performDefaultHandlingForAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge
    NAME(performDefaultHandling(for:));
- (void)rejectProtectionSpaceAndContinueWithChallenge:(NSURLAuthenticationChallenge *)challenge
    NAME(rejectProtectionSpaceAndContinue(with:));
@end

NAME(URLAuthenticationChallenge) SENDABLE
@interface NSURLAuthenticationChallenge : NSObject
- (instancetype)initWithProtectionSpace:(NSURLProtectionSpace *)space
                     proposedCredential:(nullable NSURLCredential *)credential
                   previousFailureCount:(NSInteger)previousFailureCount
                        failureResponse:(nullable NSURLResponse *)response
                                  error:(nullable NSError *)error
                                 sender:(id<NSURLAuthenticationChallengeSender>)sender;
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (nullable, readonly, copy) NSURLCredential *proposedCredential;
@property (readonly) NSInteger previousFailureCount;
@property (nullable, readonly, copy) NSURLResponse *failureResponse;
@property (nullable, readonly, copy) NSError *error;
@property (nullable, readonly, strong) id<NSURLAuthenticationChallengeSender> sender;
@end

// MARK: URLProtocol

NAME(URLProtocolClient)
@protocol NSURLProtocolClient <NSObject>
- (void)URLProtocol:(NSURLProtocol *)protocol
    wasRedirectedToRequest:(NSURLRequest *)request
          redirectResponse:(NSURLResponse *)redirectResponse;
- (void)URLProtocol:(NSURLProtocol *)protocol cachedResponseIsValid:(NSCachedURLResponse *)cachedResponse;
- (void)URLProtocol:(NSURLProtocol *)protocol
    didReceiveResponse:(NSURLResponse *)response
    cacheStoragePolicy:(NSURLCacheStoragePolicy)policy;
- (void)URLProtocol:(NSURLProtocol *)protocol didLoadData:(NSData *)data NAME(urlProtocol(_:didLoad:));
- (void)URLProtocolDidFinishLoading:(NSURLProtocol *)protocol;
- (void)URLProtocol:(NSURLProtocol *)protocol didFailWithError:(NSError *)error;
- (void)URLProtocol:(NSURLProtocol *)protocol didReceiveAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge
    NAME(urlProtocol(_:didReceive:));
- (void)URLProtocol:(NSURLProtocol *)protocol didCancelAuthenticationChallenge:(NSURLAuthenticationChallenge *)challenge
    NAME(urlProtocol(_:didCancel:));
@end

NAME(URLProtocol)
@interface NSURLProtocol : NSObject
- (instancetype)initWithRequest:(NSURLRequest *)request
                 cachedResponse:(nullable NSCachedURLResponse *)cachedResponse
                         client:(nullable id<NSURLProtocolClient>)client DESIGNATED;
- (instancetype)initWithTask:(NSURLSessionTask *)task
              cachedResponse:(nullable NSCachedURLResponse *)cachedResponse
                      client:(nullable id<NSURLProtocolClient>)client;
@property (nullable, readonly, strong) id<NSURLProtocolClient> client;
@property (readonly, copy) NSURLRequest *request;
@property (nullable, readonly, copy) NSCachedURLResponse *cachedResponse;
@property (nullable, readonly, copy) NSURLSessionTask *task;
+ (BOOL)canInitWithRequest:(NSURLRequest *)request;
+ (BOOL)canInitWithTask:(NSURLSessionTask *)task;
+ (NSURLRequest *)canonicalRequestForRequest:(NSURLRequest *)request NAME(canonicalRequest(for:));
+ (BOOL)requestIsCacheEquivalent:(NSURLRequest *)a toRequest:(NSURLRequest *)b NAME(requestIsCacheEquivalent(_:to:));
- (void)startLoading;
- (void)stopLoading;
+ (BOOL)registerClass:(Class)protocolClass;
+ (void)unregisterClass:(Class)protocolClass;
@end

// MARK: URLSession

typedef ENUM(NSInteger, NSURLSessionTaskState) {
    NSURLSessionTaskStateRunning, NSURLSessionTaskStateSuspended, NSURLSessionTaskStateCanceling,
    NSURLSessionTaskStateCompleted
} NAME(URLSessionTask.State);
typedef ENUM(NSInteger, NSURLSessionDelayedRequestDisposition) {
    NSURLSessionDelayedRequestContinueLoading, NSURLSessionDelayedRequestUseNewRequest, NSURLSessionDelayedRequestCancel
} NAME(URLSession.DelayedRequestDisposition);
typedef ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential, NSURLSessionAuthChallengePerformDefaultHandling,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge, NSURLSessionAuthChallengeRejectProtectionSpace
} NAME(URLSession.AuthChallengeDisposition);
typedef ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel, NSURLSessionResponseAllow, NSURLSessionResponseBecomeDownload,
    NSURLSessionResponseBecomeStream
} NAME(URLSession.ResponseDisposition);
typedef ENUM(NSInteger, NSURLSessionWebSocketCloseCode) {
    NSURLSessionWebSocketCloseCodeInvalid = 0, NSURLSessionWebSocketCloseCodeNormalClosure = 1000
} NAME(URLSessionWebSocketTask.CloseCode);

NAME(URLSessionConfiguration) SENDABLE
@interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration NAME(default);
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NAME(ephemeral);
+ (NSURLSessionConfiguration *)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier NAME(background(withIdentifier:));
@property NSURLRequestCachePolicy requestCachePolicy;
@property NSTimeInterval timeoutIntervalForRequest;
@property NSTimeInterval timeoutIntervalForResource;
@property BOOL waitsForConnectivity;
@property (nullable, copy) NSDictionary *connectionProxyDictionary;
@property BOOL HTTPShouldUsePipelining;
@property BOOL HTTPShouldSetCookies;
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy;
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders;
@property NSInteger HTTPMaximumConnectionsPerHost;
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage;
@property (nullable, retain) NSURLCredentialStorage *URLCredentialStorage;
@property (nullable, retain) NSURLCache *URLCache;
@property (nullable, copy) NSArray<Class> *protocolClasses;
@end

SENDABLE NAME(URLSessionDelegate)
@protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:
          (void (SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler;
- (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session
    NAME(urlSessionDidFinishEvents(forBackgroundURLSession:));
@end

SENDABLE NAME(URLSessionTaskDelegate)
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
     didCreateTask:(NSURLSessionTask *)task __attribute__((availability(macosx, introduced = 13.0), availability(ios, introduced = 16.0)));
- (void)URLSession:(NSURLSession *)session
                       task:(NSURLSessionTask *)task
    willBeginDelayedRequest:(NSURLRequest *)request
          completionHandler:(void (SENDABLE ^)(NSURLSessionDelayedRequestDisposition disposition,
                                NSURLRequest *_Nullable newRequest))completionHandler;
- (void)URLSession:(NSURLSession *)session taskIsWaitingForConnectivity:(NSURLSessionTask *)task;
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(void (SENDABLE ^)(NSURLRequest *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session
                   task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:
          (void (SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential))completionHandler;
- (void)URLSession:(NSURLSession *)session
                 task:(NSURLSessionTask *)task
    needNewBodyStream:(void (SENDABLE ^)(NSInputStream *_Nullable bodyStream))completionHandler;
- (void)URLSession:(NSURLSession *)session
                               task:(NSURLSessionTask *)task
    needNewBodyStreamFromOffset:(int64_t)offset
              completionHandler:(void (SENDABLE ^)(NSInputStream *_Nullable bodyStream))completionHandler
    NAME(urlSession(_:task:needNewBodyStreamFrom:completionHandler:))
    __attribute__((availability(macosx, introduced = 14.0), availability(ios, introduced = 17.0)));
- (void)URLSession:(NSURLSession *)session
                        task:(NSURLSessionTask *)task
             didSendBodyData:(int64_t)bytesSent
              totalBytesSent:(int64_t)totalBytesSent
    totalBytesExpectedToSend:(int64_t)totalBytesExpectedToSend;
- (void)URLSession:(NSURLSession *)session
                               task:(NSURLSessionTask *)task
    didReceiveInformationalResponse:(NSHTTPURLResponse *)response
    __attribute__((availability(macosx, introduced = 14.0), availability(ios, introduced = 17.0)));
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    didFinishCollectingMetrics:(NSURLSessionTaskMetrics *)metrics NAME(urlSession(_:task:didFinishCollecting:));
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end

SENDABLE NAME(URLSessionDataDelegate)
@protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
              dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
     completionHandler:(void (SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler
    NAME(urlSession(_:dataTask:didReceive:completionHandler:));
- (void)URLSession:(NSURLSession *)session
                 dataTask:(NSURLSessionDataTask *)dataTask
    didBecomeDownloadTask:(NSURLSessionDownloadTask *)downloadTask NAME(urlSession(_:dataTask:didBecome:));
- (void)URLSession:(NSURLSession *)session
               dataTask:(NSURLSessionDataTask *)dataTask
    didBecomeStreamTask:(NSURLSessionStreamTask *)streamTask NAME(urlSession(_:dataTask:didBecome:));
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data
    NAME(urlSession(_:dataTask:didReceive:));
- (void)URLSession:(NSURLSession *)session
             dataTask:(NSURLSessionDataTask *)dataTask
    willCacheResponse:(NSCachedURLResponse *)proposedResponse
    completionHandler:(void (SENDABLE ^)(NSCachedURLResponse *_Nullable cachedResponse))completionHandler;
@end

SENDABLE NAME(URLSessionDownloadDelegate)
@protocol NSURLSessionDownloadDelegate <NSURLSessionTaskDelegate>
- (void)URLSession:(NSURLSession *)session
                 downloadTask:(NSURLSessionDownloadTask *)downloadTask
    didFinishDownloadingToURL:(NSURL *)location NAME(urlSession(_:downloadTask:didFinishDownloadingTo:));
@optional
- (void)URLSession:(NSURLSession *)session
                 downloadTask:(NSURLSessionDownloadTask *)downloadTask
                 didWriteData:(int64_t)bytesWritten
            totalBytesWritten:(int64_t)totalBytesWritten
    totalBytesExpectedToWrite:(int64_t)totalBytesExpectedToWrite;
- (void)URLSession:(NSURLSession *)session
          downloadTask:(NSURLSessionDownloadTask *)downloadTask
     didResumeAtOffset:(int64_t)fileOffset
    expectedTotalBytes:(int64_t)expectedTotalBytes;
@end

SENDABLE NAME(URLSessionStreamDelegate)
@protocol NSURLSessionStreamDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session readClosedForStreamTask:(NSURLSessionStreamTask *)streamTask
    NAME(urlSession(_:readClosedFor:));
- (void)URLSession:(NSURLSession *)session writeClosedForStreamTask:(NSURLSessionStreamTask *)streamTask
    NAME(urlSession(_:writeClosedFor:));
- (void)URLSession:(NSURLSession *)session betterRouteDiscoveredForStreamTask:(NSURLSessionStreamTask *)streamTask
    NAME(urlSession(_:betterRouteDiscoveredFor:));
- (void)URLSession:(NSURLSession *)session
              streamTask:(NSURLSessionStreamTask *)streamTask
    didBecomeInputStream:(NSInputStream *)inputStream
            outputStream:(NSOutputStream *)outputStream NAME(urlSession(_:streamTask:didBecome:outputStream:));
@end

SENDABLE NAME(URLSessionWebSocketDelegate)
@protocol NSURLSessionWebSocketDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
          webSocketTask:(NSURLSessionWebSocketTask *)webSocketTask
    didOpenWithProtocol:(nullable NSString *)protocol;
- (void)URLSession:(NSURLSession *)session
       webSocketTask:(NSURLSessionWebSocketTask *)webSocketTask
    didCloseWithCode:(NSURLSessionWebSocketCloseCode)closeCode
              reason:(nullable NSData *)reason NAME(urlSession(_:webSocketTask:didCloseWith:reason:));
@end

NAME(URLSession) SENDABLE
@interface NSURLSession : NSObject
@property (class, readonly, strong) NSURLSession *sharedSession NAME(shared);
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration NAME(init(configuration:));
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue NAME(init(configuration:delegate:delegateQueue:));
@property (readonly, retain) NSOperationQueue *delegateQueue;
@property (nullable, readonly, retain) id<NSURLSessionDelegate> delegate;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
@property (nullable, copy) NSString *sessionDescription;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (void)getAllTasksWithCompletionHandler:(void (SENDABLE ^)(NSArray<__kindof NSURLSessionTask *> *tasks))completionHandler NAME(getAllTasks(completionHandler:));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromFile:(NSURL *)fileURL;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request fromData:(NSData *)bodyData;
- (NSURLSessionUploadTask *)uploadTaskWithStreamedRequest:(NSURLRequest *)request;
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDownloadTask *)downloadTaskWithResumeData:(NSData *)resumeData;
- (NSURLSessionWebSocketTask *)webSocketTaskWithRequest:(NSURLRequest *)request;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request
                            completionHandler:(void (SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response,
                                                  NSError *_Nullable error))completionHandler;
- (NSURLSessionDataTask *)dataTaskWithURL:(NSURL *)url
                        completionHandler:(void (SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response,
                                              NSError *_Nullable error))completionHandler;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request
                                         fromData:(nullable NSData *)bodyData
                                completionHandler:(void (SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response,
                                                      NSError *_Nullable error))completionHandler;
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request
                                         fromFile:(NSURL *)fileURL
                                completionHandler:(void (SENDABLE ^)(NSData *_Nullable data, NSURLResponse *_Nullable response,
                                                      NSError *_Nullable error))completionHandler;
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request
                                    completionHandler:(void (SENDABLE ^)(NSURL *_Nullable location, NSURLResponse *_Nullable response,
                                                          NSError *_Nullable error))completionHandler;
- (NSURLSessionDownloadTask *)downloadTaskWithResumeData:(NSData *)resumeData
                                       completionHandler:(void (SENDABLE ^)(NSURL *_Nullable location, NSURLResponse *_Nullable response,
                                                             NSError *_Nullable error))completionHandler;
@end

NAME(URLSessionTask) SENDABLE
@interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *originalRequest;
@property (nullable, readonly, copy) NSURLRequest *currentRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (nullable, retain) id<NSURLSessionTaskDelegate> delegate;
@property (nullable, copy) NSDate *earliestBeginDate;
@property (readonly) int64_t countOfBytesSent;
@property (readonly) int64_t countOfBytesReceived;
@property (readonly) int64_t countOfBytesExpectedToSend;
@property (readonly) int64_t countOfBytesExpectedToReceive;
@property (nullable, copy) NSString *taskDescription;
- (void)cancel;
@property (readonly) NSURLSessionTaskState state;
@property (nullable, readonly, copy) NSError *error;
- (void)suspend;
- (void)resume;
@property float priority;
@end
NAME(URLSessionDataTask) SENDABLE
@interface NSURLSessionDataTask : NSURLSessionTask
@end
NAME(URLSessionUploadTask) SENDABLE
@interface NSURLSessionUploadTask : NSURLSessionDataTask
@end
NAME(URLSessionDownloadTask) SENDABLE
@interface NSURLSessionDownloadTask : NSURLSessionTask
- (void)cancelByProducingResumeData:(void (SENDABLE ^)(NSData *_Nullable resumeData))completionHandler;
@end
NAME(URLSessionStreamTask) SENDABLE
@interface NSURLSessionStreamTask : NSURLSessionTask
- (void)captureStreams;
- (void)closeWrite;
- (void)closeRead;
@end
NAME(URLSessionWebSocketTask) SENDABLE
@interface NSURLSessionWebSocketTask : NSURLSessionTask
- (void)sendPingWithPongReceiveHandler:(void (SENDABLE ^)(NSError *_Nullable error))pongReceiveHandler NAME(sendPing(pongReceiveHandler:));
@property (readonly) NSURLSessionWebSocketCloseCode closeCode;
@property (nullable, readonly, copy) NSData *closeReason;
- (void)cancelWithCloseCode:(NSURLSessionWebSocketCloseCode)closeCode reason:(nullable NSData *)reason NAME(cancel(with:reason:));
@end
NAME(URLSessionTaskTransactionMetrics) SENDABLE
@interface NSURLSessionTaskTransactionMetrics : NSObject
@property (nullable, copy, readonly) NSString *networkProtocolName;
@end
NAME(URLSessionTaskMetrics) SENDABLE
@interface NSURLSessionTaskMetrics : NSObject
@property (copy, readonly) NSArray<NSURLSessionTaskTransactionMetrics *> *transactionMetrics;
@property (assign, readonly) NSUInteger redirectCount;
@end

// MARK: NSURLConnection

__attribute__((availability(macosx, introduced = 10.3, deprecated = 10.11), availability(ios, introduced = 2.0, deprecated = 9.0)))
@interface NSURLConnection : NSObject
+ (nullable NSData *)sendSynchronousRequest:(NSURLRequest *)request
                          returningResponse:(NSURLResponse *_Nullable *_Nullable)response
                                      error:(NSError **)error;
+ (void)sendAsynchronousRequest:(NSURLRequest *)request
                          queue:(NSOperationQueue *)queue
              completionHandler:(void (SENDABLE ^)(NSURLResponse *_Nullable response, NSData *_Nullable data,
                                    NSError *_Nullable connectionError))handler;
@end

#pragma clang assume_nonnull end
