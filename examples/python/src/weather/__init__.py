"""Weather formulas, on NumPy's arrays and those of other libraries."""

from .kernels import heating_degree_days, wind_chill

__all__ = ["coldest_feel", "heating_degree_days", "wind_chill"]


def coldest_feel(temperature, speed):
    """The lowest temperature in °C that it felt like, of hours of these temperatures (°C) and winds (km/h)."""
    return wind_chill(temperature, speed).min()
