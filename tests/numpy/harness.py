"""A plugin of pytest that runs NumPy's own tests of universal functions with the module's functions in NumPy's place.

    python -m pytest -p harness --pyargs numpy._core.tests.test_ufunc

Before a test, `np.add` and so on in the test's own module are the functions of `ufuncs`; everything else is NumPy's,
and so are those that the module lacks. Which tests call ours is noted, and written with the outcomes to
$HARNESS_RESULTS.
"""

import json
import os
import sys

import numpy as np
import numpy._core._operand_flag_tests  # which look NumPy's own functions up when they are imported
import numpy._core._rational_tests
import pytest

import ufuncs

OURS = {name: getattr(ufuncs, name) for name in dir(ufuncs) if getattr(ufuncs, name).__class__.__name__ == "kernel"}
FOLDS = {
    "all_of",
    "any_of",
    "common_bits",
    "total",
    "running_total",
    "product",
    "largest",
}  # which stand behind reduce and accumulate
touched = set()
results = {}


class Stand:
    """A module of NumPy's with our functions."""

    def __init__(self, module):
        self.__dict__["_module"] = module

    def __getattr__(self, name):
        theirs = getattr(self._module, name)
        if name in OURS and name not in FOLDS and isinstance(theirs, np.ufunc):
            touched.add(name)
            return OURS[name]
        return theirs

    def __setattr__(self, name, value):
        setattr(self._module, name, value)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Has a module of tests import our functions: parameters of tests name them when it is imported."""
    if not isinstance(collector, pytest.Module):
        return (yield)
    sys.modules["numpy"] = Stand(np)
    try:
        return (yield)
    finally:
        sys.modules["numpy"] = np


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        for name in "umt", "ncu", "_umath_tests", "ncu_tests":
            if hasattr(module, name):
                setattr(module, name, Stand(getattr(module, name)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    touched.clear()
    if hasattr(item, "callspec"):
        touched.update(name for name, ours in OURS.items() for one in item.callspec.params.values() if one is ours)
    try:
        return (yield)
    finally:
        item.user_properties.append(("ours", sorted(touched)))


def pytest_runtest_logreport(report):
    if report.when == "call" or report.outcome == "skipped":
        line = report.longreprtext.strip().splitlines()[-1] if report.failed and report.longreprtext.strip() else ""
        crash = getattr(report.longrepr, "reprcrash", None)
        results[report.nodeid] = {
            "outcome": report.outcome if not hasattr(report, "wasxfail") else "xfailed",
            "ours": dict(report.user_properties).get("ours", []),
            "message": crash.message if crash else line,
        }


def pytest_sessionfinish():
    with open(os.environ["HARNESS_RESULTS"], "w") as file:
        json.dump(results, file, indent=1)
