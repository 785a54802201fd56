// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RecordedLaunches.h"

#include "resources/KernelName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <memory>

namespace coreside {

namespace {

/// Of the tables that Nsight Systems 2019 to 2025 write: kernels name their
/// names by number. Newer ones know mangled names and several GPUs.
constexpr const char *kernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close)>;
using Statement = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

Statement prepare(sqlite3 *database, const std::string &text) {
  sqlite3_stmt *statement = nullptr;
  sqlite3_prepare_v2(database, text.c_str(), -1, &statement, nullptr);
  return {statement, sqlite3_finalize};
}

/// Whether a table has a column.
bool has(sqlite3 *database, const std::string &table,
         const std::string &column) {
  Statement found = prepare(
      database, fmt::format("SELECT 1 FROM pragma_table_info('{}') WHERE "
                            "name = '{}'",
                            table, column));
  return found && sqlite3_step(found.get()) == SQLITE_ROW;
}

std::string textOf(sqlite3_stmt *row, int column) {
  const unsigned char *text = sqlite3_column_text(row, column);
  return text ? reinterpret_cast<const char *>(text) : std::string();
}

/// A name as tools print it, without what they print differently: spaces, the
/// types of template arguments ("<(int)4>"), the result of a template.
std::string normalized(llvm::StringRef name) {
  std::string result;
  for (size_t i = 0; i != name.size(); ++i) {
    if (name[i] == ' ')
      continue;
    if (name[i] == '(' && !result.empty() &&
        (result.back() == '<' || result.back() == ','))
      if (size_t end = name.find(')', i); end != llvm::StringRef::npos) {
        i = end;
        continue;
      }
    result += name[i];
  }
  llvm::StringRef rest(result);
  return rest.consume_front("void") && !rest.empty() ? rest.str() : result;
}

bool mayBe(const Value &value, int64_t recorded) {
  return value.low <= recorded && recorded <= value.high;
}

class User {
public:
  User(const std::vector<RecordedLaunch> &recorded, const std::string &file,
       Program &program, ResourceTable &resources)
      : Recorded(recorded), File(file), P(program), Resources(resources) {
    for (unsigned i = 0; i != recorded.size(); ++i) {
      if (!recorded[i].mangled.empty())
        ByMangled[withoutLinkage(recorded[i].mangled)].push_back(i);
      ByName[normalized(recorded[i].demangled)].push_back(i);
    }
  }

  RecordedUse run() {
    std::vector<std::vector<unsigned>> ofKernel;
    for (const Kernel &kernel : P.kernels) {
      ofKernel.push_back(recordsOf(kernel));
      addResources(kernel, ofKernel.back());
    }
    for (Trace &trace : P.traces)
      for (Step &step : trace.steps)
        if (step.kind == Step::Kind::Launch && step.kernel >= 0)
          use(step, ofKernel[step.kernel]);
    return std::move(Result);
  }

private:
  std::vector<unsigned> recordsOf(const Kernel &kernel) const {
    auto at = ByMangled.find(withoutLinkage(kernel.mangled));
    if (at != ByMangled.end())
      return at->second;
    auto named = ByName.find(normalized(demangledKernel(kernel.mangled)));
    return named == ByName.end() ? std::vector<unsigned>() : named->second;
  }

  void addResources(const Kernel &kernel, llvm::ArrayRef<unsigned> records) {
    for (unsigned i : records) {
      const RecordedLaunch &launch = Recorded[i];
      if (launch.capability == ComputeCapability() || launch.registers <= 0 ||
          launch.staticShared < 0 ||
          Resources.find(kernel.mangled, launch.capability, nullptr,
                         kernel.unit))
        continue;
      KernelResources record;
      record.kernel = kernel.mangled;
      record.capability = launch.capability;
      record.registers = launch.registers;
      record.staticShared = launch.staticShared;
      record.source = File;
      record.file = kernel.unit;
      Resources.add(std::move(record));
    }
  }

  void use(Step &step, llvm::ArrayRef<unsigned> records) {
    if (records.empty()) {
      ++Result.missing;
      return;
    }
    ++Result.found;
    // Those of them that this launch can have been.
    std::vector<unsigned> possible;
    for (unsigned i : records) {
      bool fits = mayBe(step.dynamicShared, Recorded[i].dynamicShared);
      for (unsigned axis = 0; axis != 3; ++axis)
        fits = fits && mayBe(step.grid[axis], Recorded[i].grid[axis]) &&
               mayBe(step.block[axis], Recorded[i].block[axis]);
      if (fits)
        possible.push_back(i);
    }
    if (possible.empty()) {
      if (!llvm::is_contained(Result.contradicted, step.place))
        Result.contradicted.push_back(step.place);
      return;
    }
    for (unsigned axis = 0; axis != 3; ++axis) {
      narrow(step.grid[axis], possible,
             [axis](const RecordedLaunch &one) { return one.grid[axis]; });
      narrow(step.block[axis], possible,
             [axis](const RecordedLaunch &one) { return one.block[axis]; });
    }
    narrow(step.dynamicShared, possible,
           [](const RecordedLaunch &one) { return one.dynamicShared; });
  }

  void narrow(Value &value, llvm::ArrayRef<unsigned> possible, auto of) const {
    if (value.isKnown())
      return;
    int64_t low = of(Recorded[possible.front()]), high = low;
    for (unsigned i : possible) {
      low = std::min(low, of(Recorded[i]));
      high = std::max(high, of(Recorded[i]));
    }
    value = Value::bounded(low, high);
  }

  const std::vector<RecordedLaunch> &Recorded;
  const std::string &File;
  Program &P;
  ResourceTable &Resources;
  std::map<std::string, std::vector<unsigned>> ByMangled, ByName;
  RecordedUse Result;
};

} // namespace

llvm::Expected<std::vector<RecordedLaunch>>
readRecordedLaunches(const std::string &file) {
  auto fail = [&](const std::string &why) {
    return llvm::createStringError(fmt::format(
        "'{}' is no recorded run: {}; 'nsys export --type sqlite' makes one of "
        "an .nsys-rep file",
        file, why));
  };
  // SQLite opens anything, and waits for what is no file.
  llvm::sys::fs::file_status status;
  if (std::error_code error = llvm::sys::fs::status(file, status))
    return llvm::createStringError(
        fmt::format("cannot read '{}': {}", file, error.message()));
  if (!llvm::sys::fs::is_regular_file(status))
    return fail("it is not a file");
  sqlite3 *opened = nullptr;
  const int code =
      sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  Database database(opened, sqlite3_close);
  // No test: a regular file that can be asked about but not opened.
  if (code != SQLITE_OK)
    return fail(opened ? sqlite3_errmsg(opened) : "out of memory");
  // Views and triggers of a stranger's file run nothing but SQL.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (Statement any = prepare(opened, "SELECT 1 FROM sqlite_master"); !any)
    return fail(sqlite3_errmsg(opened));
  if (!has(opened, kernelTable, "gridX") || !has(opened, "StringIds", "value"))
    return fail("it holds no kernels");

  const bool mangled = has(opened, kernelTable, "mangledName");
  const bool device = has(opened, kernelTable, "deviceId") &&
                      has(opened, "TARGET_INFO_GPU", "computeMajor") &&
                      has(opened, "TARGET_INFO_GPU", "id");
  const std::string query = fmt::format(
      "SELECT names.value, {}, k.gridX, k.gridY, k.gridZ, k.blockX, k.blockY, "
      "k.blockZ, k.dynamicSharedMemory, k.staticSharedMemory, "
      "k.registersPerThread, {}, count(*) FROM {} AS k "
      "LEFT JOIN StringIds AS names ON names.id = k.demangledName {} {} "
      "GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 ORDER BY "
      "min(k.start)",
      mangled ? "mangled.value" : "NULL",
      device ? "gpu.computeMajor, gpu.computeMinor" : "0, 0", kernelTable,
      mangled ? "LEFT JOIN StringIds AS mangled ON mangled.id = k.mangledName"
              : "",
      device ? "LEFT JOIN TARGET_INFO_GPU AS gpu ON gpu.id = k.deviceId" : "");
  Statement rows = prepare(opened, query);
  if (!rows)
    return fail(sqlite3_errmsg(opened));
  std::vector<RecordedLaunch> launches;
  int step;
  while ((step = sqlite3_step(rows.get())) == SQLITE_ROW) {
    RecordedLaunch &one = launches.emplace_back();
    one.demangled = textOf(rows.get(), 0);
    one.mangled = textOf(rows.get(), 1);
    auto number = [&](int column) {
      return sqlite3_column_int64(rows.get(), column);
    };
    for (int axis = 0; axis != 3; ++axis) {
      one.grid[axis] = number(2 + axis);
      one.block[axis] = number(5 + axis);
    }
    one.dynamicShared = number(8);
    one.staticShared = number(9);
    one.registers = number(10);
    one.capability.major = static_cast<unsigned>(number(11));
    one.capability.minor = static_cast<unsigned>(number(12));
    one.count = number(13);
  }
  if (step != SQLITE_DONE)
    return fail(sqlite3_errmsg(opened));
  return launches;
}

RecordedUse useRecordedLaunches(const std::vector<RecordedLaunch> &recorded,
                                const std::string &file, Program &program,
                                ResourceTable &resources) {
  return User(recorded, file, program, resources).run();
}

} // namespace coreside
