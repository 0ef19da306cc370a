import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.Authenticator;
import okhttp3.Credentials;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.JavaNetCookieJar;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.internal.Version;
import okio.BufferedSink;

/**
 * An adapter of Proctor for OkHttp 3 (Docs/clients/adapters.md).
 *
 * What it is told, so that it neither gets help nor is hindered:
 *
 * - One OkHttpClient, of which each step has a `newBuilder` with its own redirects, limits and credential: the pool and the jar are shared.
 *   It asks for gzip, and undoes it, by itself. Its limits of 10 s for a connection, a read and a write are lifted
 *   where the program has none, so that the deadline of the case is the only one.
 * - Names by its `Dns` and `SocketFactory`, in the assignment's table; others are not found.
 * - The URL as a text. A query is encoded by `addQueryParameter`, a form by `FormBody`.
 * - `followRedirects`, with its own limit (20); it follows to https and back.
 * - `JavaNetCookieJar` over a CookieManager with ACCEPT_ORIGINAL_SERVER, or no jar.
 * - An `Authenticator`, for origins and the proxy, that gives the credential once to who asks for Basic (`Credentials.basic`) or Bearer.
 * - A streamed body is a `RequestBody` of unknown length, which can be written again.
 * - HTTP/2 by ALPN as it comes; where HTTP/2 is wanted without TLS, H2_PRIOR_KNOWLEDGE.
 * - To cancel is `Call.cancel`: at the head, or at a piece of the body that it hands over.
 * - Steps that begin together have a thread each, and `execute`.
 *
 * It refuses content with GET and HEAD, and none with POST, PUT and PATCH: such a step is `unimplemented`, or has empty content.
 */
final class OkHttp {
    private static final String NAME = "okhttp";
    private static final String ABILITIES = """
        methods repeated-fields verbatim-urls encodes-values fragment redirects redirect-refuse cookie-jar
        cookies-from-addresses basic bearer challenge-default proxy proxy-tunnel trust identity upload-stream
        response-answers cancel time-limit-silence time-limit-total several-loads h2 prior-knowledge""";

    private final Part session;
    private final boolean wantsHTTP2;
    private final Proctor.Trace trace;
    private final OkHttpClient client;

    private OkHttp(Part assignment, Proctor.Trace trace) throws Exception {
        session = assignment.part("session");
        wantsHTTP2 = "h2".equals(assignment.text("protocol")) || assignment.list("needs").contains("h2");
        this.trace = trace;
        client = client();
    }

    public static void main(String[] words) throws Exception {
        Proctor.serve(new Proctor.Adapter(
            NAME, "1", Version.userAgent().replaceFirst("^okhttp/", ""), ABILITIES, "url status mime bytes body header error message",
            "response data progress", OkHttp::refuse, (assignment, trace) -> {
                try {
                    new OkHttp(assignment, trace).run(assignment.parts("steps"));
                } catch (Proctor.Unimplemented error) {
                    throw error;
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            }), words);
    }

    private static void refuse(Part assignment) {
        var steps = assignment.parts("steps");
        for (int task = 0; task < steps.size(); task++) {
            var step = steps.get(task);
            String reason = null;
            var method = step.text("method");
            boolean hasContent = step.has("body") || step.has("form");
            if (method.equals("CONNECT")) reason = "method: %s keeps CONNECT for its tunnels";
            if (hasContent && (method.equals("GET") || method.equals("HEAD"))) reason = "body: %s takes no content for " + method;
            boolean isSocket = step.has("address") && step.text("address").startsWith("unix:");
            if (isSocket && !assignment.part("session").has("proxy")) reason = "url: %s reaches no Unix socket";
            if (reason != null) throw new Proctor.Unimplemented(task, "steps[" + task + "]." + reason.formatted(NAME));
        }
    }

    private void run(List<Part> steps) throws Exception {
        Blocking.run(NAME, session, steps, trace, this::perform);
        client.connectionPool().evictAll();
    }

    private OkHttpClient client() throws Exception {
        var places = new Places(session);
        var builder = new OkHttpClient.Builder()
            .dns(host -> List.of(places.resolve(host))).socketFactory(places)
            .proxy(Proxy.NO_PROXY).connectTimeout(0, TimeUnit.MILLISECONDS)
            .readTimeout(0, TimeUnit.MILLISECONDS).writeTimeout(0, TimeUnit.MILLISECONDS);
        if (session.has("proxy")) {
            var way = session.text("proxy");
            int colon = way.lastIndexOf(':');
            var address = new InetSocketAddress(way.substring(0, colon), Integer.parseInt(way.substring(colon + 1)));
            builder.proxy(new Proxy(Proxy.Type.HTTP, address));
        }
        if (!"never".equals(session.text("cookies"))) {
            builder.cookieJar(new JavaNetCookieJar(new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER)));
        }
        if (session.has("trust") || session.has("identity")) {
            builder.sslSocketFactory(Secrets.context(session).getSocketFactory(), trustManager());
        }
        long whole = session.number("resourceTimeout");
        if (whole > 0) builder.callTimeout(whole, TimeUnit.MILLISECONDS);
        return builder.build();
    }

    private X509TrustManager trustManager() throws Exception {
        if (session.has("trust")) return (X509TrustManager) Secrets.trust(session.text("trust"))[0];
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return (X509TrustManager) factory.getTrustManagers()[0];
    }

    /** Gives the credential of the step to who asks for it, once. */
    private static Authenticator authenticator(Part credential, String field) {
        return (route, response) -> {
            if (response.request().header(field) != null) return null;
            for (var challenge : response.challenges()) {
                String value = null;
                if (credential.has("user") && challenge.scheme().equalsIgnoreCase("Basic")) {
                    var password = credential.has("password") ? credential.text("password") : "";
                    value = Credentials.basic(credential.text("user"), password, challenge.charset());
                } else if (credential.has("token") && challenge.scheme().equalsIgnoreCase("Bearer")) {
                    value = "Bearer " + credential.text("token");
                }
                if (value != null) return response.request().newBuilder().header(field, value).build();
            }
            return null;
        };
    }

    private OkHttpClient own(Part step) {
        boolean follows = step.part("beforehand").has("follow");
        var builder = client.newBuilder().followRedirects(follows).followSslRedirects(follows);
        long silence = Blocking.silence(session, step, 0);
        if (silence > 0) {
            builder.connectTimeout(silence, TimeUnit.MILLISECONDS)
                .readTimeout(silence, TimeUnit.MILLISECONDS).writeTimeout(silence, TimeUnit.MILLISECONDS);
        }
        var credential = step.part("beforehand").part("credential");
        if (credential.has("user") || credential.has("token")) {
            builder.authenticator(authenticator(credential, "Authorization"))
                .proxyAuthenticator(authenticator(credential, "Proxy-Authorization"));
        }
        if (wantsHTTP2 && step.text("url").toLowerCase().startsWith("http:")) {
            builder.protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
        }
        return builder.build();
    }

    private static Request request(Part step) {
        var builder = new Request.Builder().url(step.text("url"));
        if (step.has("query")) {
            var url = HttpUrl.get(step.text("url")).newBuilder();
            for (var one : step.list("query")) {
                var pair = (List<?>) one;
                url.addQueryParameter((String) pair.get(0), (String) pair.get(1));
            }
            builder.url(url.build());
        }
        for (var one : step.list("headers")) {
            var pair = (List<?>) one;
            builder.addHeader((String) pair.get(0), (String) pair.get(1));
        }
        return builder.method(step.text("method"), body(step)).build();
    }

    private static RequestBody body(Part step) {
        if (step.has("form")) {
            var form = new FormBody.Builder();
            for (var one : step.list("form")) {
                var pair = (List<?>) one;
                form.add((String) pair.get(0), (String) pair.get(1));
            }
            return form.build();
        }
        boolean needsContent = List.of("POST", "PUT", "PATCH").contains(step.text("method"));
        if (!step.has("body")) return needsContent ? RequestBody.create(null, new byte[0]) : null;
        var bytes = step.part("body").content();
        if (!step.isStreamed()) return RequestBody.create(null, bytes);
        return new RequestBody() {
            public okhttp3.MediaType contentType() { return null; }
            public void writeTo(BufferedSink sink) throws java.io.IOException { sink.write(bytes); }
        };
    }

    private void perform(Blocking load) throws Exception {
        var call = own(load.step).newCall(request(load.step));
        try (var response = call.execute()) {
            load.head(response.request().url().toString(), response.code(), response::header);
            load.cancelAtHead(call::cancel);
            var source = response.body().source();
            var bytes = new byte[load.size()];
            for (int count; (count = source.read(bytes)) >= 0;) load.take(bytes, count, call::cancel);
        }
    }
}
