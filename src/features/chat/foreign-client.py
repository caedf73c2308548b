"""A client of the chat that knows the public protocol alone: three events out, four in, and no acknowledgements.

Its second argument is the transport, `websocket` or `polling`.
Reads one command a line (`open`, `emit EVENT JSON`, `close`) and writes one JSON line for each thing it receives.
"""

import json
import sys

import socketio

address, transport = sys.argv[1:]
client = socketio.Client(reconnection=False)


def write(name, data=None):
    print(json.dumps([name, data]), flush=True)


def listen(name):
    client.on(name, lambda data=None: write(name, data))


for name in ("chat:connected", "chat:client-joined", "chat:new-message", "chat:closed", "chat:error"):
    listen(name)
client.on("connect", lambda: write("connect"))
client.on("disconnect", lambda *_: write("disconnect"))

for line in sys.stdin:
    command, _, rest = line.strip().partition(" ")
    if command == "open":
        client.connect(address, transports=[transport])
    elif command == "close":
        client.disconnect()
        break
    else:
        event, _, data = rest.partition(" ")
        client.emit(event, json.loads(data))
