// One call by a client that oapi-codegen made: the arguments are the address of the server and the key.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func main() {
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("SERVICE-API-KEY", os.Args[2])
		return nil
	}
	client, err := NewClientWithResponses(os.Args[1], WithRequestEditorFn(withKey))
	if err != nil {
		panic(err)
	}
	limit := 2
	answer, err := client.ListSegmentsWithResponse(context.Background(), &ListSegmentsParams{Limit: &limit})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(answer.JSON200.Data), answer.JSON200.Data[0].Id)
}
