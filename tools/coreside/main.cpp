// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of coreside:
//
//   coreside check FILE.cu... --gpu h100,rtx4090 -p build
//
// Each subcommand is a function in a file of its own, *Command.cpp; this file
// turns words into its options.

#include "CacheCommand.h"
#include "CheckCommand.h"
#include "ClangdCommand.h"
#include "ExplainCommand.h"
#include "GPUsCommand.h"
#include "LSPCommand.h"
#include "LargeHeap.h"
#include "LargeStack.h"
#include "OccupancyCommand.h"
#include "ResourcesCommand.h"
#include "RulesCommand.h"
#include "SimulateCommand.h"
#include "SummarizeCommand.h"
#include "checking/SideBySide.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace coreside;
namespace cl = llvm::cl;

namespace {

cl::OptionCategory category("coreside options");

cl::SubCommand cache("cache", "what is kept of earlier compilations");
cl::SubCommand check("check", "find launches that cannot share the GPU");
cl::SubCommand clangd("clangd",
                      "clangd and coreside as one language server; arguments "
                      "are clangd's");
cl::SubCommand explanations("explain", "print the page of a rule");
cl::SubCommand gpus("gpus", "list the GPUs that --gpu can name");
cl::SubCommand lsp("lsp", "serve an editor over standard input and output");
cl::SubCommand occupancies("occupancy", "blocks of a kernel on an SM");
cl::SubCommand resources("resources", "what kernels take");
cl::SubCommand rules("rules", "list the rules");
cl::SubCommand simulate("simulate", "play a program of kernels on a GPU");
cl::SubCommand summarize("summarize", "keep what check needs of a file");

// Options that several subcommands have.
cl::list<std::string>
    gpuNames("gpu", cl::CommaSeparated, cl::value_desc("names"),
             cl::desc("target GPUs: names from 'coreside gpus', a GPU's YAML "
                      "file, saved deviceQuery or nvidia-smi output, or "
                      "'native'"),
             cl::sub(check), cl::sub(lsp), cl::sub(gpus), cl::sub(occupancies),
             cl::sub(resources), cl::sub(simulate), cl::sub(summarize),
             cl::cat(category));
cl::opt<unsigned>
    SMs("sms", cl::value_desc("number"), cl::init(0),
        cl::desc("SMs of the target that the program gets (a MIG slice)"),
        cl::sub(check), cl::sub(lsp), cl::sub(gpus), cl::sub(occupancies),
        cl::sub(resources), cl::sub(simulate), cl::cat(category));
cl::opt<bool> json("json", cl::desc("print JSON"), cl::sub(gpus),
                   cl::sub(occupancies), cl::sub(resources), cl::sub(simulate),
                   cl::cat(category));
cl::opt<std::string>
    buildDirectory("p", cl::value_desc("folder"),
                   cl::desc("where compile_commands.json is; default: the "
                            "nearest folder above the file that has one, or a "
                            "folder called build in it"),
                   cl::sub(check), cl::sub(lsp), cl::sub(resources),
                   cl::sub(summarize), cl::cat(category));
cl::opt<std::string> cudaPath("cuda-path", cl::value_desc("folder"),
                              cl::desc("the CUDA toolkit; 'none' uses "
                                       "coreside's own CUDA declarations"),
                              cl::sub(check), cl::sub(lsp), cl::sub(resources),
                              cl::sub(summarize), cl::cat(category));

cl::opt<unsigned> jobs("j", cl::Prefix, cl::value_desc("number"), cl::init(0),
                       cl::desc("files read and compilers run at once; "
                                "default: as many as there are cores"),
                       cl::sub(check), cl::sub(resources), cl::cat(category));

// Options of `cache`.
cl::opt<std::string> cacheAction(cl::Positional, cl::init("show"),
                                 cl::desc("[show|check|clear]"), cl::sub(cache),
                                 cl::cat(category));

// Options of `explain`.
cl::opt<std::string> explainedRule(cl::Positional, cl::Required,
                                   cl::desc("RULE"), cl::sub(explanations),
                                   cl::cat(category));

// Options of `check`.
cl::list<std::string>
    checkFiles(cl::Positional, cl::OneOrMore,
               cl::desc("FILE.cu|SUMMARY.json... [-- compiler flags]"),
               cl::sub(check), cl::cat(category));
cl::list<std::string>
    checkResources("ptxas-log", cl::value_desc("file"),
                   cl::desc("take registers and shared memory from saved "
                            "output of a build with -Xptxas -v ('-' for "
                            "standard input) or from a binary, and run no "
                            "compiler"),
                   cl::sub(check), cl::sub(lsp), cl::sub(summarize),
                   cl::cat(category));
cl::list<std::string> checkAssume(
    "assume", cl::value_desc("[file:function:]name=value"),
    cl::desc("take a number that the source does not tell to be this, or in a "
             "range like 64..1024; may be given several times"),
    cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkRecorded("recorded", cl::value_desc("file"),
                  cl::desc("take sizes that the source leaves open from a run "
                           "that Nsight Systems recorded and exported to "
                           "SQLite"),
                  cl::sub(check), cl::cat(category));
cl::opt<bool> noCache("no-cache",
                      cl::desc("run the compiler even if nothing changed"),
                      cl::sub(check), cl::sub(lsp), cl::sub(summarize),
                      cl::cat(category));
cl::opt<Dump> checkDump(
    "dump", cl::desc("print a stage as JSON instead of findings"),
    cl::values(clEnumValN(Dump::Program, "program", "kernels and host steps"),
               clEnumValN(Dump::Timeline, "timeline", "which launches overlap"),
               clEnumValN(Dump::TimelineMermaid, "timeline-mermaid",
                          "the same as a drawing in Mermaid's language"),
               clEnumValN(Dump::Resources, "resources", "what ptxas reported"),
               clEnumValN(Dump::Verdicts, "verdicts", "what the device does")),
    cl::init(Dump::None), cl::sub(check), cl::cat(category));
// What a .coreside file can set as well; the words are looked at where those of
// files are.
cl::opt<std::string> checkSyncModel(
    "sync-model", cl::value_desc("model"),
    cl::desc("which host calls make the device finish first: 'observed', those "
             "that were seen to (default), or 'documented', those that "
             "NVIDIA's documents list"),
    cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::opt<std::string>
    checkConnections("connections", cl::value_desc("number"),
                     cl::desc("hardware queues (CUDA_DEVICE_MAX_CONNECTIONS), "
                              "8 by default"),
                     cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::list<std::string>
    checkRules("rules", cl::CommaSeparated, cl::value_desc("names"),
               cl::desc("rules, groups or globs; '-NAME' takes away, "
                        "'NAME=LEVEL' sets a level; 'coreside rules' lists "
                        "them"),
               cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::list<std::string>
    checkWarnings("W", cl::Prefix, cl::value_desc("rule"),
                  cl::desc("as compilers have it: -WRULE, -Wno-RULE, -Werror, "
                           "-Werror=RULE, -Wno-error=RULE"),
                  cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::opt<std::string>
    checkConfig("config", cl::value_desc("file"),
                cl::desc("take settings from there instead of the nearest "
                         ".coreside"),
                cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::opt<bool> checkDumpConfig("dump-config",
                              cl::desc("print the settings of each file as a "
                                       ".coreside file"),
                              cl::sub(check), cl::cat(category));
cl::opt<bool> checkExplainConfig("explain-config",
                                 cl::desc("print the settings of each file "
                                          "and where they come from"),
                                 cl::sub(check), cl::cat(category));
cl::opt<bool>
    checkStaged("staged",
                cl::desc("for a hook: the files are those of a commit; check "
                         "those that include them and print only what has come "
                         "since its parents, or since --diff"),
                cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkDiff("diff", cl::value_desc("revision"),
              cl::desc("print only what has come since a revision of git, or "
                       "with a patch on standard input ('-')"),
              cl::sub(check), cl::cat(category));
cl::opt<FixMode> checkFix(
    cl::desc("fixes:"),
    cl::values(clEnumValN(FixMode::Apply, "fix", "apply them to the files"),
               clEnumValN(FixMode::DryRun, "fix-dry-run",
                          "print them as a patch, and nothing else")),
    cl::init(FixMode::None), cl::sub(check), cl::cat(category));
cl::opt<bool> checkVerifyFixes("verify-fixes",
                               cl::desc("try each fix, and leave out those "
                                        "that do not help"),
                               cl::sub(check), cl::cat(category));
cl::list<std::string> checkFormats(
    "format", cl::value_desc("name[:file]"),
    cl::desc("print findings as 'text' (the default), 'sarif', 'github', "
             "'gitlab', 'junit', 'json' or 'markdown', or write them so to a "
             "file; may be given several times"),
    cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkOutput("output", cl::value_desc("file"),
                cl::desc("write there what would go to standard output"),
                cl::sub(check), cl::cat(category));
cl::opt<bool> checkWithKnown(
    "with-known",
    cl::desc("sarif, json: also findings that the baseline knows, comments "
             "allow or the change took away, each with its state"),
    cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkStamp("stamp", cl::value_desc("file"),
               cl::desc("make this file anew where the exit code is 0"),
               cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkDepfile("depfile", cl::value_desc("file"),
                 cl::desc("write what was read, in Make's language"),
                 cl::sub(summarize), cl::sub(check), cl::cat(category));
cl::opt<bool> checkMatrix("matrix",
                          cl::desc("print a table of verdicts by GPU instead "
                                   "of findings"),
                          cl::sub(check), cl::cat(category));
cl::opt<bool> checkUnusedAllows("warn-unused-allows",
                                cl::desc("name comments that allow nothing"),
                                cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkBaseline("baseline", cl::value_desc("file"),
                  cl::desc("do not print findings that are in the file"),
                  cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::opt<std::string>
    checkWriteBaseline("write-baseline", cl::value_desc("file"),
                       cl::desc("put the findings into the file"),
                       cl::sub(check), cl::cat(category));
cl::opt<std::string>
    checkLevel("level", cl::value_desc("level"),
               cl::desc("print findings from here on: 'preview' (new rules, "
                        "too), 'note', 'warning' (the default) or 'error'"),
               cl::sub(check), cl::sub(lsp), cl::cat(category));
cl::opt<std::string>
    checkFailOn("fail-on", cl::value_desc("level"),
                cl::desc("exit with 1 for printed findings from here on; "
                         "default 'warning'"),
                cl::sub(check), cl::cat(category));
cl::opt<bool> checkExplain("explain",
                           cl::desc("say how files were read, where numbers "
                                    "come from and what is not known"),
                           cl::sub(check), cl::cat(category));
cl::opt<bool> checkNoShortCuts(
    "no-short-cuts", cl::Hidden,
    cl::desc("read every file from its first line and all of its headers: the "
             "output must stay the same"),
    cl::sub(check), cl::cat(category));
cl::opt<cl::boolOrDefault>
    useColor("color", cl::desc("colours, also when not on a terminal"),
             cl::sub(check), cl::cat(category));

// Options of `lsp`.
cl::opt<unsigned>
    lspSettle("settle", cl::value_desc("milliseconds"), cl::init(100),
              cl::desc("how long a document must stay as it is before it is "
                       "analysed"),
              cl::sub(lsp), cl::cat(category));
// Editors are used to telling servers so.
cl::opt<bool> lspStdio("stdio", cl::Hidden, cl::sub(lsp), cl::cat(category));

// Options of `occupancy`.
cl::opt<unsigned> threads("threads", cl::value_desc("number"), cl::Required,
                          cl::desc("per block"), cl::sub(occupancies),
                          cl::cat(category));
cl::opt<unsigned> registers("registers", cl::value_desc("number"), cl::Required,
                            cl::desc("per thread"), cl::sub(occupancies),
                            cl::cat(category));
cl::opt<unsigned> shared("shared", cl::value_desc("bytes"), cl::init(0),
                         cl::desc("per block, static and dynamic together"),
                         cl::sub(occupancies), cl::cat(category));
cl::opt<unsigned> barriers("barriers", cl::value_desc("number"), cl::init(1),
                           cl::desc("named barriers"), cl::sub(occupancies),
                           cl::cat(category));
cl::opt<unsigned> cluster("cluster", cl::value_desc("blocks"), cl::init(1),
                          cl::desc("blocks per cluster"), cl::sub(occupancies),
                          cl::cat(category));
cl::opt<int> carveout("carveout", cl::value_desc("per cent"), cl::init(-1),
                      cl::desc("preferred shared-memory carveout"),
                      cl::sub(occupancies), cl::cat(category));
cl::opt<uint64_t> blocks("blocks", cl::value_desc("number"), cl::init(0),
                         cl::desc("of the grid, for waves and tail"),
                         cl::sub(occupancies), cl::cat(category));

// Options of `resources`.
cl::list<std::string>
    resourceInputs(cl::Positional, cl::OneOrMore,
                   cl::desc("FILE.cu|LOG|BINARY... [-- compiler flags]"),
                   cl::sub(resources), cl::cat(category));
cl::opt<unsigned> resourceThreads("threads", cl::value_desc("number"),
                                  cl::init(0),
                                  cl::desc("per block, for blocks per SM"),
                                  cl::sub(resources), cl::cat(category));
cl::opt<unsigned> resourceShared("dynamic-shared", cl::value_desc("bytes"),
                                 cl::init(0),
                                 cl::desc("per block, for blocks per SM"),
                                 cl::sub(resources), cl::cat(category));
cl::opt<std::string> resourceOld("diff", cl::value_desc("file"),
                                 cl::desc("print only what has moved since"),
                                 cl::sub(resources), cl::cat(category));

// Options of `simulate`.
cl::opt<std::string> program(cl::Positional, cl::Required,
                             cl::desc("PROGRAM.json"), cl::sub(simulate),
                             cl::cat(category));
cl::opt<unsigned> runs("runs", cl::value_desc("number"), cl::init(8),
                       cl::desc("ways to run that are tried"),
                       cl::sub(simulate), cl::cat(category));
cl::opt<std::string>
    traceFile("trace", cl::value_desc("file"),
              cl::desc("write a trace for Perfetto or chrome://tracing"),
              cl::sub(simulate), cl::cat(category));
cl::opt<std::string> svgFile("svg", cl::value_desc("file"),
                             cl::desc("write a picture of the SMs over time"),
                             cl::sub(simulate), cl::cat(category));

// Options of `summarize`.
cl::opt<std::string> summarized(cl::Positional, cl::Required,
                                cl::desc("FILE.cu [-- compiler flags]"),
                                cl::sub(summarize), cl::cat(category));
cl::opt<std::string> summary("o", cl::value_desc("file"), cl::Required,
                             cl::desc("the summary to write, *.json; '-' for "
                                      "standard output"),
                             cl::sub(summarize), cl::cat(category));

/// As coreside was called.
std::vector<std::string> commandLine;

/// The names of --gpu, or `otherwise` when it was not given.
std::string gpuList(llvm::StringRef otherwise = "") {
  return gpuNames.empty() ? otherwise.str() : llvm::join(gpuNames, ",");
}

/// Sets `key` to what was given on the command line, if anything was. An error
/// is said and means that the words are wrong.
bool setFromOption(Settings &settings, const char *option, const char *key,
                   std::vector<std::string> words) {
  if (words.empty() || words.front().empty())
    return true;
  for (const SettingKey &known : settingKeys())
    if (llvm::StringRef(key) == known.name)
      if (llvm::Error error = known.check(words)) {
        llvm::errs() << "coreside: error: " << option
                     << llvm::toString(std::move(error)) << '\n';
        return false;
      }
  settings.set(key, std::move(words), "the command line");
  return true;
}

/// What the command line sets; nothing after an error.
std::optional<Settings> settingsFromOptions() {
  Settings settings;
  if (setFromOption(settings, "", "targets", gpuNames) &&
      setFromOption(settings, "--rules: ", "rules", checkRules) &&
      setFromOption(settings, "", "warnings", checkWarnings) &&
      setFromOption(settings, "--level: ", "level", {checkLevel}) &&
      setFromOption(settings, "--fail-on: ", "fail-on", {checkFailOn}) &&
      setFromOption(settings, "--sync-model: ", "sync-model",
                    {checkSyncModel}) &&
      setFromOption(settings, "--connections: ", "connections",
                    {checkConnections}) &&
      setFromOption(settings, "", "assume", checkAssume))
    return settings;
  return std::nullopt;
}

int failUsage(const llvm::Twine &text) {
  llvm::errs() << "coreside: error: " << text << '\n';
  return 2;
}

int runCheckCommand(std::optional<std::vector<std::string>> flags) {
  CheckOptions options;
  auto outputs = parseOutputs(checkFormats, checkOutput);
  if (!outputs)
    return failUsage(llvm::toString(outputs.takeError()));
  options.outputs = std::move(*outputs);
  if ((checkFormats.size() || checkOutput.size()) &&
      (checkDump != Dump::None || checkMatrix || checkDumpConfig ||
       checkExplainConfig))
    return failUsage("--format and --output are for findings");
  if (!checkDepfile.empty() && checkStamp.empty())
    return failUsage("--depfile needs --stamp, the file that it is about");
  options.stamp = checkStamp;
  options.depfile = checkDepfile;
  options.withKnown = checkWithKnown;
  options.commandLine = commandLine;
  options.files = checkFiles;
  std::optional<Settings> given = settingsFromOptions();
  if (!given)
    return 2;
  options.given = std::move(*given);
  options.config = checkConfig;
  options.dumpConfig = checkDumpConfig;
  options.explainConfig = checkExplainConfig;
  options.matrix = checkMatrix;
  options.diff = checkDiff;
  options.staged = checkStaged;
  options.fix = checkFix;
  options.verifyFixes = checkVerifyFixes;
  options.warnUnusedAllows = checkUnusedAllows;
  options.baseline = checkBaseline;
  options.writeBaseline = checkWriteBaseline;
  options.SMs = SMs;
  options.buildDirectory = buildDirectory;
  options.flags = std::move(flags);
  options.resources = checkResources;
  options.recorded = checkRecorded;
  options.useCache = !noCache;
  options.cudaPath = cudaPath;
  options.dump = checkDump;
  options.explain = checkExplain;
  options.jobs = jobs;
  options.shortCuts = !checkNoShortCuts;
  options.color = useColor == cl::BOU_UNSET
                      ? llvm::sys::Process::StandardOutHasColors()
                      : useColor == cl::BOU_TRUE;
  return runCheck(options);
}

int runCacheCommand() {
  auto action = llvm::StringSwitch<std::optional<CacheAction>>(cacheAction)
                    .Case("show", CacheAction::Show)
                    .Case("check", CacheAction::Check)
                    .Case("clear", CacheAction::Clear)
                    .Default(std::nullopt);
  if (action)
    return runCache(*action, llvm::outs(), llvm::errs());
  llvm::errs() << "coreside: error: 'cache " << cacheAction
               << "' is not known; it takes show, check or clear\n";
  return 2;
}

int runGPUsCommand() {
  return runGPUs({gpuList(), SMs, json}, llvm::outs(), llvm::errs());
}

int runLSPCommand(std::optional<std::vector<std::string>> flags) {
  EditorOptions options;
  std::optional<Settings> given = settingsFromOptions();
  if (!given)
    return 2;
  options.given = std::move(*given);
  options.config = checkConfig;
  options.SMs = SMs;
  options.buildDirectory = buildDirectory;
  options.flags = std::move(flags);
  options.resources = checkResources;
  options.useCache = !noCache;
  options.cudaPath = cudaPath;
  options.baseline = checkBaseline;
  options.settle = std::chrono::milliseconds(lspSettle);
  return runLSP(options);
}

int runOccupancyCommand() {
  OccupancyOptions options;
  options.gpus = gpuList("a100,h100,rtx4090");
  options.SMs = SMs;
  options.threads = threads;
  options.registers = registers;
  options.shared = shared;
  options.barriers = barriers;
  options.cluster = cluster;
  options.carveout = carveout;
  options.blocks = blocks;
  options.json = json;
  return runOccupancy(options, llvm::outs(), llvm::errs());
}

int runResourcesCommand(std::optional<std::vector<std::string>> flags) {
  ResourcesOptions options;
  options.inputs = resourceInputs;
  options.gpus = gpuList();
  options.SMs = SMs;
  options.threads = resourceThreads;
  options.dynamicShared = resourceShared;
  options.buildDirectory = buildDirectory;
  options.flags = std::move(flags);
  options.cudaPath = cudaPath;
  options.old = resourceOld;
  options.jobs = jobs;
  options.json = json;
  return runResources(options, llvm::outs(), llvm::errs());
}

int runSimulateCommand() {
  SimulateOptions options;
  options.program = program;
  options.gpus = gpuList("h100");
  options.SMs = SMs;
  options.runs = runs;
  options.json = json;
  options.trace = traceFile;
  options.svg = svgFile;
  return runSimulate(options, llvm::outs(), llvm::errs());
}

int runSummarizeCommand(std::optional<std::vector<std::string>> flags) {
  SummarizeOptions options;
  options.file = summarized;
  options.output = summary;
  options.depfile = checkDepfile;
  options.gpus = gpuList();
  options.SMs = SMs;
  options.buildDirectory = buildDirectory;
  options.flags = std::move(flags);
  options.resources = checkResources;
  options.useCache = !noCache;
  options.cudaPath = cudaPath;
  return runSummarize(options);
}

/// Runs the subcommand that was named.
int runCommand(std::optional<std::vector<std::string>> flags) {
  if (cache)
    return runCacheCommand();
  if (check)
    return runCheckCommand(std::move(flags));
  if (explanations)
    return runExplain(explainedRule);
  if (gpus)
    return runGPUsCommand();
  if (lsp)
    return runLSPCommand(std::move(flags));
  if (occupancies)
    return runOccupancyCommand();
  if (resources)
    return runResourcesCommand(std::move(flags));
  if (rules)
    return runRules();
  if (simulate)
    return runSimulateCommand();
  if (summarize)
    return runSummarizeCommand(std::move(flags));
  cl::PrintHelpMessage(false, true);
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  // Were standard output closed, the next file to be opened would take its
  // place, and what is printed would go there.
  if (llvm::sys::Process::FixupStandardFileDescriptors())
    return 2;
  cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "coreside " CORESIDE_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
  });
  cl::HideUnrelatedOptions(category);
  for (cl::SubCommand *command :
       {&cache, &check, &clangd, &explanations, &gpus, &lsp, &occupancies,
        &resources, &rules, &simulate, &summarize})
    cl::HideUnrelatedOptions(category, *command);

  commandLine.assign(argv, argv + argc);

  // clangd's arguments are not ours to parse.
  if (argc > 1 && llvm::StringRef(argv[1]) == "clangd")
    return runClangd(std::vector<std::string>(argv + 2, argv + argc),
                     llvm::sys::fs::getMainExecutable(
                         argv[0], reinterpret_cast<void *>(&gpuList)));

  // Nor are flags for the compiler.
  std::vector<const char *> words(argv, argv + argc);
  std::optional<std::vector<std::string>> flags;
  auto dashes = std::find(words.begin(), words.end(), llvm::StringRef("--"));
  if (dashes != words.end()) {
    flags.emplace(dashes + 1, words.end());
    words.erase(dashes, words.end());
  }
  if (!cl::ParseCommandLineOptions(
          words.size(), words.data(),
          "coreside: which CUDA launches cannot share the GPU\n",
          &llvm::errs()))
    return 2;

  int code = 2;
  if (check || summarize)
    useLargeHeap();
  runOnLargeStack(stackSize, [&] { code = runCommand(std::move(flags)); });

  // A full disk or a closed pipe must not look like findings, or like none.
  llvm::outs().flush();
  if (std::error_code error = llvm::outs().error()) {
    llvm::outs().clear_error();
    llvm::errs() << "coreside: error: cannot write the output: "
                 << error.message() << '\n';
    return 2;
  }
  return code;
}
