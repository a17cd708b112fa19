// A client tested with go test against the reference server: a sandbox for each test, a failure that is scripted.
// CONFORM is the command that starts the program; `npx console-conformance@0.1.0` when absent.
package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var server struct {
	URL     string `json:"url"`
	Control string `json:"control"`
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "conform")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ready := filepath.Join(folder, "ready.json")
	command := strings.Fields(os.Getenv("CONFORM"))
	if len(command) == 0 {
		command = []string{"npx", "console-conformance@0.1.0"}
	}
	process := exec.Command(command[0], append(command[1:], "serve", "--port", "0", "--ready-file", ready, "--quiet")...)
	if err := process.Start(); err != nil {
		panic(err)
	}
	defer process.Wait()
	defer process.Process.Signal(os.Interrupt)
	for tries := 0; ; tries++ {
		line, err := os.ReadFile(ready)
		if err == nil && json.Unmarshal(line, &server) == nil {
			return m.Run()
		}
		if tries == 1200 {
			fmt.Fprintln(os.Stderr, "the server did not start")
			return 1
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func ask(t *testing.T, method, url, key string, body any, into any) int {
	t.Helper()
	text, _ := json.Marshal(body)
	request, _ := http.NewRequest(method, url, bytes.NewReader(text))
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("SERVICE-API-KEY", key)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if into != nil {
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	return answer.StatusCode
}

// rename is the client under test: it tries again what the server could not do, and counts its tries.
func rename(t *testing.T, key, gate, name string) int {
	for tries := 1; tries < 5; tries++ {
		if ask(t, "PATCH", server.URL+"/console/v1/gates/"+gate, key, map[string]string{"name": name}, nil) == 200 {
			return tries
		}
	}
	return 0
}

func TestTriesAgain(t *testing.T) {
	for _, failures := range [][]int{{}, {500}, {500, 503, 429}} {
		t.Run(fmt.Sprint(failures), func(t *testing.T) {
			t.Parallel()
			var sandbox struct{ Name, APIKey string }
			ask(t, "POST", server.Control+"/sandboxes", "", struct{}{}, &sandbox)
			then := []any{}
			for _, status := range failures {
				then = append(then, map[string]int{"status": status})
			}
			ask(t, "POST", server.Control+"/behaviours?world="+sandbox.Name, "", map[string]any{
				"match": map[string]string{"operation": "patch-gate"}, "then": append(then, "real"),
			}, nil)
			if tries := rename(t, sandbox.APIKey, "dark_mode", "Dark mode"); tries != len(failures)+1 {
				t.Errorf("the client tried %d times", tries)
			}
		})
	}
}
