"""python3 python-json.py: Python's own json, without any schema. What is an object is accepted."""

import json
import platform

from protocol import argument_text, serve


def run(question):
    text = argument_text(question)
    if text is None:
        return {"skip": "reads arguments only"}
    value = json.loads(text)
    return {"accept": value} if isinstance(value, dict) else {"refuse": "not an object"}


serve({"name": "json", "version": platform.python_version(), "language": "Python"}, run)
