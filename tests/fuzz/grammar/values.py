"""What expressions are before they are text in a statement, and what they can call."""
from typing import NamedTuple

from .types import Type


class Expr(NamedTuple):
    text: str
    type: Type
    low: int = 0  # of integers: the interval of its values
    high: int = 0


class Function(NamedTuple):
    """What an expression can call: `text` holds {0}, {1}… for the arguments."""
    text: str
    parameters: tuple
    result: Type
    feature: str


def value(text, type_):
    """An expression that may have every value of its type."""
    if type_.kind == "bool":
        return Expr(text, type_, 0, 1)
    if type_.kind == "int" and type_.generic:
        return Expr(text, type_, -(1 << 63), (1 << 63) - 1) if type_.signed else Expr(text, type_, 0, type_.high)
    return Expr(text, type_, type_.low, type_.high) if type_.kind == "int" else Expr(text, type_)
