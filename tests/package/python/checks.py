"""What the tests of this folder share."""
import importlib


def raises(kind, call, *pieces):
    """A call raises an exception of a kind, with these pieces in its text, which is returned."""
    try:
        call()
    except kind as error:
        assert all(piece in str(error) for piece in pieces), f"it said: {error}"
        return str(error)
    raise AssertionError(f"no {kind.__name__}")


def installed(name, what):
    """A module, or None with a line that says so."""
    try:
        return importlib.import_module(name)
    except (ImportError, OSError):
        print(f"{what}: SKIPPED, {name} is not installed")
        return None


def installed_torch(what):
    """PyTorch, or None with a line that says so if it is missing or older than its exchange functions."""
    torch = installed("torch", what)
    if torch and not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        print(f"{what}: SKIPPED, PyTorch {torch.__version__} is older than 2.10")
        return None
    return torch


def run(names, title):
    """Runs the tests among a file's global names."""
    for name, test in list(names.items()):
        if name.startswith("test_"):
            test()
    print(f"{title}: passed")
