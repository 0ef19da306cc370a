package client

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"proctor.test/proctor"
)

// get reads a whole reply, as text.
func get(t *testing.T, client *http.Client, url string) (status int, body string) {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, read(t, response)
}

func read(t *testing.T, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestARedirectIsFollowed(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "redirect/302-get-stays-get")
	status, body := get(t, run.Client(), run.URL("/start"))
	verdict := run.Verdict("follow", proctor.Result{"status": status, "body": body})
	if verdict.Outcome != "pass" {
		t.Errorf("the verdict is %s", verdict.Outcome)
	}
}

func TestA303TurnsPostIntoGet(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "redirect/303-post-becomes-get")
	response, err := run.Client().Post(run.URL("/form"), "text/plain", strings.NewReader("a=1"))
	if err != nil {
		t.Fatal(err)
	}
	if body := read(t, response); body != "ok\n" {
		t.Errorf("the body is %q", body)
	}
	run.Verdict("follow")
}

func TestARedirectCanBeRefused(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "redirect/302-get-stays-get")
	client := run.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if status, _ := get(t, client, run.URL("/start")); status != http.StatusFound {
		t.Errorf("the status is %d", status)
	}
	run.Verdict("refuse")
}

func TestTheAuthorityIsTrusted(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "tls/cert/valid")
	if _, body := get(t, run.Client(), run.URL("/page")); body != "secure\n" {
		t.Errorf("the body is %q", body)
	}
	run.Verdict("unasked")
}

func TestOriginsHaveNames(t *testing.T) {
	t.Parallel()
	run := proctor.Run(t, "host/virtual-hosts")
	client := run.Client()
	for _, origin := range []string{"main", "sibling", "stranger"} {
		get(t, client, run.Origins[origin]+"/page")
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
	response, err := getPatiently(run.Client(), run.URL("/lamps/7"))
	if err != nil {
		t.Fatal(err)
	}
	if body := read(t, response); body != "40 watts" {
		t.Errorf("the body is %q", body)
	}
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
		if status, _ := get(t, run.Client(), run.URL("/lamps/7")); status != http.StatusServiceUnavailable {
			t.Errorf("the status is %d in round %d", status, round)
		}
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
	response, err := run.Client().Get(run.URL("/short"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the error is %v", err)
	}
	run.Verdict("")
}
