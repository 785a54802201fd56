# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How pip makes coreside's wheel, from the sources or without them.

In:   pip install . (pre-commit says it for hooks of `language: python`)
Out:  a wheel with the program

Where LLVM 22 is installed, scikit-build-core compiles it; the wheel's name then
tells the oldest C library that the program runs with. Elsewhere nobody wants to
build LLVM for a hook: the wheel of this version is asked of pip, from wherever
its configuration says that packages are (PIP_INDEX_URL, PIP_FIND_LINKS).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILDERS = ["scikit-build-core>=0.10", "wheel>=0.40"]


def can_compile():
    return shutil.which("clang++-22") is not None or "CXX" in os.environ


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(coreside VERSION ([0-9.]+)", text)[1]


def get_requires_for_build_wheel(config_settings=None):
    return BUILDERS if can_compile() else []


def get_requires_for_build_sdist(config_settings=None):
    return BUILDERS


def build_sdist(directory, config_settings=None):
    import scikit_build_core.build as builder

    return builder.build_sdist(directory, config_settings)


def build_wheel(directory, config_settings=None, metadata_directory=None):
    if not can_compile():
        return ready_wheel(directory)
    import scikit_build_core.build as builder

    name = builder.build_wheel(directory, config_settings, metadata_directory)
    return named_after_c_library(pathlib.Path(directory) / name)


def named_after_c_library(wheel):
    """Renames it from linux_x86_64 to manylinux_2_34_x86_64, say."""
    with zipfile.ZipFile(wheel) as archive:
        program = next(n for n in archive.namelist() if n.endswith("/scripts/coreside"))
        wanted = re.findall(rb"\0GLIBC_2\.(\d+)(?=\0)", archive.read(program))
    platform = wheel.stem.rsplit("-", 1)[1]
    if not wanted or not platform.startswith("linux_"):
        return wheel.name
    tag = f"manylinux_2_{max(map(int, wanted))}_{platform[len('linux_'):]}"
    command = [sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, wheel]
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout.split()[-1]


def ready_wheel(directory):
    # pip hides itself, with all else, from what it builds.
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    command = [sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "-q"]
    command += ["--no-deps", "--only-binary=:all:", "--dest", directory, f"coreside=={version()}"]
    # The reason is on pip's standard error.
    if subprocess.run(command, env=environment).returncode != 0:
        sys.exit(
            f"coreside: error: no ready wheel of coreside {version()} was found, and there is no "
            "clang++-22 to make one with; name a folder with a wheel in PIP_FIND_LINKS, or "
            "install LLVM 22 (tools/setup)"
        )
    return next(pathlib.Path(directory).glob("coreside-*.whl")).name
