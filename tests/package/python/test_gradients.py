"""Functions whose gradient is known, in PyTorch: python3 test_gradients.py"""
import functions as f
from checks import installed_torch, raises, run


def test_attributes():
    assert f.powers.gradient is f.powers_backward and f.squared.gradient is f.squared_backward
    assert f.add.gradient is None and f.squared_backward.gradient is None


def test_torch():
    torch = installed_torch("gradients in PyTorch")
    if not torch:
        return
    double = dict(dtype=torch.float64, requires_grad=True)
    x, y = torch.arange(1.0, 4, **double), torch.arange(6.0, dtype=torch.float64).reshape(2, 3).requires_grad_()
    n = torch.tensor([1, 2, 3], dtype=torch.int32)
    f.squared(n.double())  # PyTorch was imported after the module: the first call with a tensor makes the operators
    # Of Python's call and of the operator, broadcast, with an output that nothing depends on.
    for call in f.powers, torch.ops.functions.powers:
        assert torch.autograd.gradcheck(lambda x, y: call(x, n, y), (x, y))
        x.grad = y.grad = None
        call(x, n, y)[1].sum().backward()
        torch.testing.assert_close(x.grad, y.sum(0))
        torch.testing.assert_close(y.grad, x.expand(2, 3).detach())
        call(x.detach(), n, y)[0].sum()
    assert torch.autograd.gradcheck(lambda x: f.powers(x, 2, 3.0), (x,))
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex128, requires_grad=True)
    assert torch.autograd.gradcheck(f.turned, (z, x[:2].detach().requires_grad_()))
    narrow = torch.arange(3.0, requires_grad=True)
    f.powers(narrow, n, y.detach())[0].sum().backward()
    assert narrow.grad.dtype == torch.float32
    torch.testing.assert_close(narrow.grad, 2 * 2 * narrow.detach() * n)
    assert torch.autograd.gradcheck(f.squared, (x,)) and not f.squared(x.detach()).requires_grad
    with torch.no_grad():
        assert not f.squared(x).requires_grad
    raises(RuntimeError, lambda: f.squared(x, out=torch.zeros(3, dtype=torch.float64)), "out=")
    raises(RuntimeError, lambda: f.add(x, x), "grad")
    compiled = torch.compile(lambda x, y: torch.ops.functions.powers(x, n, y)[0].sum() + y.sum(), fullgraph=True)
    x.grad = None
    compiled(x, y).backward()
    torch.testing.assert_close(x.grad, 2 * 2 * x.detach() * n)
    torch.library.opcheck(torch.ops.functions.powers, (x, n, y))
    torch.library.opcheck(torch.ops.functions.squared, (x,))


if __name__ == "__main__":
    run(globals(), "gradients")
