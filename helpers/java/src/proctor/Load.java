package proctor;

import java.io.*;
import java.net.*;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/** One load that a client is to make: what is asked, how questions are answered, and what comes of it. */
public final class Load {
    private static final int BODY_LIMIT = 640 << 10;

    private final Map<String, Object> step, session;
    private final String name;
    private final List<Object> kept;

    Load(String name, Map<String, Object> step, Map<String, Object> session, List<Object> kept) {
        this.name = name;
        this.step = step;
        this.session = session;
        this.kept = kept;
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) { return (T) value; }

    /** The name of the case. */
    public String name() { return name; }

    /** The step of the assignment, as Docs/clients/assignment.md has it. */
    public Map<String, Object> step() { return step; }

    /** How the client is set up for all loads of the case, as Docs/clients/assignment.md has it. */
    public Map<String, Object> session() { return session; }

    /** The method of the request. */
    public String method() { return (String) step.get("method"); }

    /** The URL of the request, as it stands. */
    public String url() { return (String) step.get("url"); }

    /** Names and values in order; a name may come twice. */
    public List<List<String>> fields() { return cast(step.get("headers")); }

    /** The content, or null. */
    public byte[] body() {
        Map<String, Object> body = cast(step.get("body"));
        if (body == null) return null;
        var data = body.containsKey("base64")
            ? Base64.getDecoder().decode((String) body.get("base64"))
            : ((String) body.getOrDefault("text", "")).getBytes(StandardCharsets.UTF_8);
        var count = (Long) body.get("count");
        if (count == null || data.length == 0) return data;
        var repeated = new byte[count.intValue()];
        for (int at = 0; at < repeated.length; at++) repeated[at] = data[at % data.length];
        return repeated;
    }

    /** Whether the length of the content is not to be known beforehand. */
    public boolean isStreamed() { return step.containsKey("body") && ((String) step.get("bodyForm")).matches(".*(stream|pair)"); }

    private Map<String, Object> told() { return cast(step.getOrDefault("beforehand", Map.of())); }

    /** Whether redirects are followed; the answers in {@link #step} differ where they are not all the same. */
    public boolean follows() {
        List<Map<String, Object>> answers = cast(step.get("onRedirect"));
        return (boolean) told().getOrDefault("follow", "follow".equals(answers.get(0).get("answer")));
    }

    /** "user" and "password", or "token", for any challenge; empty where there is none. */
    public Map<String, String> credential() { return cast(told().getOrDefault("credential", Map.of())); }

    /** The word of the moment at which the load is to be cancelled, as "response"; empty where it is not. */
    public String cancelsAt() {
        Map<String, Object> moment = cast(step.getOrDefault("cancelAt", Map.of()));
        return (String) moment.getOrDefault("event", "");
    }

    /** How long the client waits in silence; nothing where it is not said. */
    public Optional<Duration> timeout() {
        return Optional.ofNullable((Long) step.getOrDefault("timeout", session.get("requestTimeout"))).map(Duration::ofMillis);
    }

    /** What {@code make} gave at the first load of the case, for all its loads. */
    public <T> T once(Supplier<T> make) {
        if (kept.isEmpty()) kept.add(make.get());
        return cast(kept.get(0));
    }

    /** A builder of clients of HTTP/1.1 that reach the names of the case, trust its authority, and use its proxy. */
    public HttpClient.Builder client() {
        var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(new Proxies());
        if (session.get("trust") instanceof String path) client.sslContext(trust(path));
        return client;
    }

    private static javax.net.ssl.SSLContext trust(String path) {
        try {
            return Run.trusting(Files.readAllBytes(Path.of(path)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The proxy of the case for everything, or the one that leads to names, for these alone. */
    private final class Proxies extends ProxySelector {
        @Override
        public List<Proxy> select(URI target) {
            var isNumber = target.getHost() == null || target.getHost().matches("[0-9.]+|\\[.*");
            var place = session.getOrDefault("proxy", isNumber ? null : session.get("namesProxy"));
            if (place == null) return List.of(Proxy.NO_PROXY);
            var proxy = URI.create("http://" + place);
            return List.of(new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.getHost(), proxy.getPort())));
        }

        @Override
        public void connectFailed(URI target, SocketAddress address, IOException failure) { }
    }

    /** A builder of the request that the load asks for; one that it can't make skips the case. */
    public HttpRequest.Builder request() {
        var body = body();
        var content = body == null ? BodyPublishers.noBody()
            : isStreamed() ? BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)) : BodyPublishers.ofByteArray(body);
        var request = HttpRequest.newBuilder(URI.create(url())).method(method(), content);
        timeout().ifPresent(request::timeout);
        try {
            for (var field : fields()) request.header(field.get(0), field.get(1));
        } catch (IllegalArgumentException e) {
            throw cannot(e.getMessage());
        }
        return request;
    }

    /** Throw it where the client can't be told a part of the program: the case is skipped with the reason. */
    public RuntimeException cannot(String reason) { return new TestAbortedException("the client can't be told so: " + reason); }

    /** What came of the load: the final response. */
    public Map<String, Object> result(HttpResponse<byte[]> response) {
        return result(response.statusCode(), response.headers().map(), response.uri().toString(), response.body());
    }

    /** What came of the load: the final status, its fields and URL, and the content. */
    public Map<String, Object> result(int status, Map<String, List<String>> fields, String url, byte[] body) {
        var result = new LinkedHashMap<String, Object>(Map.of("status", status, "url", url));
        var found = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
        fields.forEach((field, values) -> { if (field != null) found.put(field, values); });
        var mime = found.getOrDefault("Content-Type", List.of("")).get(0).split(";")[0].trim().toLowerCase(Locale.ROOT);
        if (!mime.isEmpty()) result.put("mime", mime);
        List<String> names = cast(step.get("fieldNames"));
        if (names != null) {
            var lines = names.stream().filter(found::containsKey).map(it -> it + ": " + String.join(", ", found.get(it))).toList();
            result.put("header", String.join("\n", lines));
        }
        if (body.length > BODY_LIMIT) result.put("bytes", body.length); else result.put("body", text(body));
        return result;
    }

    /** The content as a text where it is one. */
    private static Object text(byte[] body) {
        try {
            var text = StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(body)).toString();
            return text.indexOf(0) < 0 ? text : body;
        } catch (CharacterCodingException e) {
            return body;
        }
    }

    /** A failure by its name, as {@code timedOut} (Docs/judging/traces.md). */
    public Map<String, Object> error(String error) { return Map.of("error", error, "message", error); }

    /** The neutral name of what a client threw, by it and by its causes. */
    static String errorName(Throwable failure) {
        for (var one = failure; one != null; one = one.getCause()) {
            var text = String.valueOf(one.getMessage());
            if (one instanceof java.security.cert.CertificateExpiredException) return "serverCertificateHasBadDate";
            if (one instanceof java.security.cert.CertificateNotYetValidException) return "serverCertificateNotYetValid";
            if (one instanceof java.security.cert.CertificateException) return "serverCertificateUntrusted";
            if (one instanceof java.net.http.HttpTimeoutException || one instanceof java.util.concurrent.TimeoutException) return "timedOut";
            if (one instanceof java.nio.channels.UnresolvedAddressException || one instanceof UnknownHostException) return "cannotFindHost";
            if (one instanceof java.util.concurrent.CancellationException) return "cancelled";
            if (one instanceof ProtocolException) return "badServerResponse";
            if (one instanceof IllegalArgumentException) return text.contains("scheme") ? "unsupportedURL" : "badURL";
            if (one.getCause() != null) continue;
            if (one instanceof javax.net.ssl.SSLException) return "secureConnectionFailed";
            if (one instanceof ConnectException) return "cannotConnect";
            if (one instanceof EOFException || text.contains("reset") || text.contains("EOF") || text.contains("closed")) return "connectionLost";
            if (one instanceof IOException) return "badServerResponse";
        }
        return "unknown";
    }
}
