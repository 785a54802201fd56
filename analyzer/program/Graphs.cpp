// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   stream capture, and graphs built node by node.
// Out:  CaptureBegin, CaptureEnd, nodes, dependencies and launches of graphs.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace coreside {

/// Stream capture, and graphs built node by node.
std::optional<Datum>
Interpreter::graphCall(llvm::StringRef written,
                       llvm::ArrayRef<const Expr *> arguments,
                       const Expr *call) {
  if (!written.starts_with("cu"))
    return std::nullopt;
  const bool driver = !written.starts_with("cuda");
  const std::string runtime =
      driver ? ("cuda" + written.drop_front(2)).str() : written.str();
  llvm::StringRef name = runtime;
  if (!name.starts_with("cudaGraph") &&
      !name.starts_with("cudaStreamBeginCapture") &&
      name != "cudaStreamEndCapture")
    return std::nullopt;
  std::vector<Datum> values;
  for (const Expr *one : arguments)
    values.push_back(one->isGLValue() ? read(locate(one), one->getType(), one)
                                      : evaluate(one));
  auto value = [&](unsigned index) {
    return index < values.size() ? values[index] : Datum::unknown("missing");
  };
  auto stream = [&](unsigned index) {
    return streamOf(value(index),
                    index < arguments.size() ? arguments[index] : nullptr);
  };
  auto graph = [&](unsigned index) {
    Datum datum = value(index);
    return datum.kind == Datum::Kind::Graph ? datum.handle : -1;
  };
  Step step;
  step.function = written.str();
  /// A new graph in what argument `index` points to.
  auto make = [&](unsigned index, int of) {
    Graph made;
    Datum pointer = value(index);
    if (pointer.isPointer())
      made.name = Store.nameOf(pointer.pointer);
    made.place = placeOf(call->getBeginLoc(), Context);
    made.of = of;
    int at = newGraph(std::move(made));
    if (pointer.isPointer())
      writeAddress(pointer.pointer, Datum::graph(at));
    return at;
  };
  /// The numbers of `count` nodes from `pointer` on.
  auto nodes = [&](const Datum &pointer, const Datum &count) {
    std::vector<unsigned> result;
    auto number = count.known();
    if (!pointer.isPointer() || !number || *number > 1024)
      return result;
    for (int64_t i = 0; i < *number; ++i) {
      Address address = pointer.pointer;
      if (!address.path.empty() && address.path.back()[0] == '[') {
        int64_t from = 0;
        llvm::StringRef(address.path.back())
            .drop_front()
            .drop_back()
            .getAsInteger(10, from);
        address.path.back() = "[" + std::to_string(from + i) + "]";
      } else if (i > 0) {
        break;
      }
      auto node = Store.find(address);
      if (node && node->datum && node->datum->kind == Datum::Kind::GraphNode)
        result.push_back(GraphNodes[node->datum->handle].second);
    }
    return result;
  };
  /// How many nodes there are at the pointer `index`: CUDA 13 has data about
  /// the edges in between.
  auto count = [&](unsigned index) {
    for (unsigned i = index + 1; i < arguments.size(); ++i)
      if (arguments[i]->getType()->isIntegerType())
        return value(i);
    return Datum::unknown("missing");
  };
  Datum success = Datum::of(0);

  if (name == "cudaStreamBeginCapture" ||
      name == "cudaStreamBeginCaptureToGraph") {
    step.kind = Step::Kind::CaptureBegin;
    step.stream = stream(0);
    CaptureTargets.erase(step.stream);
    if (name == "cudaStreamBeginCaptureToGraph") {
      int target = graph(1);
      if (target < 0) {
        Graph other;
        other.name = textOf(arguments.size() > 1 ? arguments[1] : nullptr);
        other.place = placeOf(call->getBeginLoc(), Context);
        target = newGraph(std::move(other));
      }
      CaptureTargets[step.stream] = target;
    }
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaStreamEndCapture") {
    step.kind = Step::Kind::CaptureEnd;
    step.stream = stream(0);
    if (auto at = CaptureTargets.find(step.stream);
        at != CaptureTargets.end()) {
      step.graph = at->second;
      CaptureTargets.erase(at);
      if (value(1).isPointer())
        writeAddress(value(1).pointer, Datum::graph(step.graph));
    } else {
      step.graph = make(1, -1);
    }
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaGraphCreate") {
    make(0, -1);
    return success;
  }
  if (name == "cudaGraphInstantiate" ||
      name == "cudaGraphInstantiateWithFlags" ||
      name == "cudaGraphInstantiateWithParams") {
    make(0, graph(1));
    return success;
  }
  if (name == "cudaGraphClone") {
    make(0, graph(1));
    return success;
  }
  if (name == "cudaGraphLaunch") {
    step.kind = Step::Kind::GraphLaunch;
    step.graph = graph(0);
    step.stream = stream(1);
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaGraphAddDependencies") {
    auto from = nodes(value(1), count(2)), to = nodes(value(2), count(2));
    for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      Step one = step;
      one.kind = Step::Kind::GraphDependency;
      one.graph = graph(0);
      one.node = to[i];
      one.after = {from[i]};
      emit(std::move(one), call);
    }
    return success;
  }
  if (name == "cudaGraphExecUpdate") {
    step.kind = Step::Kind::GraphUpdate;
    step.graph = graph(0);
    step.children = {graph(1)};
    for (unsigned i = 2; i < values.size(); ++i)
      loseReachable(values[i], "answer of '" + written.str() + "'");
    emit(std::move(step), call);
    return success;
  }
  /// Reads the parameters of a kernel node into `step`.
  auto readKernel = [&](const Datum &parameters, Step &step) {
    auto field = [&](const char *part) {
      return parameters.isPointer()
                 ? fieldAt(parameters.pointer, part, "the node's parameters")
                 : Datum::unknown("the node's parameters");
    };
    Datum kernel = field(".func");
    step.kernel = kernelOf(kernel);
    readShape(field, driver, step);
    step.dynamicShared =
        sharedSize(field(".sharedMemBytes"), Context.UnsignedIntTy, nullptr);
    addArgumentList(kernel, field(".kernelParams"), step);
    addVariables(step);
  };
  /// The step of the node that argument `index` names, or null.
  auto stepOfNode = [&](unsigned index) -> Step * {
    Datum handle = value(index);
    if (Dry || handle.kind != Datum::Kind::GraphNode)
      return nullptr;
    auto [graph, node] = GraphNodes[handle.handle];
    for (Step &one : llvm::reverse(Result.steps))
      if (one.graph == graph && one.node == static_cast<int>(node) &&
          one.kind == Step::Kind::Launch)
        return &one;
    return nullptr;
  };
  if (name == "cudaGraphKernelNodeSetAttribute" && values.size() == 3) {
    std::vector<int> events;
    if (Step *node = stepOfNode(0))
      if (auto id = value(1).known(); id && value(2).isPointer())
        applyLaunchAttribute(*id, value(2).pointer, *node, events);
    return success;
  }
  if (name == "cudaGraphKernelNodeSetParams" ||
      name == "cudaGraphExecKernelNodeSetParams") {
    unsigned at = name.starts_with("cudaGraphExec") ? 1 : 0;
    if (Step *node = stepOfNode(at)) {
      std::vector<Datum> sets = {value(at + 1)};
      // `odd ? &a : &b`: each of them in its turn.
      if (sets[0].isUnknown() && at + 1 < arguments.size() &&
          !arguments[at + 1]->HasSideEffects(Context))
        if (const auto *choice = dyn_cast<ConditionalOperator>(
                arguments[at + 1]->IgnoreParenImpCasts()))
          sets = {evaluate(choice->getTrueExpr()),
                  evaluate(choice->getFalseExpr())};
      for (const Datum &set : sets) {
        // From here on it runs with these; before, with the others.
        Step changed;
        readKernel(set, changed);
        if (changed.kernel != node->kernel)
          node->kernel = -1;
        for (unsigned i = 0; i < 3; ++i) {
          node->grid[i] = either(node->grid[i], changed.grid[i]);
          node->block[i] = either(node->block[i], changed.block[i]);
        }
        node->dynamicShared =
            either(node->dynamicShared, changed.dynamicShared);
        for (const KernelArgument &argument : changed.arguments)
          if (!llvm::is_contained(node->arguments, argument))
            node->arguments.push_back(argument);
      }
    }
    return success;
  }
  if (name.starts_with("cudaGraphAdd") && name.contains("Node")) {
    step.graph = graph(1);
    step.node = Nodes[step.graph]++;
    step.after = nodes(value(2), count(2));
    if (value(0).isPointer()) {
      GraphNodes.push_back({step.graph, step.node});
      writeAddress(value(0).pointer, Datum::graphNode(GraphNodes.size() - 1));
    }
    Datum parameters =
        values.empty() ? Datum::unknown("missing") : values.back();
    bool kernel = name == "cudaGraphAddKernelNode";
    if (name == "cudaGraphAddChildGraphNode")
      step.children = {graph(4)};
    // cudaGraphAddNode: the parameters say what kind of node it is, and hold a
    // part for each kind.
    if (name == "cudaGraphAddNode" && parameters.isPointer())
      switch (fieldAt(parameters.pointer, ".type", "").known().value_or(-1)) {
      case 0:
        kernel = true;
        parameters.pointer.path.push_back(".kernel");
        break;
      case 4: {
        Datum child = fieldAt(parameters.pointer.part(".graph"), ".graph", "");
        step.children = {child.kind == Datum::Kind::Graph ? child.handle : -1};
        break;
      }
      case 13: {
        // A condition: the runtime makes the graphs of its bodies.
        Address part = parameters.pointer.part(".conditional");
        auto bodies = fieldAt(part, ".size", "").known();
        unsigned object = Store.create("body");
        for (int64_t i = 0; i < std::clamp<int64_t>(bodies.value_or(1), 1, 16);
             ++i) {
          Graph body;
          body.name = "body[" + std::to_string(i) + "] of a condition";
          body.place = placeOf(call->getBeginLoc(), Context);
          step.children.push_back(newGraph(std::move(body)));
          Store.store({object, {"[" + std::to_string(i) + "]"}},
                      Datum::graph(step.children.back()));
        }
        writeAddress(part.part(".phGraph_out"), Datum::to({object, {"[0]"}}));
        break;
      }
      default:
        break;
      }
    if (kernel) {
      step.kind = Step::Kind::Launch;
      readKernel(parameters, step);
      meetLaunch(call);
    } else {
      step.kind = Step::Kind::GraphNode;
    }
    emit(std::move(step), call);
    return success;
  }
  for (unsigned i = 0; i < values.size(); ++i)
    if (values[i].isPointer())
      loseReachable(values[i], "answer of '" + written.str() + "'");
  return success;
}

} // namespace coreside
