# In:   --dump=program
# Out:  "NAME: blocks threads" for each kernel
import json
import sys

for kernel in json.load(sys.stdin)[0]["kernels"]:
    body = kernel.get("body", {})
    words = [word for word in ("blocks", "threads") if body.get("any" + word.capitalize())]
    print(f"{kernel['name']}: {' '.join(words)}".rstrip())
