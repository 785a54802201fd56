// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs one host function in the head and writes down what it asks of the
// device.
//
// In:   a function definition.
// Out:  its Trace.
//
// A condition that is decided is followed one way. One that is not is followed
// both ways from the same memory, which is joined after; steps on the ways get
// a guard. A loop is unrolled while its condition is decided, up to a limit;
// else it is run twice over values that hold for any turn. Those are found by
// running it without writing steps until nothing new changes.
//
// The member functions stand in one file for each idea: statements in
// Interpreter.cpp, and what has a file of its own under that file's name below.

#ifndef CORESIDE_PROGRAM_INTERPRETER_H
#define CORESIDE_PROGRAM_INTERPRETER_H

#include "ConditionForm.h"
#include "KernelTable.h"
#include "Memory.h"
#include "ReadProgram.h"
#include "ValueArithmetic.h"
#include "WrittenText.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <set>

namespace clang {
class OMPExecutableDirective;
} // namespace clang

namespace coreside {

/// What the whole translation unit says about its functions and globals.
struct UnitFacts {
  /// Launch expressions that a trace holds.
  llvm::DenseSet<const clang::Stmt *> reached;
  /// Functions that were not followed to their end, or with all that they are
  /// called with: what was not met in them may be met.
  llvm::DenseSet<const clang::FunctionDecl *> open;
  /// By `switch`: the values that decided it.
  llvm::DenseMap<const clang::Stmt *, std::set<int64_t>> chosen;
  /// Statements that were executed, and expressions that leave out a part of
  /// themselves.
  llvm::DenseSet<const clang::Stmt *> followed;
  /// Globals that something in the file stores to or takes the address of.
  llvm::DenseSet<const clang::VarDecl *> stored;
  /// Whether a function, or something it calls, asks anything of the device.
  llvm::DenseMap<const clang::FunctionDecl *, bool> relevant;
  /// The same for the end of objects of a class.
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> relevantEnds;
  /// Whether its end does anything, where it asks nothing of the device.
  llvm::DenseMap<const clang::CXXRecordDecl *, bool> storingEnds;
  /// Fields that have a namesake in another part of one object: a base class
  /// and the class, or two bases.
  llvm::DenseSet<const clang::FieldDecl *> namesakes;
  /// Of the file's types, as many as were looked through for them. Types of a
  /// precompiled preamble are added when something asks for them.
  size_t typesForNamesakes = 0;
  /// Whether a function holds labels.
  llvm::DenseMap<const clang::FunctionDecl *, bool> labelled;
  /// By virtual function: those in derived classes of this file.
  llvm::DenseMap<const clang::CXXMethodDecl *,
                 llvm::SmallVector<const clang::CXXMethodDecl *, 2>>
      overriders;
  /// How assumptions of the user went, each as often as it was looked at.
  std::vector<AssumptionUse> assumptions;
};

/// Whether `statement` asks anything of the device, itself or in functions that
/// it calls; calls that cannot be told count.
bool isRelevant(const clang::Stmt *statement, UnitFacts &facts);

/// The same for a call of `callee`.
bool isRelevantCallee(const clang::FunctionDecl *callee, UnitFacts &facts);

/// The same for the end of an object of `type`: destructors and deleters.
bool isRelevantEnd(clang::QualType type, UnitFacts &facts);

/// Whether `statement` stores to `variable` or lets go of its address.
bool mayStore(const clang::Stmt *statement, const clang::VarDecl *variable);

/// Expressions evaluated for one trace before loops are no longer unrolled, nor
/// loops in loops looked at several times, and before functions that ask
/// nothing of the device are no longer followed.
constexpr uint64_t unrollBudget = 500000;
constexpr uint64_t followBudget = 1000000;
/// Beyond this nothing is read any more: calls that call twice what calls twice
/// have no end.
constexpr uint64_t evaluationLimit = 2000000;
/// Calls of a function in itself that are followed while all conditions on the
/// way are decided.
constexpr unsigned deepestRecursion = 64;
/// Loops in loops of which one turn stands for all: what a turn does to the
/// next is not looked for any more.
constexpr size_t deepestTwoTurns = 4;
/// The same for loops that only calculate.
constexpr uint64_t calculationBudget = 100000;

class Interpreter {
public:
  Interpreter(clang::ASTContext &context, KernelTable &kernels,
              StepTexts &texts, UnitFacts &facts, const ReadOptions &options,
              bool perThreadDefaultStream);

  Trace run(const clang::FunctionDecl *function);

  /// What a callable thing is given: an expression, or a place.
  struct Argument {
    const clang::Expr *expression = nullptr;
    Address place;
  };

private:
  /// How a statement ends: at its end, or by leaving what it stands in. What it
  /// leaves was noted as an Exit there.
  enum class Flow {
    Normal,
    LeftTurn,
    LeftLoop,
    LeftByGoto,
    LeftFunction,
    LeftProgram
  };

  /// One way out of a loop turn, a loop or a function.
  struct Exit {
    Memory::Changes changes;
    std::optional<Datum> value;
  };

  struct LoopContext {
    size_t depth = 0;
    /// The function's locals outside of it.
    size_t locals = 0;
    std::vector<Exit> breaks;
    size_t turnDepth = 0;
    std::vector<Exit> continues;
    bool isSwitch = false;
    /// The loop that gotos to a label make: no break leaves it.
    bool isLabel = false;
  };

  /// Where a goto to `label` leads from inside of a list of statements.
  struct LabelContext {
    const clang::LabelDecl *label = nullptr;
    size_t depth = 0;
    /// The function's locals that are there at the statement which is run.
    size_t locals = 0;
    std::vector<Exit> arrivals;
    /// Which statement of the list holds the label; of a loop that gotos to the
    /// label make, which of the frame's loops it is.
    size_t at = 0;
    bool isLoop = false;
    /// Not inside of a block of its own.
    bool isExact = true;
  };

  /// How many ways out were noted of a function, its labels and its loops.
  struct Exits {
    size_t returns = 0;
    std::vector<size_t> arrivals, continues;
  };

  struct Frame {
    const clang::FunctionDecl *function = nullptr;
    llvm::DenseMap<const clang::VarDecl *, Address> variables;
    Address thisObject;
    /// The closure, where the function is a lambda's.
    Address closure;
    size_t depth = 0;
    std::vector<Exit> returns;
    std::vector<LoopContext> loops;
    std::vector<LabelContext> labels;
    /// Objects to destroy, innermost last.
    std::vector<std::pair<Address, clang::QualType>> locals;
    /// Of a coroutine: what its call returns, and the thread that goes on after
    /// it was suspended.
    std::optional<Datum> coroutineResult;
    unsigned suspended = 0;
    /// How often a condition was not decided before it.
    uint64_t undecided = 0;
  };

  struct ActiveGuard {
    Guard guard;
    /// It ends where this ends: an arm left the function, so the rest of the
    /// function is on the other arm.
    Flow until = Flow::Normal;
    /// The labels that the other arm left for.
    std::vector<const clang::LabelDecl *> gotos = {};
  };

  /// A number is known to be in a range: a condition said so.
  struct Fact {
    std::string formula;
    /// Where the formula is only a name, that.
    std::string name;
    int64_t low;
    int64_t high;
    /// As for a guard.
    Flow until = Flow::LeftProgram;
    /// A formula that it does not exceed, empty for none.
    std::string most = {};
  };

  /// A condition that was not decided.
  struct Undecided {
    unsigned number = 0;
    /// It is the opposite of the condition of that number: its arms are the
    /// other way round.
    bool flipped = false;
    /// In the source's words, where there are such.
    std::string text = {};
  };

  /// Two numbers that were compared, and what came of it.
  struct Comparison {
    coreside::Value left, right, result;
  };

  /// A place that an expression names.
  struct Place {
    /// Object 0: not known, for the reason in `why`.
    Address address;
    /// An index on the way was picked by a sample: for numbers the place is any
    /// element of `array`.
    bool sampled = false;
    Address array;
    std::string why;
    /// Not known: the members on the way from the element of `array`.
    std::vector<std::string> members = {};
    /// Not known: it is one of these, or in one of them.
    std::vector<Address> targets = {};

    bool known() const { return address.object != 0; }
  };

  /// The arguments of a call by their numbers; one that is missing is unknown,
  /// and its stream the default one.
  class CallArguments {
  public:
    CallArguments(Interpreter &interpreter,
                  llvm::ArrayRef<const clang::Expr *> arguments)
        : In(interpreter), All(arguments) {}
    /// Null for one that is missing.
    const clang::Expr *at(unsigned index) const {
      return index < All.size() ? All[index] : nullptr;
    }
    Datum value(unsigned index) const {
      const clang::Expr *one = at(index);
      return one ? In.evaluate(one) : Datum::unknown("missing");
    }
    int stream(unsigned index) const {
      const clang::Expr *one = at(index);
      return one ? In.streamOf(In.evaluate(one), one) : In.defaultStream();
    }

  private:
    Interpreter &In;
    llvm::ArrayRef<const clang::Expr *> All;
  };

  /// A loop, whatever statement it is.
  struct Loop {
    const clang::Stmt *statement = nullptr;
    /// Its condition; nothing for an undecided one.
    llvm::function_ref<std::optional<bool>()> condition;
    /// The expression that it asks, where it is one.
    const clang::Expr *test = nullptr;
    llvm::function_ref<Flow()> body;
    llvm::function_ref<void()> next;
    /// What these two run, of a `for` or `while`.
    const clang::Stmt *turn = nullptr;
    const clang::Expr *increment = nullptr;
    bool bodyFirst = false;
    /// Its turns cost no more than a look at them in general would:
    /// `do { ... } while (0)`, or a few that only calculate.
    bool isCheap = false;
    /// Only a break ends it.
    bool endless = false;
    /// A goto to its head repeats it, and only that.
    bool isLabel = false;
    coreside::Value turns;
    /// Its variable, and the range that the variable has inside.
    Address variable;
    std::optional<std::pair<int64_t, int64_t>> range;
  };

  clang::ASTContext &Context;
  KernelTable &Kernels;
  StepTexts &Texts;
  UnitFacts &Facts;
  const ReadOptions &Options;
  bool PerThread;

  Trace Result;
  /// Launch expressions that were met, each with the number of steps before it.
  std::vector<std::pair<size_t, const clang::Stmt *>> Met;
  Memory Store;
  std::vector<Frame> Frames;
  std::vector<CallSite> Path;
  /// The innermost statement in braces that is run.
  const clang::Stmt *Statement = nullptr;
  std::vector<ActiveGuard> Guards;
  /// Objects to destroy where the full expression ends.
  std::vector<std::pair<Address, clang::QualType>> Temporaries;
  /// The `try` blocks that are run: in which frame each stands, and how many
  /// locals that had before it.
  std::vector<std::pair<size_t, size_t>> Tries;
  /// The labels that gotos left for, in the order of running.
  std::vector<const clang::LabelDecl *> Gone;
  std::vector<unsigned> Loops, Turns;
  std::vector<Fact> Learnt;
  /// By expression: how it last came out.
  llvm::DenseMap<const clang::Expr *, Comparison> Compared;
  /// What stands for a value that no expression of the source gives.
  llvm::DenseMap<const clang::Expr *, Datum> OpaqueValues;
  llvm::DenseMap<const clang::Expr *, Address> OpaquePlaces;
  unsigned Conditions = 0;
  /// By number: what is asked of which number.
  std::map<unsigned, ConditionForm> Forms;
  unsigned Symbols = 0;
  std::map<std::string, unsigned> ConditionNumbers;
  std::map<std::string, unsigned> SymbolUses;
  llvm::DenseMap<const clang::VarDecl *, Address> Globals;
  std::map<std::pair<Address, unsigned>, Datum> Initials;
  /// By object that stands for a place which is one of several: which ones; and
  /// by the object of such a place: what may stand for it.
  std::map<unsigned, std::vector<Address>> StandsFor;
  std::map<unsigned, std::vector<unsigned>> StandIns;
  /// What objects that were there before the trace are called, and by the
  /// number of a loss what was lost.
  std::map<unsigned, Reference> ObjectOrigins, LossOrigins;
  std::map<std::string, int> UnknownStreams, UnknownEvents;
  int LegacyStream = -1, PerThreadStream = -1;
  /// By object in memory: index into the trace's allocations.
  std::map<unsigned, int> Allocated;
  /// Streams created so far.
  int Created = 0;
  /// Nodes of each graph so far.
  std::map<int, int> Nodes;
  /// What handles of nodes stand for: the graph, and the number in it.
  std::vector<std::pair<int, unsigned>> GraphNodes;
  /// The contexts that are current, one on the other, and how many were made.
  Address Contexts;
  int MadeContexts = 0;
  /// Libraries whose stream is not one of a handle keep it here.
  Address LibraryStreams;
  /// By stream: the graph that is captured to, where the start of the capture
  /// names one.
  std::map<int, int> CaptureTargets;
  /// Arms around this place that the turn which is run does not take, only
  /// others: which elements these pick is not known.
  unsigned OtherTurns = 0;
  /// Holds the number of the current device.
  Address Device;
  /// Devices that are not known, by what the source calls them.
  std::map<std::string, int> UnknownDevices;
  /// The host thread that runs, and how many were started.
  unsigned Thread = 0, Threads = 0;
  /// In an OpenMP parallel region: which of the two that stand for the team
  /// runs, and the first step of what it does there.
  std::optional<unsigned> TeamMember;
  size_t TeamSteps = 0;
  /// The loop whose turns are shared out.
  const clang::Stmt *SharedLoop = nullptr;
  bool MainTrace = false;
  /// The function called does not return.
  bool Dead = false;
  bool Stopped = false;
  /// How often a condition was not decided.
  uint64_t UndecidedCount = 0;
  /// Above 0, steps are not written.
  unsigned Dry = 0;
  /// While dry: stores to older objects become unknown, and are noted.
  unsigned WeakBelow = 0;
  /// Globals: they were there before, whenever they are first asked for.
  llvm::DenseSet<unsigned> Lasting;
  std::string WeakWhy;
  std::map<Address, bool> Changed;
  /// Loops, one in the other, whose changes are being looked for.
  unsigned Looking = 0;
  unsigned Emitted = 0;
  uint64_t Evaluations = 0;
  unsigned ExternalLosses = 0;

  // Interpreter.cpp: statements.
  Flow execute(const clang::Stmt *statement);
  Flow executeCompound(llvm::ArrayRef<const clang::Stmt *> statements,
                       const clang::Stmt *braces);
  Flow executeTry(const clang::CXXTryStmt *statement);
  void unwind();
  Flow executeReturn(const clang::ReturnStmt *statement);
  void declare(const clang::VarDecl *variable);
  void declareBindings(const clang::VarDecl *variable);

  // Gotos.cpp.
  bool hasLabels();
  Flow executeLabelled(llvm::ArrayRef<const clang::Stmt *> statements,
                       const clang::Stmt *braces);
  void arriveAt(size_t at, size_t first, size_t last, size_t facts, Flow &flow);
  Flow executeLabelLoop(const clang::LabelDecl *label,
                        llvm::ArrayRef<const clang::Stmt *> statements,
                        const clang::Stmt *braces);
  Flow executeGoto(const clang::Stmt *statement);
  Flow jumpTo(const clang::LabelDecl *label);
  Flow jumpNowhere();
  void endGotoGuards(const clang::LabelDecl *label);
  Exits markExits() const;
  void forgetExits(const Exits &exits);

  // Conditions.cpp.
  Flow executeIf(const clang::IfStmt *statement);
  Flow executeSwitch(const clang::SwitchStmt *statement);
  Datum
  evaluateConditional(const clang::AbstractConditionalOperator *expression);
  std::optional<Datum>
  chosenOfTwo(const clang::AbstractConditionalOperator *expression);
  std::optional<bool> decide(const clang::Expr *condition,
                             Undecided *undecided = nullptr);
  Undecided conditionNumber(const Datum &datum);
  std::optional<coreside::Value> eitherArm(const Undecided &condition,
                                           const coreside::Value &first,
                                           const coreside::Value &second) const;
  bool hasStableNames(llvm::StringRef formula) const;
  std::optional<bool> truthInTurn(const clang::Expr *condition);
  std::string choiceOf(const Undecided &condition, const coreside::Value &first,
                       const coreside::Value &second);
  Flow branch(Undecided condition,
              llvm::ArrayRef<llvm::function_ref<Flow()>> arms);
  void endGuards(size_t from, Flow level);

  // Assume.cpp.
  void assume(Datum &datum, llvm::StringRef name, clang::QualType type,
              clang::SourceLocation at);
  void assumeQuietly(Datum &datum, llvm::StringRef name, clang::QualType type);
  bool isAbout(const Assumption &one, llvm::StringRef name) const;

  // Narrowing.cpp.
  void learn(const clang::Expr *condition, bool truth);
  void learnEither(const clang::Expr *one, const clang::Expr *other,
                   bool truth);
  void learnMost(const coreside::Value &small, const coreside::Value &large,
                 int64_t apart);
  void learnComparison(clang::BinaryOperatorKind kind, const Comparison &pair,
                       bool truth);
  void learnRange(const coreside::Value &value, int64_t low, int64_t high);
  coreside::Value narrowed(coreside::Value value) const {
    return narrowed(std::move(value), Learnt);
  }
  static coreside::Value narrowed(coreside::Value value,
                                  const std::vector<Fact> &facts);
  void endFacts(size_t from, Flow level);
  void addImpliedGuards();
  void numberConditions();

  // BlockLimits.cpp.
  void narrowSharedByBlock(Step &step);

  // Loops.cpp.
  Flow executeFor(const clang::ForStmt *statement);
  Flow executeRangeFor(const clang::CXXForRangeStmt *statement);
  Flow executeWhile(const clang::WhileStmt *statement);
  Flow executeDo(const clang::DoStmt *statement);
  Flow executeShared(const clang::Stmt *loop, const clang::Stmt *body);
  Flow runLoop(Loop &loop);
  std::optional<Flow> unroll(Loop &loop);
  Flow runGeneral(Loop &loop);
  void findChanges(Loop &loop, std::map<Address, bool> &changed);
  void addStored(const clang::Stmt *statement,
                 std::map<Address, bool> &changed);
  /// Whether a loop here is only run to find what it changes.
  bool standsForLoop() const { return Dry && Looking > 1; }
  std::string changesIn(const Loop &loop) const;
  void forgetAt(const Address &address, bool whole, const std::string &why);
  void forget(const Loop &loop, const std::map<Address, bool> &changed);
  void generalise(const Loop &loop, const std::map<Address, bool> &changed);
  bool runTurn(Loop &loop, Flow &flow);

  // CalculatingLoops.cpp.
  std::optional<Flow> runCalculation(Loop &loop);

  // Lifetimes.cpp.
  bool hasEnd(clang::QualType type);
  void endWithScope(Frame &frame, const Address &address, clang::QualType type);
  void destroyLocals(size_t from);
  void endTemporaries(size_t from);
  void discard(const clang::Expr *expression);
  void endLifetime(const Address &address, clang::QualType type,
                   unsigned depth = 0);
  void endOwned(const Address &address, const clang::CXXRecordDecl *record);
  const clang::Expr *endOfScope(clang::QualType type);
  void runDeleter(const Address &address, const Datum &pointer,
                  const clang::CXXRecordDecl *record);
  void endPointee(const Datum &pointer, clang::QualType type);
  const clang::CXXRecordDecl *dynamicType(const Address &address) const;
  Datum takeFrom(const Address &from, clang::QualType type, bool isMove);
  void handOn(const Address &from, clang::QualType type, bool isMove,
              unsigned depth = 0);
  void copyObject(const Address &to, const Address &from, clang::QualType type,
                  bool isMove, const clang::Expr *call, unsigned depth = 0);
  void constructInPlace(const Address &address, clang::QualType type,
                        llvm::ArrayRef<const clang::Expr *> arguments,
                        const clang::Expr *call);
  Datum makeOwner(const clang::FunctionDecl *function,
                  llvm::ArrayRef<const clang::Expr *> arguments,
                  const clang::Expr *call);
  void constructOwner(const Address &address,
                      llvm::ArrayRef<const clang::Expr *> arguments);

  // Wrappers.cpp.
  bool constructWrapper(const Address &address,
                        const clang::CXXConstructExpr *expression);
  void endOptional(const Address &address, const clang::CXXRecordDecl *record);
  std::optional<Datum>
  optionalCall(const clang::CXXMethodDecl *method,
               llvm::ArrayRef<const clang::Expr *> arguments,
               const Place &object, const clang::Expr *call);
  bool productAssignment(const clang::CXXMethodDecl *method,
                         const clang::Expr *source, const Place &object);
  std::optional<Datum>
  wrapperCall(const clang::FunctionDecl *function,
              llvm::ArrayRef<const clang::Expr *> arguments,
              const clang::Expr *call);
  std::optional<Datum> ownerCall(const clang::CXXMethodDecl *method,
                                 llvm::ArrayRef<const clang::Expr *> arguments,
                                 const Place &object);

  // Calls.cpp.
  Datum evaluateCall(const clang::CallExpr *expression);
  Datum evaluateLambda(const clang::LambdaExpr *expression);
  Datum evaluateNew(const clang::CXXNewExpr *expression);
  Datum callFunction(const clang::FunctionDecl *function,
                     llvm::ArrayRef<const clang::Expr *> arguments,
                     Address thisObject, Address closure,
                     const clang::Expr *call);
  Datum callThrough(const clang::FunctionDecl *function,
                    llvm::ArrayRef<const clang::Expr *> arguments,
                    const clang::Expr *call);
  std::optional<Datum> callVirtual(const clang::CXXMemberCallExpr *call,
                                   const Place &object,
                                   const clang::CXXMethodDecl *&method);
  Datum runBody(const clang::FunctionDecl *function, Frame frame,
                const clang::Expr *call);
  void bindParameter(Frame &frame, const clang::ParmVarDecl *parameter,
                     const clang::Expr *argument);
  Datum unknownCall(const clang::FunctionDecl *function,
                    llvm::ArrayRef<const clang::Expr *> arguments,
                    const Address &thisObject, const clang::Expr *call);
  void loseReachable(const Datum &datum, const std::string &why,
                     bool isHandle = false,
                     const Reference &origin = Reference(), unsigned depth = 0);
  void loseReference(const Address &address, const std::string &why,
                     bool isHandle, const Reference &origin);
  Datum resultOfUnknown(clang::QualType type, const std::string &why);

  // Callables.cpp.
  std::optional<Datum> invoke(const Address &callee, clang::QualType type,
                              llvm::ArrayRef<Argument> arguments,
                              const clang::Expr *call, unsigned depth = 0);
  std::optional<Datum>
  invokeExpression(const clang::Expr *callee,
                   llvm::ArrayRef<const clang::Expr *> arguments,
                   const clang::Expr *call);
  Datum callWith(const clang::FunctionDecl *function, const Address &object,
                 llvm::ArrayRef<Argument> arguments, const clang::Expr *call);
  Datum callMember(const clang::CXXMethodDecl *method, const Address &object,
                   llvm::ArrayRef<const clang::Expr *> arguments,
                   const clang::Expr *call);
  const clang::Expr *expressionOf(const Argument &argument,
                                  clang::QualType type);
  Address objectOf(const Argument &argument);
  void keepCallable(const Address &address, const clang::Expr *callable);
  void callBack(const Datum &callee, const clang::Expr *call, bool elsewhere);
  std::optional<Datum>
  callableCall(const clang::FunctionDecl *function,
               llvm::ArrayRef<const clang::Expr *> arguments,
               const clang::Expr *call);
  std::optional<Datum>
  forEachElement(const clang::FunctionDecl *function,
                 llvm::ArrayRef<const clang::Expr *> arguments,
                 const clang::Expr *call);

  // Teams.cpp.
  Flow executeDirective(const clang::OMPExecutableDirective *directive);
  void joinStarted(size_t from, llvm::StringRef name, const clang::Expr *call);

  // Coroutines.cpp.
  Flow executeCoroutine(const clang::CoroutineBodyStmt *statement);
  Flow executeCoreturn(const clang::CoreturnStmt *statement);
  Datum evaluateSuspend(const clang::CoroutineSuspendExpr *expression);

  // HandedOver.cpp.
  std::string symbolOf(const clang::NamedDecl *declaration);
  Reference referenceTo(const Address &address, unsigned lossNumber) const;
  void handOver(const Address &address, const Reference &where,
                std::vector<Handed> &list, unsigned depth = 0) const;
  void handOver(const Node &node, const Reference &where,
                std::vector<Handed> &list, unsigned depth) const;
  void handOver(const Datum &datum, const Reference &where,
                std::vector<Handed> &list, unsigned depth = 0) const;
  void nameNumber(const coreside::Value &number, const Reference &from);
  void handOverGlobals(std::vector<Handed> &list) const;
  void nameParameters(const clang::FunctionDecl *function, const Frame &frame);
  void nameGlobal(const clang::VarDecl *variable, const Address &address);
  void leave(const clang::FunctionDecl *function, const Frame &outermost,
             const Datum &returned);

  // Steps.cpp.
  int currentDevice();
  unsigned startThread(const clang::Expr *call,
                       llvm::function_ref<void()> body);
  void joinThread(const Datum &handle, llvm::StringRef name,
                  const clang::Expr *call);
  int newGraph(Graph graph);
  void emit(Step step, const clang::Expr *at);
  void cut(const std::string &why);
  void stop(const std::string &why);
  void leaveOpen(const clang::FunctionDecl *function);
  void meetLaunch(const clang::Expr *call);
  void takeBackSteps(size_t count);
  int streamOf(const Datum &datum, const clang::Expr *expression);
  int eventOf(const Datum &datum, const clang::Expr *expression);
  int defaultStream();
  int legacyStream();
  int perThreadStream();
  int kernelOf(const Datum &datum);
  /// Emits `step` for the kernel that `datum` is; where it is one of several,
  /// for each of them, as arms of a condition. `list` holds where its arguments
  /// are, as cudaLaunchKernel takes them.
  void emitForKernel(const Datum &datum, const Step &step,
                     const clang::Expr *call, const Datum *list = nullptr);
  /// Runs `use` with the function that `datum` is, or with each that it may be,
  /// as arms of a condition; not at all where that is not known.
  void
  forEachFunction(const Datum &datum,
                  llvm::function_ref<void(const clang::FunctionDecl *)> use);
  int newStream(Stream stream);
  int newEvent(Event event);

  // Expressions.cpp.
  Datum evaluate(const clang::Expr *expression);
  Datum evaluateUncounted(const clang::Expr *expression);
  std::optional<Datum> constantOf(const clang::Expr *expression);
  std::optional<Datum> fromConstant(const clang::APValue &value,
                                    clang::QualType type);

  // Places.cpp.
  Place locate(const clang::Expr *expression);
  Datum read(const Place &place, clang::QualType type,
             const clang::Expr *expression = nullptr);
  Datum readAddress(const Address &address, clang::QualType type);
  Datum anyElement(const Place &place) const;
  void write(const Place &place, Datum datum);
  bool isOlder(unsigned object) const;
  void writeAddress(const Address &address, Datum datum);
  void loseAddress(const Address &address, const std::string &why,
                   bool isHandle = false);
  Datum initialValue(const Address &address, clang::QualType type,
                     bool external, const std::string &why, unsigned number);
  void zero(const Address &address, clang::QualType type, unsigned depth = 0);
  Address variableAddress(const clang::VarDecl *variable);
  Address globalAddress(const clang::VarDecl *variable);
  Place partOf(const Place &place, const clang::FieldDecl *field);
  std::string partName(const clang::FieldDecl *field);
  const clang::Expr *standFor(clang::QualType type, const Address &address);
  Place elementOf(const Datum &base, const Datum &index,
                  const clang::Expr *expression);

  // OneOfSeveral.cpp.
  Datum pointerTo(const Place &place) const;
  Address addressOrStandIn(const Place &place, const std::string &name);
  Place locateConditional(const clang::AbstractConditionalOperator *expression);
  void letStandFor(unsigned object, const std::vector<Address> &targets);
  std::vector<Address> pointeesIn(const Place &place) const;
  void loseTargets(const std::vector<Address> &targets);
  void loseAliases(const Address &address);

  // Tables.cpp.
  std::vector<Address> placesOf(const clang::Expr *expression);
  bool isTable(const clang::Expr *expression) const;
  std::optional<Address> anyInTable(const clang::Expr *expression);

  // Construction.cpp.
  void fillArray(const Address &address, const clang::ConstantArrayType *array,
                 uint64_t first, const clang::Expr *filler);
  void initialise(const Address &address, clang::QualType type,
                  const clang::Expr *initialiser);
  void construct(const Address &address,
                 const clang::CXXConstructExpr *expression);
  void initialiseMember(const Address &object, const clang::FieldDecl *field,
                        const clang::Expr *initialiser);
  void initialiseBase(const Address &address, clang::QualType type,
                      const clang::Expr *initialiser);
  void initialiseMembers(const clang::CXXConstructorDecl *constructor);
  Datum evaluateSize(const clang::Expr *expression);
  Address temporaryObject(const clang::Expr *expression);
  Datum temporary(const clang::Expr *expression);

  // Operators.cpp.
  Datum evaluateBinary(const clang::BinaryOperator *expression);
  Datum inBits(Datum datum, const clang::FieldDecl *field);
  void loseOtherMembers(const clang::Expr *target);
  Datum evaluateUnary(const clang::UnaryOperator *expression);
  Datum evaluateCast(const clang::CastExpr *expression);
  Datum castTo(Datum datum, clang::CastKind kind, clang::QualType from,
               clang::QualType to, const clang::Expr *expression);
  Datum calculate(clang::BinaryOperatorKind operation, const Datum &left,
                  const Datum &right, clang::QualType type,
                  const clang::Expr *expression);

  // HostTypes.cpp.
  std::optional<IntegerType> integerType(clang::QualType type) const;
  coreside::Value numberOf(const Datum &datum, clang::QualType type,
                           const clang::Expr *expression);
  Datum symbol(const std::string &name, clang::QualType type, bool stable,
               clang::SourceLocation at = {});
  std::string textOf(const clang::Expr *expression) const;
  std::optional<bool> truthOf(const Datum &datum) const;

  // RuntimeCalls.cpp.
  std::optional<Datum>
  runtimeCall(llvm::StringRef name, const clang::FunctionDecl *function,
              llvm::ArrayRef<const clang::Expr *> arguments,
              const clang::Expr *call);
  void waitedFor(const clang::Expr *condition, bool truth);

  // Contexts.cpp.
  std::optional<Datum>
  contextCall(llvm::StringRef name,
              llvm::ArrayRef<const clang::Expr *> arguments,
              const clang::Expr *call);

  // Graphs.cpp.
  std::optional<Datum> graphCall(llvm::StringRef name,
                                 llvm::ArrayRef<const clang::Expr *> arguments,
                                 const clang::Expr *call);

  // Launches.cpp.
  void launch(const clang::CUDAKernelCallExpr *expression);
  void emitLaunch(const Datum &kernel, Step step, const clang::Expr *call,
                  const Datum *list = nullptr);
  std::array<coreside::Value, 3> dimensions(const Datum &datum);
  coreside::Value sharedSize(const Datum &datum, clang::QualType type,
                             const clang::Expr *expression);
  Datum fieldAt(const Address &address, llvm::StringRef name,
                const std::string &why);
  void applyLaunchAttribute(int64_t id, const Address &value, Step &step,
                            std::vector<int> &events);
  std::vector<int> readLaunchAttributes(const Datum &list, const Datum &count,
                                        bool driver, Step &step);
  void readShape(llvm::function_ref<Datum(const char *)> field, bool driver,
                 Step &step);
  void launchFromConfig(const Datum &config, const Datum &kernel,
                        llvm::StringRef name,
                        llvm::ArrayRef<const clang::Expr *> arguments,
                        const clang::Expr *call);
  std::optional<Datum> launchCall(llvm::StringRef name,
                                  llvm::ArrayRef<const clang::Expr *> arguments,
                                  const clang::Expr *call);

  // LibraryWork.cpp.
  std::optional<Datum>
  libraryWork(const clang::FunctionDecl *function,
              llvm::ArrayRef<const clang::Expr *> arguments,
              const Place &object, const clang::Expr *call);
  bool constructContainer(const Address &address,
                          const clang::CXXConstructExpr *expression);
  int libraryStream(const Datum &stream, const std::string &handle,
                    const clang::Expr *call);

  // Allocations.cpp.
  int newAllocation(unsigned object, Allocation allocation);
  int allocationOfObject(unsigned object);
  int allocationOf(const Datum &datum);
  void addArgument(const Datum &datum, int parameter,
                   std::vector<KernelArgument> &arguments);
  void addArguments(llvm::ArrayRef<const clang::Expr *> expressions,
                    Step &step);
  void addArgumentList(const Datum &launched, const Datum &list, Step &step);
  void addVariables(Step &step);
  AccessPolicyWindow windowAt(const Address &address);
  std::optional<Datum> memoryCall(llvm::StringRef name,
                                  const clang::FunctionDecl *function,
                                  llvm::ArrayRef<const clang::Expr *> arguments,
                                  const clang::Expr *call);

  // DeviceAnswers.cpp.
  std::optional<coreside::Value> deviceProperty(const clang::Expr *expression);
  std::optional<Datum> deviceCall(llvm::StringRef name,
                                  const clang::FunctionDecl *function,
                                  llvm::ArrayRef<const clang::Expr *> arguments,
                                  const clang::Expr *call);

  // StandardLibrary.cpp.
  std::optional<Datum>
  libraryCall(const clang::FunctionDecl *function,
              llvm::ArrayRef<const clang::Expr *> arguments,
              const Place &object, const clang::Expr *call);
  bool libraryConstruct(const Address &address,
                        const clang::CXXConstructExpr *expression);
  std::optional<int64_t> sizeOf(const Address &container);
  void runThread(const Address &object,
                 llvm::ArrayRef<const clang::Expr *> arguments,
                 const clang::Expr *call);
};

/// std::function and its kin: objects that are called for what they hold.
bool isCallableWrapper(const clang::CXXRecordDecl *record);

/// Whether `function` is one of Thrust or CUB, whose work is known by name.
bool isTemplateLibrary(const clang::FunctionDecl &function);

/// Types that the reader knows by name.
bool isStreamType(clang::QualType type);
bool isEventType(clang::QualType type);
/// struct dim3.
bool isDim3(clang::QualType type);
/// A result type that says whether a call went well; 0 stands for success.
bool isStatusType(clang::QualType type);

} // namespace coreside

#endif
