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
	stubs := proctor.New(t)
	items := stubs.On("GET /items").Reply(429, proctor.Headers{"Retry-After": "1"}).Reply(200, "ok").Times(2)
	status, _ := get(t, http.DefaultClient, stubs.URL("/items"))
	for status == http.StatusTooManyRequests {
		time.Sleep(time.Second)
		status, _ = get(t, http.DefaultClient, stubs.URL("/items"))
	}
	if came := items.Requests(); came[1].Time-came[0].Time < time.Second {
		t.Errorf("the client waited %v", came[1].Time-came[0].Time)
	}
}

func TestAsksAgainAfterA503(t *testing.T) {
	stubs := proctor.New(t)
	stubs.On("GET /job").Reply(503).Reply(200, "done").Times(2)
	for status := 503; status == 503; {
		status, _ = get(t, http.DefaultClient, stubs.URL("/job"))
	}
}

func TestASlowBodyEndsInATimeout(t *testing.T) {
	stubs := proctor.New(t)
	stubs.On("GET /slow").Reply(200, proctor.Reply{"body": []any{"a", map[string]string{"do": "wait 10s"}, "b"}})
	limit, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	request, _ := http.NewRequestWithContext(limit, "GET", stubs.URL("/slow"), nil)
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		_, err = io.ReadAll(response.Body)
	}
	if err == nil {
		t.Error("the body came whole")
	}
}

func TestPostsJSON(t *testing.T) {
	stubs := proctor.New(t)
	items := stubs.On("POST /items").Having("json", map[string]string{"name": "a"}).Reply(201, proctor.JSON(map[string]int{"id": 7}))
	response, err := http.Post(stubs.URL("/items"), "application/json", strings.NewReader(`{"name":"a"}`))
	if err != nil || read(t, response) != `{"id":7}` {
		t.Error(response, err)
	}
	if kind, _ := items.Requests()[0].Header("Content-Type"); kind != "application/json" {
		t.Errorf("the Content-Type is %q", kind)
	}
}

func TestSendsTheCookieOfTheLogin(t *testing.T) {
	stubs := proctor.New(t)
	stubs.On("POST /login").Reply(200, proctor.Headers{"Set-Cookie": "session=1"})
	stubs.On("GET /account").Having("cookies", map[string]string{"session": "1"}).Reply(200, "Ann")
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar}
	if _, err := client.Post(stubs.URL("/login"), "text/plain", nil); err != nil {
		t.Fatal(err)
	}
	if _, body := get(t, client, stubs.URL("/account")); body != "Ann" {
		t.Errorf("the body is %q", body)
	}
	stubs.Verify()
}
