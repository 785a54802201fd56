// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CubinFile.h"
#include "Fatbin.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;
using llvm::support::endian::read16le;
using llvm::support::endian::read32le;

namespace coreside {

namespace {

using ELF = llvm::object::ELF64LE;
using ELFFile = llvm::object::ELFFile<ELF>;

/// Set in a symbol's st_other when it is a kernel.
constexpr unsigned EntrySymbol = 0x10;
/// Bytes that the system takes of each block from sm_80 on.
constexpr unsigned Reserve = 1024;

// Attributes of .nv.info, each u8 form, u8 attribute, u16 value or size.
constexpr unsigned FormByte = 2, FormSized = 4;
constexpr unsigned MaxThreads = 0x05;   // .nv.info.<kernel>: x, y, z
constexpr unsigned FrameSize = 0x11;    // .nv.info: symbol, bytes
constexpr unsigned MinStackSize = 0x12; // .nv.info: symbol, bytes
constexpr unsigned Registers = 0x2f;    // .nv.info: symbol, registers
constexpr unsigned Barriers = 0x4c;     // .nv.info.<kernel>

struct Attribute {
  unsigned number;
  unsigned value;
  StringRef bytes;
};

/// Calls `take` with each attribute of a section; false when it is malformed.
bool forEachAttribute(StringRef section,
                      llvm::function_ref<void(const Attribute &)> take) {
  while (section.size() >= 4) {
    unsigned form = section.bytes_begin()[0];
    Attribute attribute;
    attribute.number = section.bytes_begin()[1];
    attribute.value = read16le(section.data() + 2);
    section = section.drop_front(4);
    if (form == FormSized) {
      if (attribute.value > section.size())
        return false;
      attribute.bytes = section.take_front(attribute.value);
      section = section.drop_front(attribute.value);
    } else if (form == FormByte) {
      attribute.value &= 0xff;
    } else if (form > FormSized) {
      return false;
    }
    take(attribute);
  }
  return true;
}

/// The capability in the flags of a cubin.
ComputeCapability capabilityOf(const ELFFile::Elf_Ehdr &header) {
  unsigned flags = header.e_flags;
  // CUDA 13 moved it up to make room.
  unsigned number =
      header.e_ident[llvm::ELF::EI_ABIVERSION] >=
              llvm::ELF::ELFABIVERSION_CUDA_V2
          ? (flags & llvm::ELF::EF_CUDA_SM_MASK) >> llvm::ELF::EF_CUDA_SM_OFFSET
          : flags & llvm::ELF::EF_CUDA_SM;
  return {number / 10, number % 10};
}

llvm::Error malformed(const llvm::Twine &what) {
  return llvm::createStringError("malformed cubin: " + what);
}

bool isCubin(StringRef bytes) {
  return bytes.size() >= sizeof(ELFFile::Elf_Ehdr) &&
         bytes.starts_with("\x7f"
                           "ELF\x02\x01") &&
         read16le(bytes.data() + 18) == llvm::ELF::EM_CUDA;
}

/// A cubin whose symbols and sections have been told apart.
class CubinReader {
public:
  static llvm::Expected<std::vector<KernelResources>> read(StringRef bytes) {
    llvm::Expected<ELFFile> file = ELFFile::create(bytes);
    if (!file)
      return file.takeError();
    CubinReader reader(*file);
    if (llvm::Error error = reader.readKernels())
      return error;
    if (llvm::Error error = reader.readSections())
      return error;
    return std::move(reader.Kernels);
  }

private:
  explicit CubinReader(ELFFile &file)
      : File(file), Linked(file.getHeader().e_type == llvm::ELF::ET_EXEC),
        Capability(capabilityOf(file.getHeader())) {}

  llvm::Error readKernels() {
    if (Capability.major < 2)
      return malformed("no architecture in its flags");
    llvm::Expected<ELFFile::Elf_Shdr_Range> sections = File.sections();
    if (!sections)
      return sections.takeError();
    for (const ELFFile::Elf_Shdr &section : *sections) {
      if (section.sh_type != llvm::ELF::SHT_SYMTAB)
        continue;
      auto symbols = File.symbols(&section);
      if (!symbols)
        return symbols.takeError();
      auto strings = File.getStringTableForSymtab(section);
      if (!strings)
        return strings.takeError();
      BySymbol.assign(symbols->size(), None);
      for (size_t i = 0; i != symbols->size(); ++i) {
        const ELFFile::Elf_Sym &symbol = (*symbols)[i];
        if (symbol.getType() != llvm::ELF::STT_FUNC ||
            !(symbol.st_other & EntrySymbol) ||
            symbol.st_shndx == llvm::ELF::SHN_UNDEF)
          continue;
        llvm::Expected<StringRef> name = symbol.getName(*strings);
        if (!name)
          return name.takeError();
        if (!ByName.try_emplace(*name, Kernels.size()).second)
          return malformed("two kernels are called '" + *name + "'");
        BySymbol[i] = Kernels.size();
        KernelResources kernel;
        kernel.kernel = name->str();
        kernel.capability = Capability;
        kernel.final = Linked;
        // What is not there is none.
        kernel.staticShared = 0;
        kernel.barriers = 0;
        Kernels.push_back(std::move(kernel));
      }
      break;
    }
    return llvm::Error::success();
  }

  llvm::Error readSections() {
    llvm::Expected<ELFFile::Elf_Shdr_Range> sections = File.sections();
    if (!sections)
      return sections.takeError();
    for (const ELFFile::Elf_Shdr &section : *sections) {
      llvm::Expected<StringRef> name = File.getSectionName(section);
      if (!name)
        return name.takeError();
      if (llvm::Error error = readSection(section, *name))
        return error;
    }
    return llvm::Error::success();
  }

  KernelResources *kernel(StringRef name) {
    auto found = ByName.find(name);
    return found == ByName.end() ? nullptr : &Kernels[found->second];
  }

  llvm::Error readSection(const ELFFile::Elf_Shdr &section, StringRef name) {
    if (name == ".nv.info")
      return readInfo(section, nullptr);
    if (name.consume_front(".nv.info.")) {
      KernelResources *found = kernel(name);
      return found ? readInfo(section, found) : llvm::Error::success();
    }
    if (name.consume_front(".nv.shared.")) {
      if (KernelResources *found = kernel(name)) {
        uint64_t size = section.sh_size;
        if (Linked && Capability.major >= 9 && size >= Reserve)
          size -= Reserve;
        if (size > UINT32_MAX)
          return malformed("shared memory of " + llvm::Twine(size) + " bytes");
        found->staticShared = size;
      }
    } else if (name.consume_front(".nv.constant0.")) {
      if (KernelResources *found = kernel(name))
        found->constant = std::min<uint64_t>(section.sh_size, UINT32_MAX);
    } else if (name.consume_front(".text.")) {
      if (KernelResources *found = kernel(name)) {
        // Before sm_90 and before CUDA 12 numbers stood here; now they are 0
        // and stand in .nv.info.
        if (unsigned registers = section.sh_info >> 24;
            registers && !found->registers)
          found->registers = registers;
        if (unsigned barriers = section.sh_flags >> 20 & 0x7f)
          found->barriers = barriers;
      }
    }
    return llvm::Error::success();
  }

  llvm::Error readInfo(const ELFFile::Elf_Shdr &section,
                       KernelResources *kernel) {
    llvm::Expected<llvm::ArrayRef<uint8_t>> contents =
        File.getSectionContents(section);
    if (!contents)
      return contents.takeError();
    bool whole =
        forEachAttribute(llvm::toStringRef(*contents), [&](const Attribute &a) {
          kernel ? take(a, *kernel) : take(a);
        });
    return whole ? llvm::Error::success()
                 : malformed("a section .nv.info does not end");
  }

  /// Of all kernels: a symbol and a number.
  void take(const Attribute &attribute) {
    if (attribute.bytes.size() < 8)
      return;
    uint32_t symbol = read32le(attribute.bytes.data());
    uint32_t number = read32le(attribute.bytes.data() + 4);
    if (symbol >= BySymbol.size() || BySymbol[symbol] == None)
      return;
    KernelResources &kernel = Kernels[BySymbol[symbol]];
    if (attribute.number == Registers)
      kernel.registers = number;
    else if (attribute.number == MinStackSize)
      kernel.stack = number;
    else if (attribute.number == FrameSize && !kernel.stack)
      kernel.stack = number;
  }

  void take(const Attribute &attribute, KernelResources &kernel) {
    if (attribute.number == Barriers)
      kernel.barriers = attribute.value;
    if (attribute.number == MaxThreads && attribute.bytes.size() >= 12) {
      uint64_t threads = 1;
      for (int i = 0; i != 3; ++i)
        threads = std::min<uint64_t>(
            threads * read32le(attribute.bytes.data() + 4 * i), UINT32_MAX);
      kernel.maxThreadsPerBlock = threads;
    }
  }

  static constexpr size_t None = ~size_t(0);

  ELFFile &File;
  bool Linked;
  ComputeCapability Capability;
  std::vector<KernelResources> Kernels;
  llvm::StringMap<size_t> ByName;
  std::vector<size_t> BySymbol;
};

/// A file and what was found in it so far.
struct Search {
  BinaryReading reading;
  FatbinContents contents;
  std::string firstError;

  void failed(llvm::Error error, const llvm::Twine &where) {
    std::string text = llvm::toString(std::move(error));
    // One line, whatever LLVM says.
    for (char &c : text)
      if (c == '\n')
        c = ' ';
    if (firstError.empty())
      firstError = text;
    reading.notes.push_back((where + ": " + text).str());
  }

  void cubin(StringRef bytes, StringRef name) {
    llvm::Expected<std::vector<KernelResources>> kernels =
        CubinReader::read(bytes);
    if (!kernels)
      return failed(kernels.takeError(), name);
    for (KernelResources &kernel : *kernels) {
      kernel.source = name.str();
      reading.records.push_back(std::move(kernel));
    }
  }

  void fatbins(StringRef bytes, StringRef name) {
    llvm::Expected<FatbinContents> found =
        forEachCubin(bytes, [&](StringRef bytes) { cubin(bytes, name); });
    if (!found)
      return failed(found.takeError(), name);
    contents.cubins += found->cubins;
    contents.uncompiled += found->uncompiled;
  }

  void object(llvm::MemoryBufferRef file, StringRef name) {
    auto object = llvm::object::ObjectFile::createObjectFile(file);
    if (!object)
      return failed(object.takeError(), name);
    for (const llvm::object::SectionRef &section : (*object)->sections()) {
      llvm::Expected<StringRef> sectionName = section.getName();
      if (!sectionName) {
        failed(sectionName.takeError(), name);
        continue;
      }
      // Whole programs, relocatable code, and Windows' eight characters.
      if (*sectionName != ".nv_fatbin" && *sectionName != "__nv_relfatbin" &&
          *sectionName != ".nv_fatb" && *sectionName != "__nv_rel")
        continue;
      llvm::Expected<StringRef> bytes = section.getContents();
      if (bytes)
        fatbins(*bytes, name);
      else
        failed(bytes.takeError(), name);
    }
  }

  void archive(llvm::MemoryBufferRef file, StringRef name) {
    auto archive = llvm::object::Archive::create(file);
    if (!archive)
      return failed(archive.takeError(), name);
    llvm::Error error = llvm::Error::success();
    for (const auto &child : (*archive)->children(error)) {
      llvm::Expected<llvm::MemoryBufferRef> member = child.getMemoryBufferRef();
      if (!member) {
        failed(member.takeError(), name);
        break;
      }
      // LLVM takes a member's word for its size, though it may reach past the
      // end of the archive.
      if (member->getBufferEnd() > file.getBufferEnd() ||
          member->getBufferStart() < file.getBufferStart()) {
        failed(llvm::createStringError("malformed archive: a member is longer "
                                       "than the file"),
               name);
        break;
      }
      std::string memberName =
          (name + "(" + member->getBufferIdentifier() + ")").str();
      // Archives in archives do not happen.
      if (isCubin(member->getBuffer()))
        cubin(member->getBuffer(), memberName);
      else if (llvm::identify_magic(member->getBuffer()).is_object())
        object(*member, memberName);
    }
    if (error)
      failed(std::move(error), name);
  }
};

} // namespace

bool looksLikeBinary(StringRef begin) {
  return beginsWithFatbin(begin) ||
         llvm::identify_magic(begin) != llvm::file_magic::unknown;
}

llvm::Expected<BinaryReading> readBinary(llvm::MemoryBufferRef file) {
  StringRef name = file.getBufferIdentifier(), bytes = file.getBuffer();
  Search search;
  if (isCubin(bytes))
    search.cubin(bytes, name);
  else if (beginsWithFatbin(bytes))
    search.fatbins(bytes, name);
  else if (llvm::identify_magic(bytes) == llvm::file_magic::archive)
    search.archive(file, name);
  else if (llvm::identify_magic(bytes).is_object())
    search.object(file, name);
  else
    search.firstError = "neither a cubin or fatbin nor an object file";
  if (!search.reading.records.empty())
    return std::move(search.reading);
  if (!search.firstError.empty())
    return llvm::createStringError("cannot read '" + name +
                                   "': " + search.firstError);
  return llvm::createStringError(
      "no machine code of a kernel in '" + name + "'" +
      (search.contents.uncompiled
           ? ", only PTX; name an architecture to nvcc, such as -arch=sm_90"
           : ""));
}

llvm::Expected<BinaryReading> readBinaryFile(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError("cannot read '" + path +
                                   "': " + file.getError().message());
  return readBinary(**file);
}

} // namespace coreside
