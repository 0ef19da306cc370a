import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.socket.ConnectionSocketFactory;
import org.apache.hc.client5.http.socket.PlainConnectionSocketFactory;
import org.apache.hc.client5.http.ssl.SSLConnectionSocketFactory;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.NameValuePair;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.HttpEntities;
import org.apache.hc.core5.http.message.BasicNameValuePair;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.net.URIBuilder;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.Timeout;
import org.apache.hc.core5.util.VersionInfo;

/**
 * An adapter of Proctor for Apache HttpClient 5, its classic API (Docs/clients/adapters.md).
 *
 * What it is told, so that it neither gets help nor is hindered:
 *
 * - One client for all steps, with a pool of connections; no system properties. It asks for gzip and deflate, and undoes them, by itself; it
 *   repeats a request that failed, or was answered 429 or 503, once after a second, by itself.
 * - Names by its `DnsResolver` and the socket factory, in the assignment's table; others are not found.
 * - The URL as a text for `new URI`. A query is encoded by `URIBuilder`, a form by `HttpEntities.createUrlEncoded`.
 * - `setRedirectsEnabled`, with its own limit (50); the default cookie specification with a `BasicCookieStore`, or none.
 * - A credential in a `BasicCredentialsProvider` for every scope, whoever asks by Basic or Digest. Each step has a context of its own.
 * - A streamed body by `HttpEntities.create`, which tells no length and can be written again.
 * - `setResponseTimeout`, `setConnectTimeout` and the time of the socket for silence.
 * - To cancel is `abort` of the request: at its head, or at a piece of the body that it hands over.
 * - Steps that begin together have a thread each, as its manual shows it.
 */
final class ApacheHttpClient {
    private static final String NAME = "apache-httpclient";
    private static final String ABILITIES = """
        methods repeated-fields verbatim-urls encodes-values redirects redirect-refuse cookie-jar
        cookies-from-addresses basic digest challenge-default proxy proxy-tunnel trust identity upload-stream
        response-answers cancel time-limit-silence several-loads""";

    private final Part session;
    private final Proctor.Trace trace;
    private final Places places;

    private ApacheHttpClient(Part session, Proctor.Trace trace) {
        this.session = session;
        this.trace = trace;
        places = new Places(session);
    }

    public static void main(String[] words) throws Exception {
        var version = VersionInfo.loadVersionInfo("org.apache.hc.client5", ApacheHttpClient.class.getClassLoader()).getRelease();
        Proctor.serve(new Proctor.Adapter(
            NAME, "1", version, ABILITIES, "url status mime bytes body header error message", "response data progress",
            ApacheHttpClient::refuse, (assignment, trace) -> {
                try {
                    new ApacheHttpClient(assignment.part("session"), trace).run(assignment.parts("steps"));
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
            if (step.text("method").equals("CONNECT")) reason = "method: %s keeps CONNECT for its tunnels";
            boolean isSocket = step.has("address") && step.text("address").startsWith("unix:");
            if (isSocket && !assignment.part("session").has("proxy")) reason = "url: %s reaches no Unix socket";
            if (reason != null) throw new Proctor.Unimplemented(task, "steps[" + task + "]." + reason.formatted(NAME));
        }
    }

    private void run(List<Part> steps) throws Exception {
        try (var client = client(steps)) {
            Blocking.run(NAME, session, steps, trace, load -> perform(client, load));
        }
    }

    private CloseableHttpClient client(List<Part> steps) throws Exception {
        var context = session.has("trust") || session.has("identity") ? Secrets.context(session) : SSLContexts.createDefault();
        var registry = RegistryBuilder.<ConnectionSocketFactory>create()
            .register("http", new PlainConnectionSocketFactory() {
                @Override
                public Socket createSocket(HttpContext unused) { return places.createSocket(); }
            })
            .register("https", new SSLConnectionSocketFactory(context) {
                @Override
                public Socket createSocket(HttpContext unused) { return places.createSocket(); }
            }).build();
        var manager = new PoolingHttpClientConnectionManager(registry, null, null, null, null, new DnsResolver() {
            public InetAddress[] resolve(String host) throws UnknownHostException { return new InetAddress[] {places.resolve(host)}; }
            public String resolveCanonicalHostname(String host) { return host; }
        }, null);
        long silence = steps.stream().mapToLong(step -> Blocking.silence(session, step, 0)).max().orElse(0);
        if (silence > 0) {
            manager.setDefaultSocketConfig(SocketConfig.custom().setSoTimeout(Timeout.ofMilliseconds(silence)).build());
        }
        var builder = HttpClients.custom().setConnectionManager(manager);
        if ("never".equals(session.text("cookies"))) builder.disableCookieManagement();
        else builder.setDefaultCookieStore(new BasicCookieStore());
        if (session.has("proxy")) builder.setProxy(HttpHost.create("http://" + session.text("proxy")));
        return builder.build();
    }

    private static List<NameValuePair> pairs(List<?> pairs) {
        var list = new ArrayList<NameValuePair>();
        for (var one : pairs) {
            var pair = (List<?>) one;
            list.add(new BasicNameValuePair((String) pair.get(0), (String) pair.get(1)));
        }
        return list;
    }

    @SuppressWarnings("deprecation")
    private HttpUriRequestBase request(Part step) throws Exception {
        var url = new URI(step.text("url"));
        if (step.has("query")) url = new URIBuilder(url).addParameters(pairs(step.list("query"))).build();
        var request = new HttpUriRequestBase(step.text("method"), url);
        for (var one : step.list("headers")) {
            var pair = (List<?>) one;
            request.addHeader((String) pair.get(0), pair.get(1));
        }
        if (step.has("form")) {
            request.setEntity(HttpEntities.createUrlEncoded(pairs(step.list("form")), StandardCharsets.UTF_8));
        } else if (step.has("body")) {
            var bytes = step.part("body").content();
            request.setEntity(
                step.isStreamed() ? HttpEntities.create(output -> output.write(bytes), null) : new ByteArrayEntity(bytes, null));
        }
        var config = RequestConfig.custom().setRedirectsEnabled(step.part("beforehand").has("follow"));
        long silence = Blocking.silence(session, step, 0);
        if (silence > 0) {
            config.setResponseTimeout(silence, TimeUnit.MILLISECONDS).setConnectTimeout(silence, TimeUnit.MILLISECONDS);
        }
        request.setConfig(config.build());
        return request;
    }

    @SuppressWarnings("deprecation")
    private void perform(CloseableHttpClient client, Blocking load) throws Exception {
        var step = load.step;
        var request = request(step);
        var context = HttpClientContext.create();
        var credential = step.part("beforehand").part("credential");
        var credentials = new BasicCredentialsProvider();
        if (credential.has("user")) {
            var password = credential.has("password") ? credential.text("password") : "";
            credentials.setCredentials(
                new AuthScope(null, -1), new UsernamePasswordCredentials(credential.text("user"), password.toCharArray()));
        }
        context.setCredentialsProvider(credentials);
        try (var response = client.execute(request, context)) {
            var ways = context.getRedirectLocations();
            var url = ways == null || ways.size() == 0 ? request.getUri() : ways.get(ways.size() - 1);
            load.head(url.toString(), response.getCode(), name -> {
                var field = response.getFirstHeader(name);
                return field == null ? null : field.getValue();
            });
            load.cancelAtHead(request::abort);
            if (response.getEntity() == null) return;
            try (InputStream content = response.getEntity().getContent()) {
                var bytes = new byte[load.size()];
                for (int count; content != null && (count = content.read(bytes)) >= 0;) load.take(bytes, count, request::abort);
            }
        }
    }
}
