// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResourcesJSON.h"
#include "KernelName.h"

namespace coreside {

llvm::json::Value toJSON(const KernelResources &record) {
  llvm::json::Object object;
  object["kernel"] = demangledKernel(record.kernel);
  object["mangled"] = record.kernel;
  object["target"] =
      record.target.empty() ? smName(record.capability) : record.target;
  auto add = [&](llvm::StringLiteral name, std::optional<unsigned> number) {
    if (number)
      object[name] = *number;
  };
  add("registers", record.registers);
  add("staticShared", record.staticShared);
  add("barriers", record.barriers);
  add("stack", record.stack);
  add("spillStores", record.spillStores);
  add("spillLoads", record.spillLoads);
  add("calleeSpillStores", record.calleeSpillStores);
  add("calleeSpillLoads", record.calleeSpillLoads);
  add("constant", record.constant);
  add("maxThreadsPerBlock", record.maxThreadsPerBlock);
  object["final"] = record.final;
  if (record.estimated)
    object["estimated"] = true;
  if (!record.file.empty())
    object["file"] = record.file;
  object["source"] = record.source;
  return object;
}

llvm::json::Value toJSON(const ResourceTable &table) {
  llvm::json::Array all;
  for (const KernelResources &record : table.records())
    all.push_back(toJSON(record));
  return all;
}

} // namespace coreside
