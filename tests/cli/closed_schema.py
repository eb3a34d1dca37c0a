"""A published schema lets readers meet fields that it does not name; what the programs write today has none."""


def closed(part):
    """The schema without room for fields that it does not name: a new field has to be written down."""
    if isinstance(part, dict):
        part = {key: closed(value) for key, value in part.items()}
        if "properties" in part and "if" not in part and "required" in part:
            part.setdefault("additionalProperties", False)
    elif isinstance(part, list):
        part = [closed(value) for value in part]
    return part
