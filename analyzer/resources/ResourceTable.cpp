// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   records in any order, several per kernel.
// Out:  the one that is meant, or null and the reason.

#include "KernelName.h"
#include "Resources.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace coreside {

namespace {

constexpr std::optional<unsigned> KernelResources::*Numbers[] = {
    &KernelResources::registers,        &KernelResources::staticShared,
    &KernelResources::barriers,         &KernelResources::stack,
    &KernelResources::spillStores,      &KernelResources::spillLoads,
    &KernelResources::constant,         &KernelResources::calleeSpillStores,
    &KernelResources::calleeSpillLoads, &KernelResources::maxThreadsPerBlock};

/// No number that both know differs.
bool agree(const KernelResources &a, const KernelResources &b) {
  return a.estimated == b.estimated && llvm::all_of(Numbers, [&](auto number) {
           return !(a.*number) || !(b.*number) || a.*number == b.*number;
         });
}

unsigned known(const KernelResources &record) {
  return llvm::count_if(
      Numbers, [&](auto number) { return (record.*number).has_value(); });
}

/// Stands for a demangled name, which may be a thousand times as long as the
/// mangled one.
std::string demangledKey(std::string_view mangled) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
      llvm::arrayRefFromStringRef(comparableKernel(mangled)));
  return std::to_string(hash.high64) + ":" + std::to_string(hash.low64);
}

void fillFrom(KernelResources &record, const KernelResources &other) {
  for (auto number : Numbers)
    if (!(record.*number))
      record.*number = other.*number;
}

std::string summary(const KernelResources &record) {
  std::string text = record.registers
                         ? std::to_string(*record.registers) + " registers"
                         : "an unknown number of registers";
  if (record.staticShared)
    text += ", " + std::to_string(*record.staticShared) + " bytes shared";
  return text + " (" + record.source + ")";
}

} // namespace

void ResourceTable::add(KernelResources record) {
  Places &same = ByName[record.kernel];
  for (size_t place : same) {
    KernelResources &old = All[place];
    if (old.capability != record.capability || old.target != record.target ||
        old.estimated != record.estimated ||
        (!old.file.empty() && !record.file.empty() && old.file != record.file))
      continue;
    if (old.final != record.final) {
      // What the linker says replaces what ptxas said; spills stay, because
      // nvlink does not print them.
      const KernelResources unfinal = old.final ? record : old;
      if (!old.final)
        old = std::move(record);
      if (!old.spillStores)
        old.spillStores = unfinal.spillStores;
      if (!old.spillLoads)
        old.spillLoads = unfinal.spillLoads;
      if (old.file.empty())
        old.file = unfinal.file;
      return;
    }
    if (agree(old, record)) {
      fillFrom(old, record);
      if (old.file.empty())
        old.file = record.file;
      return;
    }
  }
  size_t place = All.size();
  same.push_back(place);
  All.push_back(std::move(record));
}

const KernelResources *
ResourceTable::choose(const Places *places, std::string_view mangled,
                      ComputeCapability capability, std::string_view file,
                      bool &ambiguous, std::string *why) const {
  if (!places)
    return nullptr;
  llvm::SmallVector<const KernelResources *, 4> fitting;
  for (size_t place : *places)
    if (All[place].capability == capability)
      fitting.push_back(&All[place]);
  // Kernels of one name in several files: the file decides, by its path or by
  // what nvcc made of it in the name.
  if (fitting.size() > 1 && !file.empty()) {
    std::string stem = llvm::sys::path::filename(file).str();
    for (char &c : stem)
      if (!llvm::isAlnum(c))
        c = '_';
    llvm::SmallVector<const KernelResources *, 4> ofFile;
    for (const KernelResources *record : fitting)
      if (record->file.empty() ? fileInName(record->kernel) == stem
                               : record->file == file)
        ofFile.push_back(record);
    if (!ofFile.empty())
      fitting = ofFile;
  }
  // Measured numbers before estimates.
  if (llvm::any_of(fitting, [](auto *record) { return !record->estimated; }))
    llvm::erase_if(fitting, [](auto *record) { return record->estimated; });
  if (fitting.empty())
    return nullptr;
  const KernelResources *best = fitting.front();
  for (const KernelResources *record : fitting) {
    if (!agree(*best, *record)) {
      ambiguous = true;
      if (why)
        *why =
            llvm::formatv("{0} records fit '{1}' on {2} and differ: {3}, "
                          "and {4}",
                          fitting.size(), demangledKernel(mangled),
                          smName(capability), summary(*best), summary(*record));
      return nullptr;
    }
    if (known(*record) > known(*best))
      best = record;
  }
  return best;
}

const KernelResources *ResourceTable::find(std::string_view mangled,
                                           ComputeCapability capability,
                                           std::string *why,
                                           std::string_view file) const {
  auto places = [](const auto &index, const std::string &name) {
    auto found = index.find(name);
    return found == index.end() ? nullptr : &found->second;
  };
  bool ambiguous = false;
  const KernelResources *found =
      choose(places(ByName, std::string(mangled)), mangled, capability, file,
             ambiguous, why);
  if (found || ambiguous)
    return found;
  for (; Unlinked != All.size(); ++Unlinked)
    ByLinkage[withoutLinkage(All[Unlinked].kernel)].push_back(Unlinked);
  found = choose(places(ByLinkage, withoutLinkage(mangled)), mangled,
                 capability, file, ambiguous, why);
  if (found || ambiguous)
    return found;
  for (; Demangled != All.size(); ++Demangled)
    ByDemangled[demangledKey(All[Demangled].kernel)].push_back(Demangled);
  const Places *demangled = places(ByDemangled, demangledKey(mangled));
  found = choose(demangled, mangled, capability, file, ambiguous, why);
  if (found || ambiguous)
    return found;
  if (why) {
    *why = llvm::formatv("no record of '{0}' for {1}", demangledKernel(mangled),
                         smName(capability));
    if (demangled) {
      std::string others;
      for (size_t place : *demangled) {
        std::string name = smName(All[place].capability);
        if (!llvm::StringRef(others).contains(name))
          others += (others.empty() ? "" : ", ") + name;
      }
      *why += ", only for " + others;
    }
  }
  return nullptr;
}

} // namespace coreside
