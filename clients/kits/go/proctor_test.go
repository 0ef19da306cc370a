package proctor

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain is the adapter itself where the environment says so: each test starts this program once more.
func TestMain(m *testing.M) {
	if os.Getenv("KIT_TEST_ADAPTER") == "" {
		os.Exit(m.Run())
	}
	Serve(Adapter{
		Client: "tiny", Revision: "2", Version: "1.0", Abilities: []string{"cancel"}, Facts: []string{"status"},
		Moments: []string{"data", "response"},
		Refuse: func(step *Step) (string, string) {
			if step.URL == "refused" {
				return "url", "wants another"
			}
			return "", ""
		},
		Run: func(one *Assignment, trace *Trace) error {
			for task, step := range one.Steps {
				trace.Event("resume", task, "", nil)
				if step.URL == "hang" {
					select {}
				}
				trace.Event("result", task, "", Facts{"status": 200})
			}
			return nil
		},
	})
}

const get = `{"version": 1, "scenario": "a/b", "case": "c", "deadline": 20000, "session": {"cookies": "always"},
	"steps": [{"method": "GET", "url": "http://127.0.0.1:1/", "headers": [], "bodyForm": "data",
	"beforehand": {"follow": true}}]}`

type row struct {
	Client, Case, Ev, Arg string
	Ns                    int64
	Facts                 any
}

// run gives the lines of the trace, and the exit code.
func run(t *testing.T, input string, environment ...string) ([]row, int) {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Stdin = strings.NewReader(input)
	command.Env = append(os.Environ(), append(environment, "KIT_TEST_ADAPTER=1")...)
	out, _ := command.Output()
	var rows []row
	for _, line := range bytes.Split(bytes.TrimSuffix(out, []byte("\n")), []byte("\n")) {
		var one row
		if err := json.Unmarshal(line, &one); err != nil && len(line) > 0 {
			t.Fatalf("%s: %v", line, err)
		}
		rows = append(rows, one)
	}
	return rows, command.ProcessState.ExitCode()
}

func TestATraceHasAHeaderAndTimesOfTheMonotonicClock(t *testing.T) {
	before := now()
	rows, code := run(t, get)
	after := now()
	if code != 0 || len(rows) != 3 || rows[0].Client != "tiny" || rows[0].Case != "c" {
		t.Fatal(code, rows)
	}
	for index, name := range []string{"resume", "result"} {
		one := rows[index+1]
		if one.Ev != name || clockName == "monotonic" && (one.Ns <= before || one.Ns >= after) {
			t.Error(before, one, after)
		}
	}
}

func TestManyAssignmentsHaveATraceEachWithAnEmptyLineBehindIt(t *testing.T) {
	line := strings.ReplaceAll(get, "\n", " ")
	input := line + "\n" + strings.Replace(line, "http://127.0.0.1:1/", "refused", 1) + "\n"
	rows, code := run(t, input, "PROCTOR_ASSIGNMENTS=many")
	var names []string
	for _, one := range rows {
		names = append(names, one.Client+one.Ev)
	}
	if got := strings.Join(names, " "); code != 0 || got != "tiny resume result  tiny unimplemented " {
		t.Errorf("%d %q", code, got)
	}
}

func TestWhatTheClientLacksOrCannotBeToldIsRefused(t *testing.T) {
	for _, one := range [][3]string{
		{`"deadline"`, `"needs": ["cancel", "suspend"], "deadline"`, "needs: tiny has no suspend"},
		{`"method"`, `"onChallenge": [{"answer": "use"}], "method"`, "steps[0].onChallenge: tiny answers no challenge"},
		{`"beforehand"`, `"later"`, "steps[0].beforehand: tiny is told no such answers before a load"},
		{`"method"`, `"cancelAt": {"event": "redirect", "count": 1}, "method"`, "steps[0].cancelAt: tiny can't be cancelled then"},
		{`"method"`, `"onResponse": "never", "method"`, "steps[0].onResponse: tiny can't say never"},
		{`"method"`, `"download": {}, "method"`, "steps[0].download: tiny decides nothing about a file"},
		{"http://127.0.0.1:1/", "refused", "steps[0].url: tiny wants another"},
	} {
		rows, _ := run(t, strings.Replace(get, one[0], one[1], 1))
		if last := rows[len(rows)-1]; len(rows) != 2 || last.Ev != "unimplemented" || last.Arg != one[2] {
			t.Error(one, rows)
		}
	}
	for _, more := range []string{
		`"cancelAt": {"event": "response", "count": 1}, "onResponse": "never"`, `"cancelAt": {"event": "data", "count": 1}`,
		`"onChallenge": [{"answer": "use"}], "challengeCount": 0`,
	} {
		if rows, _ := run(t, strings.Replace(get, `"method"`, more+`, "method"`, 1)); len(rows) != 3 {
			t.Error(more, rows)
		}
	}
}

func TestAnOpenStepHasAResultAtTheDeadline(t *testing.T) {
	hang := strings.Replace(strings.Replace(get, "http://127.0.0.1:1/", "hang", 1), "20000", "700", 1)
	rows, code := run(t, hang)
	if code != 0 || len(rows) != 3 || rows[2].Facts.(map[string]any)["domain"] != "adapter" {
		t.Error(code, rows)
	}
}

func TestWhatIsNoAssignmentEndsWith64(t *testing.T) {
	for _, input := range []string{"", "{", `{"version": 2}`} {
		if _, code := run(t, input); code != 64 {
			t.Error(input, code)
		}
	}
}

func TestBodiesAndNames(t *testing.T) {
	var step Step
	_ = json.Unmarshal([]byte(`{"bodyForm": "bound-pair", "body": {"text": "ab", "count": 5}}`), &step)
	if data, err := step.Content(); string(data) != "ababa" || err != nil || !step.IsStreamed() {
		t.Error(data, err)
	}
	facts := Facts{}
	AddBody(facts, []byte{255}, 1)
	if facts["bodyBase64"] != "/w==" || facts["body"] != nil {
		t.Error(facts)
	}
	one := &Assignment{}
	one.Session.Names = []Name{{"a.example", "127.0.0.1:9", 80}, {"b.example", "unix:/s", 80}}
	for _, row := range []struct {
		host, network, address string
		isKnown                bool
	}{
		{"A.Example.", "tcp", "127.0.0.1:9", true}, {"b.example", "unix", "/s", true}, {"c.example", "", "", false},
		{"::1", "tcp", "[::1]:80", true}, {"localhost", "tcp", "127.0.0.1:80", true},
	} {
		network, address, isKnown := one.Place(row.host, 80)
		if isKnown != row.isKnown || isKnown && (network != row.network || address != row.address) {
			t.Error(row, network, address, isKnown)
		}
	}
}
