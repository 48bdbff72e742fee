"""Run after `pip install .`: python -m unittest discover tests, or pytest."""

import unittest

import numpy as np

import weather


class Weather(unittest.TestCase):
    def test_wind_chill(self):
        felt = weather.wind_chill(np.array([-10.0, 0.0, 20.0]), np.array([30.0, 0.0, 50.0]))
        np.testing.assert_allclose(felt, [-19.52, 0, 20], atol=0.01)

    def test_wind_chill_broadcasts(self):
        felt = weather.wind_chill(np.zeros((3, 1), np.float32), np.arange(5, 9, dtype=np.float32))
        self.assertEqual((felt.shape, felt.dtype), ((3, 4), np.float32))
        self.assertTrue((np.diff(felt, axis=1) < 0).all())

    def test_heating_degree_days(self):
        year = np.array([[10.0, 20.0, 14.5], [15.0, 16.0, -5.0]])
        self.assertEqual(weather.heating_degree_days(year), 25.5)
        np.testing.assert_array_equal(weather.heating_degree_days(year, axis=1), [5.5, 20])

    def test_coldest_feel(self):
        self.assertAlmostEqual(weather.coldest_feel(np.array([5.0, -10.0]), 30.0), -19.52, places=2)


if __name__ == "__main__":
    unittest.main()
