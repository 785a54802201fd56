// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResourcesJSON.h"
#include "KernelName.h"
#include "PtxasMessage.h"

namespace coreside {

namespace {

constexpr std::pair<llvm::StringLiteral,
                    std::optional<unsigned> KernelResources::*>
    Numbers[] = {{"registers", &KernelResources::registers},
                 {"staticShared", &KernelResources::staticShared},
                 {"barriers", &KernelResources::barriers},
                 {"stack", &KernelResources::stack},
                 {"spillStores", &KernelResources::spillStores},
                 {"spillLoads", &KernelResources::spillLoads},
                 {"calleeSpillStores", &KernelResources::calleeSpillStores},
                 {"calleeSpillLoads", &KernelResources::calleeSpillLoads},
                 {"constant", &KernelResources::constant},
                 {"maxThreadsPerBlock", &KernelResources::maxThreadsPerBlock}};

} // namespace

llvm::json::Value toJSON(const KernelResources &record) {
  llvm::json::Object object;
  object["kernel"] = demangledKernel(record.kernel);
  object["mangled"] = record.kernel;
  object["target"] =
      record.target.empty() ? smName(record.capability) : record.target;
  for (auto &[name, number] : Numbers)
    if (record.*number)
      object[name] = *(record.*number);
  object["final"] = record.final;
  if (record.estimated)
    object["estimated"] = true;
  if (!record.file.empty())
    object["file"] = record.file;
  object["source"] = record.source;
  return object;
}

llvm::Expected<std::vector<KernelResources>>
recordsFromJSON(const llvm::json::Value &value) {
  std::vector<KernelResources> records;
  const llvm::json::Array *entries = value.getAsArray();
  if (!entries)
    return llvm::createStringError("not an array of records");
  for (const llvm::json::Value &entry : *entries) {
    auto failed = [&](const char *what) {
      return llvm::createStringError(
          "record " + llvm::Twine(records.size() + 1) + " " + what);
    };
    const llvm::json::Object *object = entry.getAsObject();
    if (!object)
      return failed("is not an object");
    KernelResources record;
    auto kernel = object->getString("mangled");
    auto target = object->getString("target");
    if (!kernel || !target)
      return failed("has no 'mangled' or no 'target'");
    auto capability = capabilityOf(*target);
    if (!capability)
      return failed("has a 'target' that is not such as sm_90");
    record.kernel = kernel->str();
    record.capability = *capability;
    if (*target != smName(*capability))
      record.target = target->str();
    for (auto &[name, number] : Numbers)
      if (const llvm::json::Value *given = object->get(name)) {
        auto integer = given->getAsInteger();
        if (!integer || *integer < 0 || *integer > UINT32_MAX)
          return failed("has a number that is none");
        record.*number = *integer;
      }
    record.final = object->getBoolean("final").value_or(true);
    record.estimated = object->getBoolean("estimated").value_or(false);
    record.file = object->getString("file").value_or("").str();
    record.source = object->getString("source").value_or("").str();
    records.push_back(std::move(record));
  }
  return records;
}

llvm::json::Value toJSON(const ResourceTable &table) {
  llvm::json::Array all;
  for (const KernelResources &record : table.records())
    all.push_back(toJSON(record));
  return all;
}

} // namespace coreside
