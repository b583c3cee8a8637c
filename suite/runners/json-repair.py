"""python3 json-repair.py: json_repair with its repair by schema.

Install it first: pip install 'json-repair[schema]'. Used as its documentation says, with the
schema of the tool: https://github.com/mangiucugna/json_repair#schema-guided-repairs
"""

import sys
from importlib.metadata import version

try:
    import json_repair
except ImportError:
    sys.exit("json_repair is not installed: run pip install 'json-repair[schema]'")

from protocol import argument_text, serve


def run(question):
    text = argument_text(question)
    if text is None:
        return {"skip": "reads arguments only"}
    value = json_repair.loads(text, schema=question["tool"]["schema"])
    return {"accept": value} if isinstance(value, dict) else {"refuse": "not an object"}


serve({"name": "json_repair", "version": version("json-repair"), "language": "Python"}, run)
