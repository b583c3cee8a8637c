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


def without_optional_defaults(schema):
    """A copy without the defaults of optional properties.

    json_repair writes these defaults into the arguments. The suite expects what was sent: a
    default is the tool's to apply.
    """
    if isinstance(schema, list):
        return [without_optional_defaults(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    copy = {
        key: value if key in ("enum", "const", "default") else without_optional_defaults(value)
        for key, value in schema.items()
    }
    properties = copy.get("properties")
    if isinstance(properties, dict):
        for name, member in properties.items():
            if isinstance(member, dict) and name not in copy.get("required", []):
                member.pop("default", None)
    return copy


def run(question):
    text = argument_text(question)
    if text is None:
        return {"skip": "reads arguments only"}
    value = json_repair.loads(text, schema=without_optional_defaults(question["tool"]["schema"]))
    return {"accept": value} if isinstance(value, dict) else {"refuse": "not an object"}


serve({"name": "json_repair", "version": version("json-repair"), "language": "Python"}, run)
