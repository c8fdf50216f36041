# SPDX-License-Identifier: BSD-3-Clause
"""A plugin of pytest: GPAW redistributes by xredist in all tests, and a call of its own routine fails."""
import _gpaw
import xredist_gpaw


def refuse(*arguments):
    raise AssertionError("GPAW called its own redistribution")


def pytest_configure(config):
    _gpaw.scalapack_redist = refuse
    xredist_gpaw.install()
