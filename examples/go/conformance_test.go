// Each endpoint of your server as a test of `go test`: CONFORM names the bundle, SERVER what starts your server.
package conformance

import (
	"encoding/xml"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

type report struct {
	Suites []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string                                  `xml:"name,attr"`
			Failure *struct{ Message string `xml:"message,attr"` } `xml:"failure"`
		} `xml:"testcase"`
	} `xml:"testsuite"`
}

func env(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func TestConformance(t *testing.T) {
	url, out := env("BASE_URL", "http://127.0.0.1:8080"), t.TempDir()
	server := exec.Command("sh", "-c", os.Getenv("SERVER"))
	server.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { syscall.Kill(-server.Process.Pid, syscall.SIGTERM); server.Wait() }()
	for tries := 0; ; tries++ {
		if answer, err := http.Get(url); err == nil {
			answer.Body.Close()
			break
		} else if tries == 300 {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	args := []string{os.Getenv("CONFORM"), "run", "--base-url", url, "--profile", "quick", "--out", out}
	if config := os.Getenv("CONFIG"); config != "" {
		args = append(args, "--config", config)
	}
	run := exec.Command("node", args...)
	run.Env = append(os.Environ(), "SERVICE_API_KEY="+env("SERVICE_API_KEY", "reference-key"))
	run.Run()
	if code := run.ProcessState.ExitCode(); code != 0 && code != 1 && code != 3 {
		t.Fatalf("the suite did not run (exit code %d)", code)
	}
	text, err := os.ReadFile(filepath.Join(out, "junit.xml"))
	var found report
	if err != nil || xml.Unmarshal(text, &found) != nil || len(found.Suites) == 0 {
		t.Fatal("there is no JUnit file")
	}
	for _, suite := range found.Suites {
		t.Run(suite.Name, func(t *testing.T) {
			for _, one := range suite.Cases {
				if one.Failure != nil {
					t.Errorf("%s: %s", one.Name, one.Failure.Message)
				}
			}
		})
	}
}
