// Sends GET requests one after another, each on a connection of its own, and prints what came of each.
package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

func main() {
	count, _ := strconv.Atoi(os.Args[3])
	client := &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	for sent := 0; sent < count; sent++ {
		request, _ := http.NewRequest("GET", os.Args[1], nil)
		request.Header.Set("SERVICE-API-KEY", os.Args[2])
		answer, err := client.Do(request)
		if err != nil {
			fmt.Println("lost")
			continue
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil {
			fmt.Println("lost")
			continue
		}
		after := answer.Header.Get("Retry-After")
		if after == "" {
			after = "-"
		}
		fmt.Println(answer.StatusCode, after, hex.EncodeToString(body))
	}
}
