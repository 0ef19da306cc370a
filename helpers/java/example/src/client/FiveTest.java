package client;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.CookieManager;
import java.net.http.*;
import org.junit.jupiter.api.Test;
import proctor.Run;
import proctor.Scenario;

/** The five tests that most suites begin with. */
class FiveTest {
    private static final HttpResponse.BodyHandler<String> TEXT = HttpResponse.BodyHandlers.ofString();

    private static HttpRequest.Builder to(Run run, String path) { return HttpRequest.newBuilder(run.url(path)); }

    @Test
    @Scenario(verdict = "", yaml = """
        summary: Too many requests, once
        exchanges:
          - { request: GET /items, reply: [{ status: 429, headers: { Retry-After: 0 } }, { status: 200, body: ok }] }
        """)
    void waitsAsLongAsA429AsksFor(Run run) throws Exception {
        var client = run.client().build();
        var reply = client.send(to(run, "/items").build(), TEXT);
        if (reply.statusCode() == 429) reply = client.send(to(run, "/items").build(), TEXT);
        assertEquals("ok", reply.body());
    }

    @Test
    @Scenario(verdict = "", yaml = """
        summary: Unavailable, once
        exchanges:
          - { request: GET /job, times: { exactly: 2 }, reply: [{ status: 503 }, { status: 200, body: done }] }
        """)
    void asksAgainAfterA503(Run run) throws Exception {
        var client = run.client().build();
        while (client.send(to(run, "/job").build(), TEXT).statusCode() == 503) { }
    }

    @Test
    @Scenario(verdict = "", yaml = """
        summary: A slow body
        exchanges:
          - { request: GET /slow, reply: { status: 200, body: [a, { do: wait 10s }, b] } }
        """)
    void aSlowBodyEndsInATimeout(Run run) throws Exception {
        var reply = run.client().build().sendAsync(to(run, "/slow").build(), TEXT);
        assertThrows(java.util.concurrent.TimeoutException.class, () -> reply.get(200, java.util.concurrent.TimeUnit.MILLISECONDS));
    }

    @Test
    @Scenario(verdict = "", yaml = """
        summary: JSON is posted
        exchanges:
          - { request: { method: POST, path: /items, json: { name: a } }, reply: { status: 201 } }
        """)
    void postsJSON(Run run) throws Exception {
        assertEquals(201, run.client().build().send(to(run, "/items").POST(ofString("{\"name\":\"a\"}")).build(), TEXT).statusCode());
    }

    @Test
    @Scenario(verdict = "", yaml = """
        summary: A login with a cookie
        exchanges:
          - { request: POST /login, reply: { status: 200, headers: { Set-Cookie: session=1 } } }
          - { request: { method: GET, path: /account, cookies: { session: "1" } }, reply: { status: 200, body: Ann } }
        """)
    void sendsTheCookieOfTheLogin(Run run) throws Exception {
        var client = run.client().cookieHandler(new CookieManager()).build();
        client.send(to(run, "/login").POST(noBody()).build(), TEXT);
        assertEquals("Ann", client.send(to(run, "/account").build(), TEXT).body());
    }
}
