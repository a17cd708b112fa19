"""One call by a client that openapi-python-client made: the arguments are the address of the server and the key."""
import sys

from generated import AuthenticatedClient
from generated.api.segments import list_segments
from generated.models import ListSegmentsAnswer

url, key = sys.argv[1:]
client = AuthenticatedClient(url, token=key, prefix="", auth_header_name="SERVICE-API-KEY")
answer = list_segments.sync(client=client, limit=2)
assert isinstance(answer, ListSegmentsAnswer), answer
print(len(answer.data), answer.data[0].id)
