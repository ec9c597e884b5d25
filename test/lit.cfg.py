# SPDX-License-Identifier: Apache-2.0
# The lit suites "nax" (test/) and "nax-examples" (examples/*/test). What a test
# may write in its RUN lines is listed in test/README.md.

import os
import shutil
import subprocess

import lit.formats

# Without a site file (lit started on a source folder) there is no build to test.
if not hasattr(config, "nax_build_dir"):
    lit_config.fatal("run `./nax test PATH`, or lit on the build folder's test/")

source_dir = config.nax_source_dir
build_dir = config.nax_build_dir

config.name = config.suite
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.join(
    source_dir, "examples" if config.suite == "nax-examples" else "test"
)
config.test_exec_root = os.path.join(
    build_dir, "examples" if config.suite == "nax-examples" else "test"
)
# Models of examples/ are .cpp files and no tests, so there only these are.
config.suffixes = {".test", ".mlir"}
if config.suite == "nax":
    config.suffixes |= {".cpp", ".c", ".cu", ".ptx"}
config.excludes = ["Inputs", "bench", "peers"]
if not config.lowering:
    config.excludes += ["dialect", "passes", "pipeline", "driver", "gpu", "nvemu", "run", "runtime", "text"]
# A test that hangs is a failure; lit needs psutil to end it.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 900


def finds(command):
    """Whether a command runs and succeeds."""
    try:
        return (
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            ).returncode
            == 0
        )
    except OSError:
        return False


def first(candidates, works):
    return next((c for c in candidates if c and works(c)), None)


# The python3 that comes first on PATH may be a private one without numpy, while
# Debian's has it.
python = first(
    [os.environ.get("NAX_PYTHON"), shutil.which("python3"), "/usr/bin/python3"],
    lambda p: finds([p, "-c", "import numpy"]),
)
clangxx = first(
    [os.path.join(config.llvm_bin_dir, "clang++"), shutil.which("clang++-22")],
    os.path.exists,
)
cases = os.environ.get("NAX_CASES") or os.path.join(source_dir, "..", "shared", "cases")
cases = os.path.abspath(cases)

cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
smollm2 = os.path.join(cache, "nax", "SmolLM2-135M-Instruct.Q4_1.gguf")
minilm = os.path.join(cache, "nax", "all-MiniLM-L6-v2")

# The CUDA toolkit, if it is not on PATH.
toolkits = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
path = os.pathsep.join([os.environ.get("PATH", "")] + [os.path.join(t, "bin") for t in toolkits if t])

with open("/proc/cpuinfo") as info:
    cpu_flags = next((l.split() for l in info if l.startswith("flags")), [])


def gxx_at_least_12(gxx):
    answer = subprocess.run(
        [gxx, "-dumpversion"], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    version = answer.stdout.strip().split(".")[0]
    return version.isdigit() and int(version) >= 12


features = {
    "lowering": config.lowering,
    "asan": bool(config.sanitize),
    "cases": os.path.isdir(cases),
    "numpy": bool(python),
    "clang22": bool(clangxx),
    "gxx12": bool(config.gxx) and gxx_at_least_12(config.gxx),
    # What Debian 12 calls clang.
    "clang14": bool(shutil.which("clang++-14")),
    "clangd": os.path.exists(os.path.join(config.llvm_bin_dir, "clangd")),
    # The line editor of example 08; its header is in libedit-dev.
    "libedit": os.path.exists("/usr/include/histedit.h"),
    "cpu-v3": "avx2" in cpu_flags and "fma" in cpu_flags,
    "cpu-v4": "avx512f" in cpu_flags and "avx512vl" in cpu_flags,
    "cpu-v4+": "avx512_vnni" in cpu_flags and "avx512_bf16" in cpu_flags,
    "cpu-amx": "amx_tile" in cpu_flags and "amx_bf16" in cpu_flags,
    # Other processors: user-mode emulation, and a C library for aarch64.
    "qemu-x86_64": bool(shutil.which("qemu-x86_64")),
    "qemu-aarch64": bool(shutil.which("qemu-aarch64") and shutil.which("aarch64-linux-gnu-gcc")),
    # Fetched by ./nax demo, and by ./nax demo --embeddings.
    "smollm2": os.path.exists(smollm2),
    "minilm": all(os.path.exists(os.path.join(minilm, name)) for name in ("model.safetensors", "vocab.txt")),
    # Of the CUDA toolkit, to see that hand-written PTX is PTX, and as foreign input.
    "ptxas": finds([shutil.which("ptxas", path=path) or "ptxas", "--version"]),
    "nvcc": finds([shutil.which("nvcc", path=path) or "nvcc", "--version"]),
    # Set by a person who has a device; nothing is probed.
    "cuda-device": bool(os.environ.get("NAX_CUDA_DEVICE")),
}
config.available_features |= {name for name, there in features.items() if there}

sanitize = f" -fsanitize={config.sanitize}" if config.sanitize else ""
dsl_flags = f"-std=c++20 -I{build_dir}/include"
config.substitutions += [
    ("%src", source_dir),
    ("%build", build_dir),
    ("%examples", os.path.join(source_dir, "examples")),
    ("%cases", cases),
    ("%mlir-include", os.path.join(os.path.dirname(config.llvm_bin_dir), "include")),
    ("%smollm2", smollm2),
    ("%minilm", minilm),
    ("%python", python or "python3"),
    ("%nax-cxx", f"{clangxx} {dsl_flags}"),
    ("%gxx", f"{config.gxx} {dsl_flags}"),
    ("%naxc", os.path.join(build_dir, "bin", "naxc")),
    # A C compiler with the runtime's headers; put %naxrt last on the line.
    ("%cc", f"{config.llvm_bin_dir}/clang{sanitize} -I{source_dir}/runtime/include"),
    ("%cxx", f"{clangxx}{sanitize} -I{source_dir}/runtime/include"),
    ("%aarch64-cc", f"aarch64-linux-gnu-gcc -I{source_dir}/runtime/include"),
    ("%naxrt", f"{build_dir}/lib/libnaxrt.a -pthread -lm -ldl"),
]

if os.environ.get("NAX_CHECK_ROUNDTRIP"):
    config.substitutions.append((r"(?<![\w/-])nax-opt(?![\w/-])", "nax-opt --verify-roundtrip"))

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build_dir, "bin"), config.llvm_bin_dir, path]
)
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NAX_HEADERS"] = f"{build_dir}/include"
for name in ("NAX_CXX", "NAX_LEVEL", "NAX_THREADS", "XDG_CACHE_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if "cuda-device" in config.available_features:
    # Where the driver is, and which GPUs it shows.
    for name in ("LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"):
        if name in os.environ:
            config.environment[name] = os.environ[name]
if config.sanitize:
    # libnaxrt is instrumented, so what links it has to be, too.
    config.environment["CC"] = f"{config.llvm_bin_dir}/clang{sanitize}"
    config.environment["CXX"] = f"{clangxx}{sanitize}"
    config.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
