"""A plugin of pytest's that leaves only the tests of functions that are ours."""

import re

import foldwise_namespace

OURS = {*foldwise_namespace.ELEMENTWISE, *foldwise_namespace.FOLDS}


def is_of_ours(name):
    """By the name of a test, or of the function that begins its parameters; operators are those of NumPy's arrays."""
    test, _, parameters = name.partition("[")
    if parameters.startswith("__"):
        return False
    return test.removeprefix("test_") in OURS or re.split(r"[(\]]", parameters)[0] in OURS


def pytest_collection_modifyitems(config, items):
    others = [one for one in items if not is_of_ours(one.name)]
    items[:] = [one for one in items if is_of_ours(one.name)]
    config.hook.pytest_deselected(items=others)
