"""The runner's side of the protocol: see "Write a runner" in ../README.md."""

import json
import sys


def serve(implementation, run):
    """Answers the suite on standard input and output.

    implementation: name, version and language of the library. run takes a question and returns
    {"accept": ...}, {"refuse": ...} or {"skip": ...}; what it raises is a refusal.
    """
    for line in sys.stdin:
        message = json.loads(line)
        if message["command"] == "stop":
            return
        if message["command"] == "start":
            answer = {"version": 1, "implementation": implementation}
        else:
            answer = {"seq": message["seq"], **_answer_to(message, run)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def _answer_to(question, run):
    try:
        answer = run(question)
        json.dumps(answer, allow_nan=False)
        return answer
    except Exception as error:  # whatever a library raises
        return {"refuse": str(error)[:200]}


def argument_text(question):
    """The arguments as text, as a provider sends them. None: the call stands in an answer."""
    sent = question["sent"]
    if "answer" in sent:
        return None
    return sent["text"] if "text" in sent else json.dumps(sent["arguments"])
