"""The block and the shared memory of each launch of a program."""
import json, sys
for program in json.load(sys.stdin):
    for trace in program["traces"]:
        for step in trace["steps"]:
            if step["kind"] == "launch":
                threads = ["threads", step["threads"]] if "threads" in step else []
                print(trace["function"], step["block"][0], *threads, step["dynamicShared"])
