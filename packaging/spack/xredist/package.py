# SPDX-License-Identifier: BSD-3-Clause

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Xredist(CMakePackage):
    """Redistribution of block-cyclic matrices over MPI: a drop-in for ScaLAPACK's P?GEMR2D and
    P?TRMR2D, and a C interface without BLACS."""

    # packaging/release replaces homepage, url, version and sha256. In a source tree: spack dev-build xredist@0.0.0
    homepage = "https://xredist.invalid"
    url = "https://xredist.invalid/xredist-0.0.0.tar.gz"

    license("BSD-3-Clause")

    generator("ninja")

    version("0.0.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("shared", default=True, description="Build shared libraries instead of archives")
    variant("scalapack", default=True, description="Build the drop-in; without it, only plans over MPI")
    with when("+scalapack"):
        variant("fortran", default=True, description="Install the sources of the Fortran modules")
        variant("ilp64", default=False, description="Also build the drop-in for 64-bit integers")
        variant("timing", default=True, description="Build xredist-cluster and other timing programs", when="+shared")
        variant("tests", default=False, description="Build the tests, with shared libraries and archives")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.21:", type=("build", "test"))
    depends_on("mpi@3:")
    depends_on("scalapack", when="+scalapack")
    # A shared ScaLAPACK names its LAPACK and BLAS, and the library calls neither.
    for archive in ("+scalapack ^netlib-scalapack~shared", "+tests"):
        with when(archive):
            depends_on("lapack")
            depends_on("blas")
    with when("+timing"):
        depends_on("cli11", type="build")
        depends_on("python@3.6:", type="run")
    with when("+tests"):
        depends_on("googletest")
        depends_on("python@3:", type="build")
        depends_on("pkgconfig", type="build")

    requires("+shared+fortran+ilp64", when="+tests", msg="the tests need all libraries")

    def of_dependencies(self):
        args = [self.define("MPI_C_COMPILER", self.spec["mpi"].mpicc)]
        if self.spec.satisfies("+scalapack"):
            args.append(self.define("SCALAPACK_LIBRARY", list(self.spec["scalapack"].libs)))
        return args

    def cmake_args(self):
        args = self.of_dependencies() + [
            self.define("XREDIST_SMPICXX", False),
            self.define_from_variant("XREDIST_DROP_IN", "scalapack"),
        ]
        if self.spec.satisfies("+scalapack"):
            args += [
                self.define_from_variant("XREDIST_FORTRAN", "fortran"),
                self.define_from_variant("XREDIST_ILP64", "ilp64"),
                self.define_from_variant("XREDIST_TIMING", "timing"),
                self.define_from_variant("XREDIST_TESTING", "tests"),
            ]
        if not self.spec.satisfies("+tests"):
            args.append(self.define_from_variant("BUILD_SHARED_LIBS", "shared"))
        if self.spec.satisfies("+fortran"):
            args.append(self.define("MPI_Fortran_COMPILER", self.spec["mpi"].mpifc))
        return args

    def test_smoke(self):
        """build and run share/xredist/testing against the installation"""
        languages = ["C", "CXX"] + (["Fortran"] if self.spec.satisfies("+fortran") else [])
        needed = [name for name in ("scalapack", "lapack", "blas") if name in self.spec]
        args = self.of_dependencies()
        if self.spec.satisfies("~scalapack"):
            languages = ["C"]
            args.append(self.define("COMPONENTS", "xredist"))
        cmake = which(self.spec["cmake"].prefix.bin.cmake)
        ctest = which(self.spec["cmake"].prefix.bin.ctest)
        cmake(
            "-S", self.prefix.share.xredist.testing,
            "-B", "smoke",
            self.define("CMAKE_PREFIX_PATH", [self.prefix] + [self.spec[name].prefix for name in needed]),
            self.define("LANGUAGES", languages),
            *args,
        )
        cmake("--build", "smoke")
        ctest("--test-dir", "smoke", "--output-on-failure", "--no-tests=error")
