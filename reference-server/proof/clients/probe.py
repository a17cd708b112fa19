"""Sends GET requests one after another, each on a connection of its own, and prints what came of each."""
import sys
import httpx

url, key, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
for _ in range(count):
    try:
        with httpx.Client(timeout=10) as client:
            answer = client.get(url, headers={"SERVICE-API-KEY": key, "Accept-Encoding": "identity"})
        print(answer.status_code, answer.headers.get("retry-after", "-"), answer.content.hex())
    except httpx.HTTPError:
        print("lost")
