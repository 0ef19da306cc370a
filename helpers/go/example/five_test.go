package client

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"proctor.test/proctor"
)

// The five tests that most suites begin with.

func TestWaitsAsLongAsA429AsksFor(t *testing.T) {
	limit := proctor.Reply{"status": 429, "headers": map[string]string{"Retry-After": "0"}}
	run := proctor.Expect(t, proctor.On("GET /items", limit, "ok"))
	status, body := get(t, run.Client(), run.URL("/items"))
	if status == http.StatusTooManyRequests {
		_, body = get(t, run.Client(), run.URL("/items"))
	}
	if body != "ok" {
		t.Errorf("the body is %q", body)
	}
}

func TestAsksAgainAfterA503(t *testing.T) {
	run := proctor.Expect(t, proctor.On("GET /job", 503, "done").With("times", map[string]int{"exactly": 2}))
	for status := 503; status == 503; {
		status, _ = get(t, run.Client(), run.URL("/job"))
	}
}

func TestASlowBodyEndsInATimeout(t *testing.T) {
	slow := proctor.Reply{"body": []any{"a", map[string]string{"do": "wait 10s"}, "b"}}
	run := proctor.Expect(t, proctor.On("GET /slow", slow))
	client := run.Client()
	limit, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	request, _ := http.NewRequestWithContext(limit, "GET", run.URL("/slow"), nil)
	response, err := client.Do(request)
	if err == nil {
		_, err = io.ReadAll(response.Body)
	}
	if err == nil {
		t.Error("the body came whole")
	}
}

func TestPostsJSON(t *testing.T) {
	run := proctor.Expect(t, proctor.On("POST /items", 201).With("json", map[string]string{"name": "a"}))
	response, err := run.Client().Post(run.URL("/items"), "application/json", strings.NewReader(`{"name":"a"}`))
	if err != nil || response.StatusCode != http.StatusCreated {
		t.Error(response, err)
	}
}

func TestSendsTheCookieOfTheLogin(t *testing.T) {
	login := proctor.On("POST /login", proctor.Reply{"headers": map[string]string{"Set-Cookie": "session=1"}})
	run := proctor.Expect(t, login, proctor.On("GET /account", "Ann").With("cookies", map[string]string{"session": "1"}))
	client := run.Client()
	client.Jar, _ = cookiejar.New(nil)
	if _, err := client.Post(run.URL("/login"), "text/plain", nil); err != nil {
		t.Fatal(err)
	}
	if _, body := get(t, client, run.URL("/account")); body != "Ann" {
		t.Errorf("the body is %q", body)
	}
}
