"""One answer read by models that datamodel-code-generator made: the arguments are the address of the server and the key."""
import sys
import urllib.request

from generated import ListSegmentsAnswer

url, key = sys.argv[1:]
request = urllib.request.Request(f"{url}/console/v1/segments?limit=2", headers={"SERVICE-API-KEY": key})
with urllib.request.urlopen(request, timeout=10) as answer:
    segments = ListSegmentsAnswer.model_validate_json(answer.read()).data
print(len(segments), segments[0].id)
