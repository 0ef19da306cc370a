package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"proctor.test/proctor"
)

func TestARedirectIsFollowed(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "redirect/302-get-stays-get")
	reply := run.Must(run.Client().Get(run.URL("/start")))
	verdict := run.Verdict("follow", proctor.Result{"status": reply.StatusCode, "body": reply.Body})
	if verdict.Outcome != "pass" {
		t.Errorf("the verdict is %s", verdict.Outcome)
	}
}

func TestA303TurnsPostIntoGet(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "redirect/303-post-becomes-get")
	run.Must(run.Client().Post(run.URL("/form"), "text/plain", strings.NewReader("a=1"))).Want(200, "ok\n")
	run.Verdict("follow")
}

func TestARedirectCanBeRefused(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "redirect/302-get-stays-get")
	client := run.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	run.Must(client.Get(run.URL("/start"))).Want(302)
	run.Verdict("refuse")
}

func TestTheAuthorityIsTrusted(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "tls/cert/valid")
	run.Must(run.Client().Get(run.URL("/page"))).Want("secure\n")
	run.Verdict("unasked")
}

func TestOriginsHaveNames(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "host/virtual-hosts")
	client := run.Client()
	for _, origin := range []string{"main", "sibling", "stranger"} {
		run.Must(client.Get(run.Origins[origin] + "/page"))
	}
	run.Verdict("each")
}

// A client that tries again once when the server is busy.
func getPatiently(client *http.Client, url string) (*http.Response, error) {
	response, err := client.Get(url)
	if err == nil && response.StatusCode == http.StatusServiceUnavailable {
		response.Body.Close()
		return client.Get(url)
	}
	return response, err
}

const lamp = `
summary: A lamp, from a server that is busy at first
exchanges:
  - request: GET /lamps/7
    reply:
      - { status: 503, headers: { Retry-After: 0 } }
      - { status: 200, body: "40 watts" }
`

func TestABusyServerIsAskedAgain(t *testing.T) {
	t.Parallel()
	run := proctor.Inline(t, lamp)
	run.Must(getPatiently(run.Client(), run.URL("/lamps/7"))).Want("40 watts")
	run.Verdict("")
	requestCount := 0
	for _, entry := range run.Journal() {
		if entry["ev"] == "requestHead" {
			requestCount++
		}
	}
	if requestCount != 2 {
		t.Errorf("%d requests came", requestCount)
	}
}

func TestAScenarioBeginsAgain(t *testing.T) {
	t.Parallel()
	run := proctor.Inline(t, lamp)
	for round := 0; round < 2; round++ {
		run.Reset()
		run.Must(run.Client().Get(run.URL("/lamps/7"))).Want(503)
	}
}

func TestAReplyThatBreaksOffIsAnError(t *testing.T) {
	t.Parallel()
	run := proctor.Inline(t, `
summary: Five bytes of nine
exchanges:
  - request: GET /short
    reply: { raw: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort", effects: [{ at: end, do: close }] }
`)
	if err := run.MustFail(run.Client().Get(run.URL("/short"))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the error is %v", err)
	}
	run.Verdict("")
}
