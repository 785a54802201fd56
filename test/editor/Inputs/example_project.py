# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small project in a folder with a blank in its name: a .cu file, nvcc's compile
commands, settings, and a saved ptxas log. A free in it keeps two kernels apart; its
fix moves the free."""

import json
import os
import shutil

PROJECT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "project")
# For `coreside lsp`; `coreside clangd` takes them with --coreside- before.
OPTIONS = ["cuda-path=none", "ptxas-log=" + os.path.join(PROJECT, "frame.log")]


def write_commands(folder, *more):
    """nvcc's flags: those that clangd does not know, and `more`."""
    command = ["nvcc", "-ccbin", "g++", "-arch=sm_90", "-Xcompiler", "-fPIC,-Wall",
               "--expt-relaxed-constexpr", "-lineinfo", "-include", "declarations.h",
               *more, "-x", "cu", "-c", "frame.cu", "-o", "frame.o"]
    with open(os.path.join(folder, "compile_commands.json"), "w") as file:
        json.dump([{"directory": folder, "file": "frame.cu", "arguments": command}], file)


def make_project(folder):
    """The folder of the project, and its source."""
    folder = os.path.join(os.path.abspath(folder), "a project")
    shutil.copytree(PROJECT, folder)
    os.rename(os.path.join(folder, "dot-coreside"), os.path.join(folder, ".coreside"))
    with open(os.path.join(folder, ".clangd"), "w") as file:
        # clangd does not end before that is done, which nothing here needs.
        file.write("Index:\n  StandardLibrary: No\n")
    write_commands(folder)
    with open(os.path.join(folder, "frame.cu")) as file:
        return folder, file.read()
