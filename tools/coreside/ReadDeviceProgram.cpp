// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadDeviceProgram.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <limits>

using namespace coreside;

namespace {

/// Reads one program; the first problem found is the one told.
class Reader {
public:
  explicit Reader(llvm::StringRef file) : file(file) {}

  llvm::Expected<DeviceProgram> read(const llvm::json::Value &value) {
    const llvm::json::Object *object = value.getAsObject();
    if (!object)
      return llvm::createStringError("%s: is not a JSON object with kernels",
                                     file.c_str());
    known(*object, "", {"kernels", "streams", "hardwareQueues"});
    program.hardwareQueues =
        unsigned(number(*object, "", "hardwareQueues", 8, 1, 32));
    readStreams(*object);
    const llvm::json::Array *kernels = object->getArray("kernels");
    if (!kernels || kernels->empty())
      fail("kernels is missing or empty; expected an array of objects");
    else
      for (size_t i = 0; i < kernels->size() && problem.empty(); ++i)
        readKernel((*kernels)[i], ("kernels[" + llvm::Twine(i) + "]").str());
    if (!problem.empty())
      return llvm::createStringError("%s: %s", file.c_str(), problem.c_str());
    return std::move(program);
  }

private:
  void fail(const llvm::Twine &text) {
    if (problem.empty())
      problem = text.str();
  }

  void known(const llvm::json::Object &object, llvm::StringRef where,
             llvm::ArrayRef<llvm::StringRef> names) {
    for (const auto &[key, value] : object)
      if (!llvm::is_contained(names, llvm::StringRef(key)))
        fail((where.empty() ? "" : where + ".") + key.str() +
             " is not a field; known are " + llvm::join(names, ", "));
  }

  /// The whole number in `name`, `missing` when it is not there.
  uint64_t number(const llvm::json::Object &object, llvm::StringRef where,
                  llvm::StringRef name, int64_t missing, int64_t least,
                  int64_t most) {
    const llvm::json::Value *value = object.get(name);
    if (!value)
      return uint64_t(missing);
    const std::optional<int64_t> whole = value->getAsInteger();
    if (whole && *whole >= least && *whole <= most)
      return uint64_t(*whole);
    fail((where.empty() ? "" : where + ".") + name + " is " + text(*value) +
         "; expected a whole number from " + llvm::Twine(least) + " to " +
         llvm::Twine(most));
    return uint64_t(missing);
  }

  bool flag(const llvm::json::Object &object, llvm::StringRef where,
            llvm::StringRef name) {
    const llvm::json::Value *value = object.get(name);
    if (!value)
      return false;
    if (const std::optional<bool> yes = value->getAsBoolean())
      return *yes;
    fail(where + "." + name + " is " + text(*value) +
         "; expected true or false");
    return false;
  }

  std::string word(const llvm::json::Object &object, llvm::StringRef where,
                   llvm::StringRef name) {
    const llvm::json::Value *value = object.get(name);
    if (!value)
      return "";
    if (const std::optional<llvm::StringRef> string = value->getAsString();
        string && !string->empty())
      return string->str();
    fail(where + "." + name + " is " + text(*value) + "; expected a name");
    return "";
  }

  static std::string text(const llvm::json::Value &value) {
    std::string result;
    llvm::raw_string_ostream(result) << value;
    return result;
  }

  void readStreams(const llvm::json::Object &object) {
    const llvm::json::Value *value = object.get("streams");
    if (!value)
      return;
    const llvm::json::Array *streams = value->getAsArray();
    if (!streams)
      return fail("streams is not an array of objects");
    streamsGiven = true;
    for (size_t i = 0; i < streams->size(); ++i) {
      const std::string where = ("streams[" + llvm::Twine(i) + "]").str();
      const llvm::json::Object *fields = (*streams)[i].getAsObject();
      if (!fields)
        return fail(where + " is not an object");
      known(*fields, where, {"name", "priority", "blocking", "legacyDefault"});
      DeviceStream stream;
      stream.name = word(*fields, where, "name");
      stream.priority =
          int(int64_t(number(*fields, where, "priority", 0, -1000, 1000)));
      stream.blocking = flag(*fields, where, "blocking");
      stream.legacyDefault = flag(*fields, where, "legacyDefault");
      if (stream.name.empty())
        return fail(where + ".name is missing");
      if (!streamNumbers.try_emplace(stream.name, program.streams.size())
               .second)
        return fail(where + ".name '" + stream.name + "' is taken");
      program.streams.push_back(std::move(stream));
    }
  }

  /// Kernels by their own name and by that of the event they record.
  std::vector<unsigned> awaited(const llvm::json::Object &object,
                                llvm::StringRef where, llvm::StringRef name) {
    std::vector<unsigned> result;
    const llvm::json::Value *value = object.get(name);
    if (!value)
      return result;
    const llvm::json::Array *list = value->getAsArray();
    if (!list) {
      fail(where + "." + name + " is " + text(*value) +
           "; expected an array of names");
      return result;
    }
    for (const llvm::json::Value &entry : *list) {
      const std::optional<llvm::StringRef> other = entry.getAsString();
      const auto found =
          other ? kernelNumbers.find(*other) : kernelNumbers.end();
      if (found == kernelNumbers.end()) {
        fail(where + "." + name + " names " + text(entry) +
             ", which no earlier kernel is called or records: the program "
             "would wait for itself or for nothing");
        return result;
      }
      result.push_back(found->second);
    }
    return result;
  }

  void readKernel(const llvm::json::Value &value, const std::string &where) {
    const llvm::json::Object *fields = value.getAsObject();
    if (!fields)
      return fail(where + " is not an object");
    known(*fields, where,
          {"name", "stream", "blocks", "threads", "registers", "shared",
           "staticShared", "barriers", "carveout", "cluster", "microseconds",
           "awaits", "hostAwaits", "records"});
    constexpr int64_t largest = std::numeric_limits<int64_t>::max();
    constexpr int64_t bytes = 1 << 30;
    DeviceKernel kernel;
    kernel.name = word(*fields, where, "name");
    if (kernel.name.empty())
      return fail(where + ".name is missing");
    if (!fields->get("threads") || !fields->get("blocks"))
      return fail(where + (fields->get("threads") ? ".blocks" : ".threads") +
                  " is missing");
    Footprint &footprint = kernel.grid.footprint;
    kernel.grid.blocks = number(*fields, where, "blocks", 1, 1, largest);
    footprint.threadsPerBlock =
        unsigned(number(*fields, where, "threads", 1, 1, 1024));
    footprint.registersPerThread =
        unsigned(number(*fields, where, "registers", 32, 1, 255));
    footprint.dynamicShared =
        unsigned(number(*fields, where, "shared", 0, 0, bytes));
    footprint.staticShared =
        unsigned(number(*fields, where, "staticShared", 0, 0, bytes));
    footprint.barriers = unsigned(number(*fields, where, "barriers", 1, 0, 16));
    footprint.carveoutPercent =
        int(int64_t(number(*fields, where, "carveout", -1, -1, 100)));
    footprint.clusterSize =
        unsigned(number(*fields, where, "cluster", 1, 1, 16));
    if (const llvm::json::Value *time = fields->get("microseconds")) {
      const std::optional<double> microseconds = time->getAsNumber();
      if (!microseconds || !(*microseconds >= 0.001) ||
          !(*microseconds <= 1e12))
        return fail(where + ".microseconds is " + text(*time) +
                    "; expected 0.001 to 10^12");
      kernel.blockNanoseconds = uint64_t(std::llround(*microseconds * 1000));
    }
    const std::string stream = word(*fields, where, "stream");
    auto found = streamNumbers.find(stream);
    if (found == streamNumbers.end()) {
      if (streamsGiven)
        return fail(where + ".stream '" + stream + "' is not among streams");
      found = streamNumbers.try_emplace(stream, program.streams.size()).first;
      program.streams.emplace_back().name = stream;
    }
    kernel.stream = found->second;
    kernel.awaits = awaited(*fields, where, "awaits");
    kernel.hostAwaits = awaited(*fields, where, "hostAwaits");
    const unsigned index = unsigned(program.kernels.size());
    const std::string event = word(*fields, where, "records");
    for (const std::string &name : {kernel.name, event})
      if (!name.empty() && !kernelNumbers.try_emplace(name, index).second)
        return fail(where + ": the name '" + name + "' is taken");
    program.kernels.push_back(std::move(kernel));
  }

  std::string file;
  std::string problem;
  DeviceProgram program;
  bool streamsGiven = false;
  llvm::StringMap<unsigned> streamNumbers;
  llvm::StringMap<unsigned> kernelNumbers;
};

} // namespace

llvm::Expected<DeviceProgram>
coreside::parseDeviceProgram(llvm::StringRef text, llvm::StringRef file) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value)
    return llvm::createStringError("%s: is not JSON: %s", file.str().c_str(),
                                   llvm::toString(value.takeError()).c_str());
  return Reader(file).read(*value);
}

llvm::Expected<DeviceProgram>
coreside::readDeviceProgram(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "%s: cannot be read: %s",
                                   path.str().c_str(),
                                   buffer.getError().message().c_str());
  return parseDeviceProgram((*buffer)->getBuffer(), path);
}
