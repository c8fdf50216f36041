# SPDX-License-Identifier: BSD-3-Clause

from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import *


class PyXredist(PythonPackage):
    """Redistribution of distributed NumPy arrays over MPI, by the library of package xredist."""

    # packaging/release replaces homepage, url, version and sha256.
    homepage = "https://xredist.invalid"
    url = "https://xredist.invalid/xredist-0.0.0.tar.gz"

    license("BSD-3-Clause")

    version("0.0.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    build_directory = "python"

    depends_on("python@3.9:", type=("build", "run"))
    depends_on("py-setuptools@61:", type="build")
    depends_on("py-numpy", type=("build", "run"))
    depends_on("py-mpi4py", type=("build", "run"))
    # The package needs the library of its own version.
    for number in ("0.0.0",):
        depends_on(f"xredist@{number} +shared", type=("build", "run"), when=f"@{number}")

    def setup_build_environment(self, env):
        self.setup_run_environment(env)

    def setup_run_environment(self, env):
        env.set("XREDIST_LIBRARY", self.spec["xredist"].libs[0])
