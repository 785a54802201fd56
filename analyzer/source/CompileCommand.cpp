// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   argument vectors of nvcc and clang, from a database or from a person.
// Out:  CompileCommands.
//
// One table names every nvcc option that takes a value, so that no value is
// ever read as an input file, and says what becomes of it. What is not in the
// table takes no value; where it begins like a host compiler's flag it goes to
// clang, which ignores warning flags that it does not know.

#include "CompileCommand.h"

#include "MovedFolder.h"

#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <cctype>
#include <utility>

using namespace llvm;

namespace coreside {
namespace {

std::string absolutePath(StringRef directory, StringRef path) {
  SmallString<128> result(path);
  sys::path::make_absolute(directory, result);
  sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// Of a pipe or a device the end may never come.
ErrorOr<std::unique_ptr<MemoryBuffer>> readRegularFile(StringRef path) {
  if (sys::fs::exists(path) && !sys::fs::is_regular_file(path))
    return std::make_error_code(std::errc::not_supported);
  return MemoryBuffer::getFile(path, /*IsText=*/true);
}

/// What becomes of an option.
enum class Treatment {
  Define,
  Undefine,
  Include,
  SystemInclude,
  PreInclude,
  Standard,
  Architecture,
  Code,
  GenerateCode,
  Relocatable,
  DeviceObject,
  DefaultStream,
  MaxRegisters,
  DeviceDebug,
  Output,
  Compiler,
  OptionsFile,
  /// For nvcc only: it bears on the registers that ptxas gives out.
  Device,
  Ptxas,
  Optimize,
  NoExceptions,
  Drop,
};

struct NvccOption {
  StringRef longName;
  StringRef shortName;
  bool takesValue;
  Treatment treatment;
};

/// Options of nvcc 11 to 13 that take a value or that matter here; both names
/// may be written with one dash or two.
constexpr NvccOption nvccOptions[] = {
    {"define-macro", "D", true, Treatment::Define},
    {"undefine-macro", "U", true, Treatment::Undefine},
    {"include-path", "I", true, Treatment::Include},
    {"system-include", "isystem", true, Treatment::SystemInclude},
    {"pre-include", "include", true, Treatment::PreInclude},
    {"std", "std", true, Treatment::Standard},
    {"gpu-architecture", "arch", true, Treatment::Architecture},
    {"gpu-code", "code", true, Treatment::Code},
    {"generate-code", "gencode", true, Treatment::GenerateCode},
    {"relocatable-device-code", "rdc", true, Treatment::Relocatable},
    {"device-c", "dc", false, Treatment::DeviceObject},
    {"device-w", "dw", false, Treatment::Drop},
    {"no-exceptions", "noeh", false, Treatment::NoExceptions},
    {"default-stream", "default-stream", true, Treatment::DefaultStream},
    {"maxrregcount", "maxrregcount", true, Treatment::MaxRegisters},
    {"device-debug", "G", false, Treatment::DeviceDebug},
    {"compiler-options", "Xcompiler", true, Treatment::Compiler},
    {"options-file", "optf", true, Treatment::OptionsFile},
    {"ptxas-options", "Xptxas", true, Treatment::Ptxas},
    {"optimize", "O", true, Treatment::Optimize},
    {"Ofast-compile", "Ofc", true, Treatment::Device},
    {"dopt", "dopt", true, Treatment::Device},
    {"use_fast_math", "use_fast_math", false, Treatment::Device},
    {"ftz", "ftz", true, Treatment::Device},
    {"prec-div", "prec-div", true, Treatment::Device},
    {"prec-sqrt", "prec-sqrt", true, Treatment::Device},
    {"fmad", "fmad", true, Treatment::Device},
    {"generate-line-info", "lineinfo", false, Treatment::Device},
    {"extra-device-vectorization", "extra-device-vectorization", false,
     Treatment::Device},
    {"restrict", "restrict", false, Treatment::Device},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", false,
     Treatment::Device},
    {"extended-lambda", "extended-lambda", false, Treatment::Device},
    {"expt-extended-lambda", "expt-extended-lambda", false, Treatment::Device},
    {"ftemplate-depth", "ftemplate-depth", true, Treatment::Device},
    {"no-host-device-initializer-list", "nohdinitlist", false,
     Treatment::Device},
    {"no-host-device-move-forward", "nohdmoveforward", false,
     Treatment::Device},
    {"disable-warnings", "w", false, Treatment::Drop},
    {"x", "x", true, Treatment::Drop},
    {"machine", "m", true, Treatment::Drop},
    {"output-file", "o", true, Treatment::Output},
    {"library", "l", true, Treatment::Drop},
    {"library-path", "L", true, Treatment::Drop},
    {"output-directory", "odir", true, Treatment::Drop},
    {"compiler-bindir", "ccbin", true, Treatment::Drop},
    {"archiver-binary", "arbin", true, Treatment::Drop},
    {"cudart", "cudart", true, Treatment::Drop},
    {"cudadevrt", "cudadevrt", true, Treatment::Drop},
    {"libdevice-directory", "ldir", true, Treatment::Drop},
    {"target-directory", "target-dir", true, Treatment::Drop},
    {"optimization-info", "opt-info", true, Treatment::Drop},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", true,
     Treatment::Drop},
    {"linker-options", "Xlinker", true, Treatment::Drop},
    {"archive-options", "Xarchive", true, Treatment::Drop},
    {"nvlink-options", "Xnvlink", true, Treatment::Drop},
    {"Xcudafe", "Xcudafe", true, Treatment::Drop},
    {"Xfatbin", "Xfatbin", true, Treatment::Drop},
    {"Xnvvm", "Xnvvm", true, Treatment::Drop},
    {"static-global-template-stub", "static-global-template-stub", true,
     Treatment::Drop},
    {"device-entity-has-hidden-visibility",
     "device-entity-has-hidden-visibility", true, Treatment::Drop},
    {"threads", "t", true, Treatment::Drop},
    {"split-compile", "split-compile", true, Treatment::Drop},
    {"split-compile-extended", "split-compile-extended", true, Treatment::Drop},
    {"fdevice-time-trace", "fdevice-time-trace", true, Treatment::Drop},
    {"keep-dir", "keep-dir", true, Treatment::Drop},
    {"time", "time", true, Treatment::Drop},
    {"run-args", "run-args", true, Treatment::Drop},
    {"input-drive-prefix", "idp", true, Treatment::Drop},
    {"dependency-drive-prefix", "ddp", true, Treatment::Drop},
    {"drive-prefix", "dp", true, Treatment::Drop},
    {"dependency-output", "MF", true, Treatment::Drop},
    {"dependency-target-name", "MT", true, Treatment::Drop},
    {"MQ", "MQ", true, Treatment::Drop},
    {"entries", "e", true, Treatment::Drop},
    {"Werror", "Werror", true, Treatment::Drop},
    {"diag-error", "diag-error", true, Treatment::Drop},
    {"diag-suppress", "diag-suppress", true, Treatment::Drop},
    {"diag-warn", "diag-warn", true, Treatment::Drop},
    {"host-linker-script", "hls", true, Treatment::Drop},
    {"brief-diagnostics", "brief-diag", true, Treatment::Drop},
    {"jump-table-density", "jtd", true, Treatment::Drop},
    {"device-stack-protector", "device-stack-protector", true, Treatment::Drop},
    {"compress-mode", "compress-mode", true, Treatment::Drop},
    {"frandom-seed", "frandom-seed", true, Treatment::Drop},
    {"sanitize", "sanitize", true, Treatment::Drop},
    {"qpp-config", "qpp-config", true, Treatment::Drop},
};

const NvccOption *findOption(StringRef name) {
  for (const NvccOption &option : nvccOptions)
    if (name == option.longName || name == option.shortName)
      return &option;
  return nullptr;
}

/// sm_90a, compute_86, 90 -> a capability. "all", "native" and unknown words
/// have none: the configured GPUs then decide.
std::optional<ComputeCapability> capabilityOf(StringRef name) {
  name = name.trim();
  if (!name.consume_front("sm_") && !name.consume_front("compute_") &&
      !name.consume_front("lto_"))
    (void)name;
  name = name.take_while(isDigit);
  unsigned number = 0;
  if (name.empty() || name.getAsInteger(10, number) || number < 10)
    return std::nullopt;
  return ComputeCapability{number / 10, number % 10};
}

/// Splits at commas outside quotes; nvcc takes "\\," for a comma that stays.
std::vector<std::string> splitList(StringRef text) {
  std::vector<std::string> parts(1);
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      parts.back() += ',';
      ++i;
    } else if (quote ? c == quote : (c == '"' || c == '\'')) {
      quote = quote ? 0 : c;
    } else if (c == ',' && !quote) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  llvm::erase_if(parts, [](const std::string &part) { return part.empty(); });
  return parts;
}

/// Reads a command word by word.
class Translator {
public:
  Translator(StringRef directory, StringRef file) {
    Result.directory = directory.str();
    Result.file = absolutePath(directory, file);
  }

  void readNvcc(ArrayRef<std::string> words, unsigned depth = 0);
  void readClang(ArrayRef<std::string> words, unsigned depth = 0);

  CompileCommand take() {
    // -code wins over -arch, which is then only a virtual architecture.
    for (StringRef name : !Codes.empty() ? Codes : Architectures)
      addTarget(name);
    dropUnsafe();
    leaveMissingFolder();
    llvm::sort(Result.targets);
    Result.targets.erase(llvm::unique(Result.targets), Result.targets.end());
    return std::move(Result);
  }

private:
  CompileCommand Result;
  std::vector<StringRef> Codes, Architectures;
  /// An option for the host compiler whose value is still to come.
  std::string HostOption;
  BumpPtrAllocator Allocator;
  StringSaver Saver{Allocator};

  /// A compiler cannot be run in a build folder that is not there.
  void leaveMissingFolder() {
    if (sys::fs::is_directory(Result.directory))
      return;
    leaveFolder(Result.directory, Result.clangArguments);
    leaveFolder(Result.directory, Result.nvccArguments);
    StringRef folder = sys::path::parent_path(Result.file);
    if (!sys::fs::is_directory(folder))
      return;
    Result.notes.push_back("the folder '" + Result.directory +
                           "' of its compile command is not there");
    Result.directory = folder.str();
  }

  /// Takes away what nvcc must not be given, options with their values.
  void dropUnsafe() {
    std::vector<std::string> kept;
    std::vector<std::string> &words = Result.nvccArguments;
    for (size_t i = 0; i < words.size(); ++i) {
      static const StringSet<> withValue = {"-isystem", "-include", "-I", "-D",
                                            "-U"};
      size_t end = i + (withValue.contains(words[i]) && i + 1 < words.size());
      bool safe = isSafeForNvcc(words[i]) && isSafeForNvcc(words[end]);
      if (safe)
        kept.insert(kept.end(), words.begin() + i, words.begin() + end + 1);
      else
        Result.notes.push_back("'" + words[end] +
                               "' is not given to nvcc: a shell would run it");
      i = end;
    }
    words = std::move(kept);
  }
  void addTarget(StringRef name) {
    if (auto capability = capabilityOf(name))
      Result.targets.push_back(*capability);
  }
  void both(const std::string &word) {
    Result.clangArguments.push_back(word);
    Result.nvccArguments.push_back(word);
  }
  void bothPath(StringRef option, StringRef path) {
    // Relative paths stay what they are: both tools run in `directory`.
    Result.clangArguments.push_back((option + path).str());
    Result.nvccArguments.push_back((option + path).str());
  }
  void standard(StringRef name);
  void generateCode(StringRef specification);
  void hostOption(StringRef option, StringRef value);
  void hostFlag(StringRef word);
  void apply(const NvccOption &option, StringRef value, StringRef word,
             unsigned depth);
  std::optional<std::vector<std::string>> optionsFile(StringRef path);
};

/// "arch=compute_90,code=[compute_90,sm_90]"
/// clang's names for standards are more than nvcc's.
void Translator::standard(StringRef name) {
  Result.clangArguments.push_back(("-std=" + name).str());
  StringRef number = name;
  if (!number.consume_front("gnu++") && !number.consume_front("c++")) {
    Result.nvccArguments.push_back(("-std=" + name).str());
    return;
  }
  number = StringSwitch<StringRef>(number)
               .Case("0x", "11")
               .Case("1y", "14")
               .Case("1z", "17")
               .Case("2a", "20")
               .Case("2b", "23")
               .Default(number);
  Result.nvccArguments.push_back(("-std=c++" + number).str());
}

void Translator::generateCode(StringRef specification) {
  StringRef architecture, codes;
  std::string cleaned = specification.str();
  llvm::erase_if(cleaned, [](char c) { return c == '"' || c == '\''; });
  StringRef rest = Saver.save(StringRef(cleaned));
  size_t at = rest.find("code=");
  if (size_t from = rest.find("arch="); from != StringRef::npos)
    architecture = rest.substr(from + 5).split(',').first;
  if (at != StringRef::npos)
    codes = rest.substr(at + 5).trim("[]");
  bool any = false;
  while (!codes.empty()) {
    auto [code, more] = codes.split(',');
    codes = more;
    if (auto capability = capabilityOf(code)) {
      Result.targets.push_back(*capability);
      any = true;
    }
  }
  if (!any)
    addTarget(architecture);
}

/// The host compiler reads device code first, so nvcc is told of it, too, where
/// it has the option itself.
void Translator::hostOption(StringRef option, StringRef value) {
  bool joined = option.size() == 2;
  static const StringSet<> known = {"-isystem", "-include", "-I", "-D", "-U"};
  for (std::vector<std::string> *words :
       {&Result.clangArguments, &Result.nvccArguments}) {
    if (words == &Result.nvccArguments && !known.contains(option))
      continue;
    if (joined) {
      words->push_back((option + value).str());
    } else {
      words->push_back(option.str());
      words->push_back(value.str());
    }
  }
}

/// Flags meant for the host compiler. Only those that can change how host code
/// reads are let through.
void Translator::hostFlag(StringRef word) {
  // Options of the host compiler with a value in the next word, which may stand
  // behind an -Xcompiler of its own.
  static const StringSet<> withValue = {"-isystem",   "-include", "-iquote",
                                        "-idirafter", "-I",       "-D",
                                        "-U",         "-imacros"};
  if (!HostOption.empty()) {
    hostOption(std::exchange(HostOption, ""), word);
    return;
  }
  if (withValue.contains(word)) {
    HostOption = word.str();
    return;
  }
  static const StringSet<> exact = {"-fPIC",
                                    "-fpic",
                                    "-fPIE",
                                    "-fpie",
                                    "-pthread",
                                    "-fopenmp",
                                    "-fno-exceptions",
                                    "-fno-rtti",
                                    "-funsigned-char",
                                    "-fsigned-char",
                                    "-fshort-enums",
                                    "-fms-extensions",
                                    "-fpermissive",
                                    "-fno-strict-aliasing",
                                    "-fchar8_t",
                                    "-fno-char8_t",
                                    "-fno-operator-names",
                                    "-fno-threadsafe-statics",
                                    "-m64"};
  for (StringRef option : {"-isystem", "-iquote", "-idirafter"})
    if (word.consume_front(option)) {
      hostOption(option, word);
      return;
    }
  if (word.starts_with("-D") || word.starts_with("-U") ||
      word.starts_with("-I")) {
    hostOption(word.take_front(2), word.drop_front(2));
  } else if (exact.contains(word) || word.starts_with("-march=") ||
             (word.starts_with("-m") && word.size() > 4 &&
              StringSwitch<bool>(word.drop_front(2).take_while(isAlpha))
                  .Cases({"avx", "sse", "ssse", "fma", "bmi"}, true)
                  .Default(false)) ||
             (word.starts_with("-W") && !word.starts_with("-Wl,") &&
              !word.starts_with("-Wa,") && !word.starts_with("-Wp,") &&
              !word.starts_with("-Werror"))) {
    Result.clangArguments.push_back(word.str());
  }
}

/// The words in an options file, or nothing and a note. It is text like a shell
/// line, and relative to the folder of the entry.
std::optional<std::vector<std::string>>
Translator::optionsFile(StringRef path) {
  std::string full = absolutePath(Result.directory, path);
  auto buffer = readRegularFile(full);
  if (!buffer) {
    Result.notes.push_back("options file '" + path.str() +
                           "' cannot be read (" + buffer.getError().message() +
                           "); flags in it are missing: build once, so that it "
                           "is there again");
    return std::nullopt;
  }
  SmallVector<const char *, 32> words;
  cl::TokenizeGNUCommandLine((*buffer)->getBuffer(), Saver, words);
  return std::vector<std::string>(words.begin(), words.end());
}

void Translator::apply(const NvccOption &option, StringRef value,
                       StringRef word, unsigned depth) {
  switch (option.treatment) {
  case Treatment::Define:
    // A list of macros, but a macro's value may hold commas: nvcc splits
    // neither -DF(a,b)=... nor quoted ones, so only the long form is a list.
    if (word.starts_with("--define-macro")) {
      for (const std::string &part : splitList(value))
        both("-D" + part);
    } else {
      both(("-D" + value).str());
    }
    if (value.starts_with("CUDA_API_PER_THREAD_DEFAULT_STREAM"))
      Result.perThreadDefaultStream = true;
    break;
  case Treatment::Undefine:
    for (const std::string &part : splitList(value))
      both("-U" + part);
    break;
  case Treatment::Include:
    for (const std::string &part : splitList(value))
      bothPath("-I", part);
    break;
  case Treatment::SystemInclude:
    for (const std::string &part : splitList(value)) {
      both("-isystem");
      both(part);
    }
    break;
  case Treatment::PreInclude:
    for (const std::string &part : splitList(value)) {
      both("-include");
      both(part);
    }
    break;
  case Treatment::Standard:
    standard(value);
    break;
  case Treatment::Architecture:
    Architectures.push_back(Saver.save(value));
    break;
  case Treatment::Code:
    for (const std::string &part : splitList(value))
      Codes.push_back(Saver.save(StringRef(part).trim("[]")));
    break;
  case Treatment::GenerateCode:
    generateCode(value);
    break;
  case Treatment::Relocatable:
    Result.relocatable = value == "true";
    break;
  case Treatment::DeviceObject:
    Result.relocatable = true;
    break;
  case Treatment::DefaultStream:
    Result.perThreadDefaultStream = value == "per-thread";
    break;
  case Treatment::MaxRegisters: {
    unsigned count = 0;
    if (!value.getAsInteger(10, count)) {
      Result.maxRegisters = count;
      Result.nvccArguments.push_back("-maxrregcount=" + value.str());
    }
    break;
  }
  case Treatment::DeviceDebug:
    Result.deviceDebug = true;
    Result.nvccArguments.push_back("-G");
    break;
  case Treatment::Output:
    Result.output = absolutePath(Result.directory, value);
    break;
  case Treatment::Compiler: {
    std::vector<std::string> parts = splitList(value);
    for (const std::string &part : parts) {
      // CMake puts several flags into one word: -Xcompiler="-O3 -fPIC".
      SmallVector<const char *, 8> words;
      cl::TokenizeGNUCommandLine(part, Saver, words);
      for (const char *flag : words)
        hostFlag(flag);
    }
    break;
  }
  case Treatment::OptionsFile:
    for (const std::string &part : splitList(value))
      if (depth < 8)
        if (auto words = optionsFile(part))
          readNvcc(*words, depth + 1);
    break;
  case Treatment::Device:
    // Written as it came, in one word.
    Result.nvccArguments.push_back(
        option.takesValue ? ("--" + option.longName + "=" + value).str()
                          : ("--" + option.longName).str());
    break;
  case Treatment::Ptxas:
    for (const std::string &part : splitList(value)) {
      StringRef name = StringRef(part).ltrim('-');
      unsigned count = 0;
      if (name.starts_with("maxrregcount") &&
          !name.rsplit('=').second.getAsInteger(10, count))
        Result.maxRegisters = count;
      // What changes code or only prints; never an output or an input.
      if (StringSwitch<bool>(name.split('=').first)
              .Cases({"O0", "O1", "O2", "O3", "O4"}, true)
              .Cases({"dlcm", "dscm", "def-load-cache", "def-store-cache"},
                     true)
              .Cases({"maxrregcount", "opt-level", "fmad",
                      "allow-expensive-"
                      "optimizations"},
                     true)
              .Cases({"disable-optimizer-constants", "register-usage-level"},
                     true)
              .Default(false))
        Result.nvccArguments.push_back("-Xptxas=" + part);
    }
    break;
  case Treatment::Optimize:
    Result.nvccArguments.push_back(("-O" + value).str());
    break;
  case Treatment::NoExceptions:
    Result.clangArguments.push_back("-fno-exceptions");
    break;
  case Treatment::Drop:
    break;
  }
}

void Translator::readNvcc(ArrayRef<std::string> words, unsigned depth) {
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word.starts_with("@")) {
      if (depth < 8)
        if (auto more = optionsFile(word.drop_front()))
          readNvcc(*more, depth + 1);
      continue;
    }
    if (!word.starts_with("-") || word == "-") {
      // An input, or what an option of the host compiler waits for.
      if (!HostOption.empty())
        hostFlag(word);
      continue;
    }
    StringRef name = word.ltrim('-');
    StringRef value;
    bool joined = false;
    const NvccOption *option = findOption(name);
    if (!option && name.contains('=')) {
      std::tie(name, value) = name.split('=');
      option = findOption(name);
      joined = option != nullptr;
      if (joined && !option->takesValue)
        option = nullptr;
    }
    // The one-letter options may have their value attached: -DN=4, -Idir, -O3.
    if (!option ||
        (name.size() > 1 && joined && word[1] != '-' &&
         StringRef("DUIOLl").contains(word[1]) && !findOption(name))) {
      StringRef letter = word.ltrim('-').take_front(1);
      if (!word.starts_with("--") && letter.size() == 1 &&
          StringRef("DUIOLlox").contains(letter[0]) && word.size() > 2) {
        option = findOption(letter);
        value = word.drop_front(2);
        joined = true;
      } else if (word.starts_with("-isystem") && word.size() > 8) {
        option = findOption("isystem");
        value = word.drop_front(8);
        value.consume_front("=");
        joined = true;
      }
    }
    if (option) {
      if (option->takesValue && !joined) {
        // nvcc takes a lone -O for -O2's default and -Werror needs a kind.
        if (i + 1 == words.size())
          break;
        value = words[++i];
      }
      // "-I=dir" and "-D=X" do not exist in shell scripts that work; nvcc
      // itself accepts the equals sign.
      apply(*option, value, word, depth);
      continue;
    }
    // Flags of clang's that a person may give after `--`.
    if (word.starts_with("--cuda-gpu-arch=") ||
        word.starts_with("--offload-arch=")) {
      for (const std::string &part : splitList(word.split('=').second))
        addTarget(part);
      continue;
    }
    if (word == "-fgpu-rdc")
      Result.relocatable = true;
    else if (word == "-fgpu-default-stream=per-thread")
      Result.perThreadDefaultStream = true;
    else
      hostFlag(word);
  }
}

void Translator::readClang(ArrayRef<std::string> words, unsigned depth) {
  // Options of a clang or gcc driver whose value is the next word and that are
  // not wanted.
  static const StringSet<> dropWithValue = {"-o",
                                            "-MF",
                                            "-MT",
                                            "-MQ",
                                            "-Xclang",
                                            "-Xlinker",
                                            "-Xassembler",
                                            "-load",
                                            "-T",
                                            "-L",
                                            "-l",
                                            "-x",
                                            "-mllvm",
                                            "-arch",
                                            "-Xpreprocessor",
                                            "-Xcuda-ptxas",
                                            "-Xcuda-fatbinary",
                                            "-Xopenmp-target",
                                            "-serialize-diagnostics",
                                            "-gcc-toolchain",
                                            "-B",
                                            "-ccc-gcc-name",
                                            "--config",
                                            "-dependency-file",
                                            "-plugin",
                                            "-add-plugin"};
  static const StringSet<> keepWithValue = {
      "-I",        "-isystem", "-iquote",      "-idirafter",
      "-D",        "-U",       "-include",     "-imacros",
      "-isysroot", "-iprefix", "-iwithprefix", "-target"};
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word.starts_with("@")) {
      if (depth < 8)
        if (auto more = optionsFile(word.drop_front()))
          readClang(*more, depth + 1);
      continue;
    }
    if (!word.starts_with("-") || word == "-")
      continue;
    if (dropWithValue.contains(word)) {
      ++i;
      if (word == "-o" && i < words.size())
        Result.output = absolutePath(Result.directory, words[i]);
      continue;
    }
    if (keepWithValue.contains(word)) {
      if (i + 1 == words.size())
        break;
      StringRef value = words[++i];
      Result.clangArguments.push_back(word.str());
      Result.clangArguments.push_back(value.str());
      if (word == "-I" || word == "-D" || word == "-U" || word == "-isystem" ||
          word == "-include") {
        Result.nvccArguments.push_back(word.str());
        Result.nvccArguments.push_back(value.str());
      }
      continue;
    }
    if (word.starts_with("--cuda-gpu-arch=") ||
        word.starts_with("--offload-arch=")) {
      for (const std::string &part : splitList(word.split('=').second))
        addTarget(part);
    } else if (word == "-fgpu-rdc" || word == "-fcuda-rdc") {
      Result.relocatable = true;
    } else if (word == "-fgpu-default-stream=per-thread") {
      Result.perThreadDefaultStream = true;
    } else if (word == "-ffast-math") {
      Result.nvccArguments.push_back("--use_fast_math");
    } else if (word.starts_with("-D") || word.starts_with("-U") ||
               word.starts_with("-I")) {
      if (word.starts_with("-DCUDA_API_PER_THREAD_DEFAULT_STREAM"))
        Result.perThreadDefaultStream = true;
      both(word.str());
    } else if (word.starts_with("-isystem")) {
      both("-isystem");
      both(word.drop_front(8).str());
    } else if (word.consume_front("-std=")) {
      standard(word);
    } else if (word.starts_with("-O")) {
      if (word.size() == 3 && isDigit(word[2]))
        Result.nvccArguments.push_back(word.str());
    } else {
      hostFlag(word);
    }
  }
}

enum class CompilerKind { Nvcc, Clang };

/// The compiler's word in a command; wrappers (ccache, distcc, a build tool's
/// launcher, env A=B) may stand before it.
std::pair<size_t, CompilerKind> findCompiler(ArrayRef<std::string> command) {
  for (size_t i = 0; i < command.size() && i < 8; ++i) {
    StringRef word = command[i];
    // env CC=gcc, ccache compiler_check=none; -x c++
    if (word.starts_with("-") || word.contains('=') ||
        (i && command[i - 1] == "-x"))
      continue;
    StringRef name = sys::path::filename(word);
    if (name.contains("nvcc"))
      return {i, CompilerKind::Nvcc};
    if (name.contains("clang") || name.contains("hipcc") ||
        name.contains("g++") || name.contains("gcc") || name == "c++" ||
        name == "cc")
      return {i, CompilerKind::Clang};
  }
  return {0, CompilerKind::Nvcc};
}

} // namespace

bool isSafeForNvcc(StringRef word) {
  // A quote is escaped where no backslash is before it, so one after two ends
  // what is quoted (nvcc 13.0).
  return word.find_first_of("$`\n\r") == StringRef::npos &&
         !word.contains("\\\\") && !word.ends_with("\\");
}

/// Whether a command says that its input is CUDA.
static bool saysCUDA(ArrayRef<std::string> command) {
  static const StringSet<> names = {"cu", "cuda", "hip"};
  for (size_t i = 0; i != command.size(); ++i) {
    StringRef word = command[i];
    if (!word.consume_front("-x"))
      continue;
    if (names.contains(word.empty() && i + 1 != command.size()
                           ? StringRef(command[i + 1])
                           : word))
      return true;
  }
  return false;
}

CompileCommand translateCommand(StringRef directory, StringRef file,
                                ArrayRef<std::string> command) {
  Translator translator(directory, file);
  bool byClang = false;
  if (!command.empty()) {
    auto [at, kind] = findCompiler(command);
    ArrayRef<std::string> words = command.drop_front(at + 1);
    byClang = sys::path::filename(command[at]).contains("clang");
    kind == CompilerKind::Nvcc ? translator.readNvcc(words)
                               : translator.readClang(words);
  }
  CompileCommand result = translator.take();
  result.byClang = byClang;
  result.saysCUDA = saysCUDA(command);
  return result;
}

struct CompileCommands::Entries {
  struct Entry {
    std::string file;
    std::string directory;
    std::vector<std::string> command;
  };
  /// From a database.
  std::vector<Entry> entries;
  std::string database;
  std::optional<MovedFolder> moved;
  /// From `--`: what every file is compiled with.
  std::vector<std::string> flags;
  std::string directory;

  /// For a database that was made elsewhere: `folder` is where it lies.
  void move(StringRef folder) {
    std::vector<std::string> files;
    for (const Entry &entry : entries)
      files.push_back(entry.file);
    moved = findMovedFolder(folder, files);
    if (!moved)
      return;
    for (Entry &entry : entries) {
      entry.file = moved->apply(entry.file);
      entry.directory = moved->apply(entry.directory);
      for (std::string &word : entry.command)
        word = moved->apply(word);
    }
  }
};

CompileCommands::CompileCommands() : All(std::make_unique<Entries>()) {
  SmallString<128> current;
  (void)sys::fs::current_path(current);
  All->directory = current.str().str();
}
CompileCommands::CompileCommands(CompileCommands &&) noexcept = default;
CompileCommands &
CompileCommands::operator=(CompileCommands &&) noexcept = default;
CompileCommands::~CompileCommands() = default;

CompileCommands CompileCommands::fromFlags(ArrayRef<std::string> flags) {
  CompileCommands result;
  result.All->flags = flags.vec();
  return result;
}

Expected<CompileCommands>
CompileCommands::find(StringRef file,
                      const std::optional<std::vector<std::string>> &flags,
                      StringRef folder) {
  if (flags)
    return fromFlags(*flags);
  if (!folder.empty())
    return fromDatabase(folder);
  SmallString<128> above(file);
  sys::fs::make_absolute(above);
  while (sys::path::has_parent_path(above)) {
    sys::path::remove_filename(above);
    for (StringRef where : {"", "build"}) {
      SmallString<128> database(above);
      sys::path::append(database, where, "compile_commands.json");
      if (sys::fs::exists(database))
        return fromDatabase(database);
    }
  }
  return fromFlags();
}

Expected<CompileCommands> CompileCommands::fromDatabase(StringRef folder) {
  SmallString<128> path(folder);
  if (sys::fs::is_directory(path))
    sys::path::append(path, "compile_commands.json");
  auto fail = [&](const Twine &cause, StringRef advice) {
    return createStringError("cannot read '" + path + "': " + cause + "; " +
                             advice);
  };
  auto buffer = readRegularFile(path);
  if (!buffer)
    return fail(buffer.getError().message(),
                "give -p a build folder made with "
                "CMAKE_EXPORT_COMPILE_COMMANDS=ON, or leave -p out");
  std::string message;
  auto database = clang::tooling::JSONCompilationDatabase::loadFromBuffer(
      (*buffer)->getBuffer(), message,
      clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!database)
    return fail("it is not a compile database (" +
                    StringRef(message).split('\n').first.rtrim(".") + ")",
                "configure the build again");
  CompileCommands result;
  sys::fs::make_absolute(path);
  result.All->database = std::string(path);
  SmallString<128> base(sys::path::parent_path(path));
  for (clang::tooling::CompileCommand &entry :
       database->getAllCompileCommands()) {
    std::string directory = absolutePath(base, entry.Directory);
    result.All->entries.push_back({absolutePath(directory, entry.Filename),
                                   directory, std::move(entry.CommandLine)});
  }
  if (result.All->entries.empty())
    return fail("it has no entries", "configure the build again");
  result.All->move(base);
  return result;
}

/// How near two paths are: leading folders in common, then the same stem.
static std::pair<size_t, bool> nearness(StringRef one, StringRef two) {
  size_t common = 0;
  auto a = sys::path::begin(one), aEnd = sys::path::end(one);
  auto b = sys::path::begin(two), bEnd = sys::path::end(two);
  for (; a != aEnd && b != bEnd && *a == *b; ++a, ++b)
    ++common;
  return {common, sys::path::stem(one) == sys::path::stem(two)};
}

std::vector<CompileCommand> CompileCommands::commandsFor(StringRef file) const {
  std::string path = absolutePath(All->directory, file);
  if (All->entries.empty()) {
    // A flag list has no compiler in front: nvcc's reader knows clang's
    // spellings too.
    Translator translator(All->directory, path);
    translator.readNvcc(All->flags);
    return {translator.take()};
  }
  std::vector<CompileCommand> result;
  for (const Entries::Entry &entry : All->entries) {
    if (entry.file != path)
      continue;
    CompileCommand command =
        translateCommand(entry.directory, entry.file, entry.command);
    command.database = All->database;
    if (All->moved)
      command.notes.insert(command.notes.begin(),
                           "the compile database was made for '" +
                               All->moved->from + "'; read as '" +
                               All->moved->to + "'");
    // The same file for a static and a shared library: once is enough.
    if (llvm::none_of(result, [&](const CompileCommand &other) {
          return other.clangArguments == command.clangArguments &&
                 other.nvccArguments == command.nvccArguments &&
                 other.targets == command.targets &&
                 other.relocatable == command.relocatable &&
                 other.perThreadDefaultStream == command.perThreadDefaultStream;
        }))
      result.push_back(std::move(command));
  }
  if (!result.empty())
    return result;
  // Neighbours that are CUDA themselves first: a .cpp knows no architecture.
  auto isCUDA = [](StringRef name) {
    return name.ends_with(".cu") || name.ends_with(".cuh") ||
           name.ends_with(".hip");
  };
  const Entries::Entry *nearest = nullptr;
  std::tuple<bool, size_t, bool> best;
  for (const Entries::Entry &entry : All->entries) {
    auto [common, stem] = nearness(entry.file, path);
    std::tuple<bool, size_t, bool> score{isCUDA(entry.file), common, stem};
    if (!nearest || score > best) {
      nearest = &entry;
      best = score;
    }
  }
  CompileCommand command =
      translateCommand(nearest->directory, path, nearest->command);
  // It is another file's.
  command.output.clear();
  command.database = All->database;
  command.notes.insert(command.notes.begin(),
                       "not in the compile database: read with the flags of '" +
                           nearest->file + "'");
  return {std::move(command)};
}

std::vector<std::string> CompileCommands::files() const {
  std::vector<std::string> result;
  StringSet<> seen;
  for (const Entries::Entry &entry : All->entries)
    if (seen.insert(entry.file).second)
      result.push_back(entry.file);
  return result;
}

bool CompileCommands::has(StringRef file) const {
  std::string path = absolutePath(All->directory, file);
  return any_of(All->entries, [&](const Entries::Entry &entry) {
    return entry.file == path;
  });
}

const std::string &CompileCommands::database() const { return All->database; }

} // namespace coreside
