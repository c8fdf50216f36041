# SPDX-License-Identifier: BSD-3-Clause
"""pyproject.toml has all settings. What setuptools writes goes to a temporary folder, not to the source tree."""
import tempfile

from setuptools import setup

folder = tempfile.TemporaryDirectory()
setup(options={"build": {"build_base": folder.name}, "egg_info": {"egg_base": folder.name}})
