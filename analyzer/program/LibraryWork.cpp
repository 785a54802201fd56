// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that put work of their own on a stream.
//
// In:   cublasSetStream(handle, s); cublasSgemm(handle, ...);
//       thrust::sort(thrust::cuda::par.on(t), first, last);
//       cub::DeviceReduce::Sum(storage, bytes, in, out, n, u);
// Out:  Opaque "cublasSgemm" on s; Opaque "thrust::sort" on t, which the host
//       waits for; Opaque "cub::DeviceReduce::Sum" on u.
//
// The table says for each library where the stream comes from. A handle keeps
// its stream in a part ".stream" of what it points to, so that handles are
// followed through members, arrays and functions like all else; one made here
// starts on the legacy default stream, one from elsewhere on a stream that is
// not known. The bodies of these libraries are not walked.

#include "Interpreter.h"
#include "ReadBody.h"

#include "RuntimeNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace coreside {
namespace {

struct Library {
  /// What the names of its functions begin with.
  llvm::StringRef prefix;
  /// Where the stream of a call comes from.
  enum class From {
    /// The last argument that is a stream.
    Argument,
    /// The handle that is the first argument; functions without one do nothing.
    Handle,
    /// A structure as last argument (NppStreamContext), else the library's.
    Context,
  } from;
};

using From = Library::From;

/// The longest prefix counts.
constexpr Library libraries[] = {
    {"cublas", From::Handle},       {"cublasLt", From::Argument},
    {"cublasXt", From::Argument},   {"cudnn", From::Handle},
    {"cufft", From::Handle},        {"cusparse", From::Handle},
    {"cusparseLt", From::Argument}, {"cusolver", From::Handle},
    {"curand", From::Handle},       {"cutensor", From::Argument},
    {"nccl", From::Argument},       {"npp", From::Context},
    {"nvjpeg", From::Argument},     {"hipblas", From::Handle},
    {"hipblasLt", From::Argument},  {"hipfft", From::Handle},
    {"hipsparse", From::Handle},    {"hiprand", From::Handle},
    {"hipsolver", From::Handle},    {"rocblas_", From::Handle},
    {"rocfft_", From::Handle},      {"rocsparse", From::Handle},
    {"miopen", From::Handle},       {"rccl", From::Argument},
};

const Library *libraryOf(llvm::StringRef name) {
  const Library *best = nullptr;
  for (const Library &library : libraries)
    if (name.starts_with(library.prefix) &&
        (!best || library.prefix.size() > best->prefix.size()))
      best = &library;
  return best;
}

/// What the function does, by the words in its name after the prefix.
bool setsStream(llvm::StringRef rest) {
  return rest.contains("SetStream") || rest.contains("set_stream");
}

bool makesHandle(llvm::StringRef rest) {
  return rest.starts_with("Create") || rest.starts_with("DnCreate") ||
         rest.starts_with("SpCreate") || rest.starts_with("create_handle") ||
         rest.starts_with("Plan");
}

bool destroysHandle(llvm::StringRef rest) {
  return rest == "Destroy" || rest == "DnDestroy" || rest == "SpDestroy" ||
         rest == "destroy_handle";
}

/// Settings, questions and preparations; what is left runs kernels.
bool runsNothing(llvm::StringRef rest) {
  for (llvm::StringRef kind : {"Dn", "Sp", "Mg", "Rf"})
    if (rest.consume_front(kind))
      break;
  // cudnnSetTensor(handle, ...) fills a tensor.
  if (rest == "SetTensor")
    return false;
  for (llvm::StringRef verb :
       {"Set", "Get", "set_", "get_", "Create", "Destroy", "create_",
        "destroy_", "Logger", "MakePlan", "Estimate", "Query"})
    if (rest.starts_with(verb))
      return true;
  for (llvm::StringRef word :
       {"bufferSize", "BufferSize", "buffer_size", "Workspace", "Version"})
    if (rest.contains(word))
      return true;
  return false;
}

/// cuBLAS functions that hand a number back to the host.
bool returnsToHost(llvm::StringRef rest) {
  llvm::StringRef plain = rest.rtrim("_64");
  for (llvm::StringRef word :
       {"dot", "dotu", "dotc", "nrm2", "asum", "amax", "amin", "Dot", "DotEx",
        "Nrm2Ex", "AsumEx", "amaxEx", "aminEx"})
    if (plain.ends_with(word))
      return true;
  return false;
}

/// The namespace that a declaration stands in, outermost first: "thrust".
llvm::StringRef outermostNamespace(const Decl &declaration) {
  llvm::StringRef name;
  for (const DeclContext *context = declaration.getDeclContext(); context;
       context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context);
        space && !space->isInline() && space->getIdentifier())
      name = space->getName();
  return name;
}

bool isIn(const Decl &declaration, llvm::StringRef space) {
  for (const DeclContext *context = declaration.getDeclContext(); context;
       context = context->getParent())
    if (const auto *one = dyn_cast<NamespaceDecl>(context);
        one && one->getIdentifier() && one->getName() == space)
      return true;
  return false;
}

std::string typeName(QualType type) {
  return type.getNonReferenceType().getCanonicalType().getAsString();
}

bool isPolicy(llvm::StringRef type) {
  return type.contains("execution_policy") ||
         type.contains("execute_on_stream") || type.contains("par_t") ||
         type.contains("par_nosync_t") || type.contains("device_t") ||
         type.contains("host_t") || type.contains("::seq_t") ||
         type.contains("execute_with_allocator");
}

/// Algorithms of Thrust only: what else is in there makes iterators and tuples.
bool isAlgorithm(llvm::StringRef name) {
  static constexpr llvm::StringRef names[] = {"adjacent_difference",
                                              "all_of",
                                              "any_of",
                                              "binary_search",
                                              "copy",
                                              "copy_if",
                                              "copy_n",
                                              "count",
                                              "count_if",
                                              "equal",
                                              "equal_range",
                                              "exclusive_scan",
                                              "exclusive_scan_by_key",
                                              "fill",
                                              "fill_n",
                                              "find",
                                              "find_if",
                                              "find_if_not",
                                              "for_each",
                                              "for_each_n",
                                              "gather",
                                              "gather_if",
                                              "generate",
                                              "generate_n",
                                              "inclusive_scan",
                                              "inclusive_scan_by_key",
                                              "inner_product",
                                              "is_partitioned",
                                              "is_sorted",
                                              "is_sorted_until",
                                              "lower_bound",
                                              "max_element",
                                              "merge",
                                              "merge_by_key",
                                              "min_element",
                                              "minmax_element",
                                              "mismatch",
                                              "none_of",
                                              "partition",
                                              "partition_copy",
                                              "partition_point",
                                              "reduce",
                                              "reduce_by_key",
                                              "remove",
                                              "remove_copy",
                                              "remove_copy_if",
                                              "remove_if",
                                              "replace",
                                              "replace_copy",
                                              "replace_copy_if",
                                              "replace_if",
                                              "reverse",
                                              "reverse_copy",
                                              "scatter",
                                              "scatter_if",
                                              "sequence",
                                              "set_difference",
                                              "set_difference_by_key",
                                              "set_intersection",
                                              "set_intersection_by_key",
                                              "set_symmetric_difference",
                                              "set_union",
                                              "set_union_by_key",
                                              "shuffle",
                                              "shuffle_copy",
                                              "sort",
                                              "sort_by_key",
                                              "stable_partition",
                                              "stable_partition_copy",
                                              "stable_sort",
                                              "stable_sort_by_key",
                                              "swap_ranges",
                                              "tabulate",
                                              "transform",
                                              "transform_exclusive_scan",
                                              "transform_if",
                                              "transform_inclusive_scan",
                                              "transform_reduce",
                                              "uninitialized_copy",
                                              "uninitialized_copy_n",
                                              "uninitialized_fill",
                                              "uninitialized_fill_n",
                                              "unique",
                                              "unique_by_key",
                                              "unique_by_key_copy",
                                              "unique_copy",
                                              "unique_count",
                                              "upper_bound"};
  return llvm::is_contained(names, name);
}

} // namespace

/// Whether `function` is one of a library's that run kernels, made of templates
/// that are not to be walked into.
bool isTemplateLibrary(const FunctionDecl &function) {
  llvm::StringRef space = outermostNamespace(function);
  if (space == "thrust" || space == "cub" || space == "hipcub" ||
      space == "rocprim")
    return true;
  return isIn(function, "thrust") || isIn(function, "cub") ||
         isIn(function, "hipcub");
}

/// The stream that a handle says, or one that is not known.
int Interpreter::libraryStream(const Datum &handle, const std::string &name,
                               const Expr *call) {
  if (handle.isPointer()) {
    auto node = Store.find(handle.pointer.part(".stream"));
    if (node && node->datum)
      return streamOf(*node->datum, nullptr);
  }
  return streamOf(Datum::unknown("the stream of '" + name + "'"), nullptr);
}

std::optional<Datum>
Interpreter::libraryWork(const FunctionDecl *function,
                         llvm::ArrayRef<const Expr *> arguments,
                         const Place &object, const Expr *call) {
  // Arguments are read as whoever calls an unknown function reads them.
  auto read = [&](unsigned index) -> Datum {
    const Expr *one = arguments[index];
    if (!one->isGLValue())
      return evaluate(one);
    Place place = locate(one);
    return place.known() ? readAddress(place.address, one->getType())
                         : Datum::unknown(place.why);
  };
  auto loses = [&](unsigned index, const Datum &datum, const std::string &why) {
    QualType type = index < function->getNumParams()
                        ? function->getParamDecl(index)->getType()
                        : arguments[index]->getType();
    if (type->isLValueReferenceType() &&
        !type.getNonReferenceType().isConstQualified()) {
      if (Place place = locate(arguments[index]); place.known())
        loseReachable(Datum::to(place.address), why);
    } else if (datum.isPointer() && type->isPointerType() &&
               !type->getPointeeType().isConstQualified()) {
      loseReachable(datum, why);
    }
  };

  if (isTemplateLibrary(*function)) {
    std::string name = nameOf(*function);
    // "thrust::sort", without versions of the library and template arguments.
    std::string plain = function->getNameAsString();
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    Step step;
    step.kind = Step::Kind::Opaque;
    std::string why = "changed by '" + plain + "'";

    // par.on(stream)
    if (method && plain == "on" && arguments.size() == 1 &&
        isStreamType(arguments[0]->getType())) {
      Datum policy;
      policy.kind = Datum::Kind::Record;
      auto node = std::make_shared<Node>(), part = std::make_shared<Node>();
      part->datum =
          Datum::stream(streamOf(evaluate(arguments[0]), arguments[0]));
      node->parts[".stream"] = part;
      policy.record = node;
      return policy;
    }
    const bool cub = isIn(*function, "cub") || isIn(*function, "hipcub");
    if (cub && method && method->isStatic() &&
        method->getParent()->getName().starts_with("Device")) {
      step.function =
          "cub::" + method->getParent()->getNameAsString() + "::" + plain;
      bool onlySize = false;
      std::optional<unsigned> streamAt;
      for (unsigned i = 0; i < arguments.size(); ++i) {
        if (isStreamType(arguments[i]->getType())) {
          streamAt = i;
          continue;
        }
        Datum datum = read(i);
        // Without storage it only says how much it needs.
        onlySize |= i == 0 && datum.kind == Datum::Kind::Null &&
                    arguments[0]->getType()->isPointerType();
        loses(i, datum, why);
      }
      if (!onlySize) {
        step.stream = streamAt ? streamOf(evaluate(arguments[*streamAt]),
                                          arguments[*streamAt])
                               : defaultStream();
        emit(std::move(step), call);
      }
      return resultOfUnknown(function->getReturnType(),
                             "answer of '" + plain + "'");
    }
    if (!cub && !method && isAlgorithm(plain)) {
      step.function = "thrust::" + plain;
      bool device = false, waits = true;
      int stream = -1;
      for (unsigned i = 0; i < arguments.size(); ++i) {
        std::string type = typeName(arguments[i]->getType());
        Datum datum = read(i);
        loses(i, datum, why);
        if (i == 0 && isPolicy(type)) {
          llvm::StringRef policy = type;
          if (policy.contains("host") || policy.contains("seq_t") ||
              policy.contains("::omp::") || policy.contains("::tbb::") ||
              policy.contains("::cpp::")) {
            device = false;
            break;
          }
          device = true;
          waits = !policy.contains("nosync");
          if (datum.kind == Datum::Kind::Record && datum.record)
            if (auto at = datum.record->parts.find(".stream");
                at != datum.record->parts.end() && at->second->datum)
              stream = streamOf(*at->second->datum, nullptr);
          if (stream < 0 && policy.contains("execute_on_stream"))
            stream =
                streamOf(Datum::unknown("the stream of a policy"), nullptr);
        } else if (llvm::StringRef(type).contains("device_ptr") ||
                   llvm::StringRef(type).contains("device_reference") ||
                   llvm::StringRef(type).contains("cuda_cub")) {
          device = true;
        }
      }
      if (device) {
        step.stream = stream < 0 ? defaultStream() : stream;
        step.waits = waits;
        emit(std::move(step), call);
      }
      return resultOfUnknown(function->getReturnType(),
                             "returned by '" + plain + "'");
    }
    // Pointers to the memory of a device_vector; one from elsewhere has its
    // own.
    auto dataOf = [&](const Address &vector) {
      auto node = Store.find(vector.part(".data"));
      if (node && node->datum)
        return *node->datum;
      Datum made = Datum::to({Store.create(Store.nameOf(vector),
                                           /*external=*/true,
                                           /*pointee=*/true),
                              {"[0]"}});
      writeAddress(vector.part(".data"), made);
      return made;
    };
    const bool vector = method && object.known() &&
                        method->getParent()->getName().contains("vector");
    if (vector && (plain == "data" || plain == "begin" || plain == "front"))
      return dataOf(object.address);
    if (method && object.known() && plain == "size")
      if (auto node = Store.find(object.address.part(".size"));
          node && node->datum)
        return *node->datum;
    if (plain == "raw_pointer_cast" && arguments.size() == 1) {
      Datum pointer = read(0);
      return pointer.isPointer() || pointer.isUnknown()
                 ? pointer
                 : Datum::unknown("a pointer of Thrust");
    }
    if (vector && method->getOverloadedOperator() == OO_Subscript) {
      for (unsigned i = 0; i < arguments.size(); ++i)
        read(i);
      Datum somewhere = Datum::unknown("an element of a device_vector");
      somewhere.pointer = dataOf(object.address).pointer;
      return somewhere;
    }
    if (method && method->getOverloadedOperator() == OO_Amp && object.known()) {
      auto node = Store.find(object.address);
      if (node && node->datum && node->datum->pointer.object)
        return *node->datum;
    }
    for (unsigned i = 0; i < arguments.size(); ++i)
      loses(i, read(i), why);
    if (method && object.known() && !method->isConst())
      loseReachable(Datum::to(object.address), why);
    return resultOfUnknown(function->getReturnType(),
                           "returned by '" + plain + "'");
  }

  if (!function->getIdentifier() || isa<CXXMethodDecl>(function))
    return std::nullopt;
  llvm::StringRef written = function->getName();
  const Library *library = libraryOf(written);
  if (!library || library->from == From::Argument || readDefinition(function))
    return std::nullopt;
  std::string name = runtimeName(written);
  llvm::StringRef rest = llvm::StringRef(name).drop_front(
      std::min(library->prefix.size(), name.size()));
  std::string answer = "answer of '" + name + "'";
  auto result = [&] {
    return resultOfUnknown(function->getReturnType(), answer);
  };

  if (library->from == From::Context) {
    // One stream for the whole library, unless the call brings one.
    if (!LibraryStreams.object)
      LibraryStreams = {Store.create("the streams of libraries"), {}};
    Address own = LibraryStreams.part("." + library->prefix.str());
    if (rest == "SetStream" && arguments.size() == 1) {
      writeAddress(
          own, Datum::stream(streamOf(evaluate(arguments[0]), arguments[0])));
      return result();
    }
    if (rest.starts_with("Get") || rest.starts_with("Set") ||
        rest.contains("Malloc") || rest.contains("Free") ||
        rest.contains("BufferSize") || rest.contains("HostSize"))
      return std::nullopt;
    Step step;
    step.kind = Step::Kind::Opaque;
    step.function = name;
    for (unsigned i = 0; i < arguments.size(); ++i) {
      Datum datum = read(i);
      loses(i, datum, answer);
      if (llvm::StringRef(typeName(arguments[i]->getType()))
              .contains("NppStreamContext")) {
        Datum stream =
            Datum::unknown("the stream of '" + textOf(arguments[i]) + "'");
        if (datum.kind == Datum::Kind::Record && datum.record)
          if (auto at = datum.record->parts.find(".hStream");
              at != datum.record->parts.end() && at->second->datum)
            stream = *at->second->datum;
        step.stream = streamOf(stream, nullptr);
      }
    }
    if (step.stream < 0) {
      auto node = Store.find(own);
      step.stream = node && node->datum ? streamOf(*node->datum, nullptr)
                                        : defaultStream();
    }
    emit(std::move(step), call);
    return result();
  }

  if (arguments.empty())
    return std::nullopt;
  if (setsStream(rest) && arguments.size() == 2) {
    Datum handle = evaluate(arguments[0]);
    int stream = streamOf(evaluate(arguments[1]), arguments[1]);
    if (handle.isPointer())
      writeAddress(handle.pointer.part(".stream"), Datum::stream(stream));
    return result();
  }
  if (makesHandle(rest)) {
    Datum target = evaluate(arguments[0]);
    for (unsigned i = 1; i < arguments.size(); ++i)
      loses(i, read(i), answer);
    // cufftMakePlan, cufftExec: plans are numbers that stand for handles.
    unsigned made = Store.create("");
    Address base{made, {}};
    writeAddress(base.part(".stream"), Datum::of(1)); // the legacy stream
    writeAddress(base.part(".mode"), Datum::of(0));
    if (target.isPointer())
      writeAddress(target.pointer, Datum::to(base));
    return result();
  }
  Datum handle = read(0);
  std::string handleName = textOf(arguments[0]);
  if (rest.contains("SetPointerMode") && arguments.size() == 2) {
    Datum mode = evaluate(arguments[1]);
    if (handle.isPointer())
      writeAddress(handle.pointer.part(".mode"), mode);
    return result();
  }
  std::string first = function->getNumParams()
                          ? function->getParamDecl(0)->getType().getAsString()
                          : "";
  llvm::StringRef type = first;
  bool hasHandle = type.contains("andle") || type.contains("Generator") ||
                   type.contains("generator") || type.contains("_plan");
  for (unsigned i = 1; i < arguments.size(); ++i)
    loses(i, read(i), answer);
  if (destroysHandle(rest) && library->prefix.ends_with("blas")) {
    // cuBLAS: "implicitly calls cudaDeviceSynchronize".
    Step step;
    step.kind = Step::Kind::DeviceSynchronize;
    step.function = name;
    emit(std::move(step), call);
    return result();
  }
  if (!hasHandle || runsNothing(rest)) {
    // cublasSetVector and its kin copy, and wait for it.
    bool copies = !hasHandle && library->prefix.ends_with("blas") &&
                  (rest.contains("Vector") || rest.contains("Matrix"));
    if (!copies)
      return result();
    Step step;
    step.kind = Step::Kind::MemoryOperation;
    step.function = name;
    step.bytes = coreside::Value::unknown("as the function's arguments say");
    step.direction = rest.starts_with("Set") ? Step::Direction::HostToDevice
                                             : Step::Direction::DeviceToHost;
    step.waits = !rest.contains("Async");
    step.stream = legacyStream();
    for (const Expr *one : arguments)
      if (isStreamType(one->getType()))
        step.stream = streamOf(evaluate(one), one);
    emit(std::move(step), call);
    return result();
  }
  Step step;
  step.kind = Step::Kind::Opaque;
  step.function = name;
  step.stream = libraryStream(handle, handleName, call);
  if (library->prefix.ends_with("blas") || library->prefix == "rocblas_") {
    auto mode =
        handle.isPointer() ? Store.find(handle.pointer.part(".mode")) : nullptr;
    step.waits =
        returnsToHost(rest) && mode && mode->datum && mode->datum->known() == 0;
  }
  emit(std::move(step), call);
  return result();
}

/// thrust::device_vector<T> v(n), v(first, last): memory of the device, filled
/// by work on the default stream that the host waits for.
bool Interpreter::constructContainer(const Address &address,
                                     const CXXConstructExpr *expression) {
  const CXXRecordDecl *record = expression->getConstructor()->getParent();
  if (!record->getIdentifier() || record->getName() != "device_vector" ||
      !isIn(*record, "thrust"))
    return false;
  const auto *specialisation =
      dyn_cast<ClassTemplateSpecializationDecl>(record);
  QualType element;
  if (specialisation && specialisation->getTemplateArgs().size() &&
      specialisation->getTemplateArgs()[0].getKind() == TemplateArgument::Type)
    element = specialisation->getTemplateArgs()[0].getAsType();
  Allocation made;
  made.kind = Allocation::Kind::Device;
  made.function = "thrust::device_vector";
  made.name = Store.nameOf(address);
  made.place = placeOf(expression->getBeginLoc(), Context);
  made.bytes = coreside::Value::unknown("as many as are put into it");
  bool empty = true;
  for (unsigned i = 0; i < expression->getNumArgs(); ++i) {
    const Expr *one = expression->getArg(i);
    if (isa<CXXDefaultArgExpr>(one))
      continue;
    empty = false;
    if (i == 0 && integerType(one->getType())) {
      Datum count = evaluate(one);
      writeAddress(address.part(".size"), count);
      if (!element.isNull() && !element->isIncompleteType() &&
          !element->isDependentType())
        made.bytes =
            apply(coreside::Operation::Multiply,
                  within(numberOf(count, one->getType(), one), 0,
                         coreside::Value::highest),
                  coreside::Value::known(
                      Context.getTypeSizeInChars(element).getQuantity()),
                  {64, false});
    } else {
      one->isGLValue() ? (void)locate(one) : (void)evaluate(one);
    }
  }
  unsigned object = Store.create(made.name);
  Store.share(object);
  writeAddress(address.part(".data"), Datum::to({object, {"[0]"}}));
  Step step;
  step.kind = Step::Kind::Allocation;
  step.function = "cudaMalloc";
  step.bytes = made.bytes;
  step.target = newAllocation(object, std::move(made));
  int target = step.target;
  if (empty)
    return true;
  emit(std::move(step), expression);
  Step fill;
  fill.kind = Step::Kind::Opaque;
  fill.function = "thrust::device_vector";
  fill.target = target;
  fill.stream = defaultStream();
  fill.waits = true;
  emit(std::move(fill), expression);
  return true;
}

} // namespace coreside
