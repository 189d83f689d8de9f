"""Posts standard input to a chat completions URL and prints what a reader makes of the answer.

One JSON line for each piece of text, as it comes, then one with calls, finish and prompt tokens. An
error of the server ends it with a traceback whose last line is the message.
"""

import http.client
import json
import sys
from urllib.parse import urlsplit


def events(response):
    """Yields the data of each event: comments and other fields are skipped."""
    data = []
    for raw in response:
        line = raw.decode("utf-8").rstrip("\r\n")
        if line:
            field, _, value = line.partition(":")
            if field == "data":
                data.append(value[1:] if value.startswith(" ") else value)
        elif data:
            yield "\n".join(data)
            data = []
    if data:
        raise EOFError("the stream ends inside an event")


def chunks(response):
    for data in events(response):
        if data == "[DONE]":
            return
        yield json.loads(data)
    raise EOFError("the stream ends without [DONE]")


def say(**line):
    print(json.dumps(line), flush=True)


def read(chunk, calls, seen):
    """One chunk, or a whole completion: its `message` is one big delta."""
    if "error" in chunk:
        raise RuntimeError(chunk["error"]["message"])
    if chunk.get("usage"):
        seen["prompt"] = chunk["usage"]["prompt_tokens"]
    for choice in chunk["choices"]:
        delta = choice.get("delta") or choice.get("message") or {}
        if delta.get("content"):
            say(text=delta["content"])
        for place, call in enumerate(delta.get("tool_calls") or []):
            known = calls.setdefault(call.get("index", place), {"name": "", "arguments": ""})
            known["name"] += call["function"].get("name") or ""
            known["arguments"] += call["function"].get("arguments") or ""
        seen["finish"] = choice.get("finish_reason") or seen.get("finish")


def main(url):
    body = sys.stdin.buffer.read()
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    headers = {"content-type": "application/json", "authorization": "Bearer sk-test-key"}
    connection.request("POST", place.path, body, headers)
    response = connection.getresponse()
    streamed = response.headers.get_content_type() == "text/event-stream"
    calls, seen = {}, {}
    for chunk in chunks(response) if streamed else [json.load(response)]:
        read(chunk, calls, seen)
    for call in calls.values():
        call["arguments"] = json.loads(call["arguments"])
    say(calls=[calls[index] for index in sorted(calls)], **seen)


if __name__ == "__main__":
    main(sys.argv[1])
