// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How values and programs look as JSON.

#include "Snippet.h"

using namespace coreside;

namespace {

TEST(ProgramJSON, Values) {
  EXPECT_EQ(toJSON(Value::known(256)), llvm::json::Value(256));
  EXPECT_EQ(toJSON(Value::bounded(1, 64)), llvm::json::Value("[1, 64]"));
  EXPECT_EQ(toJSON(Value::bounded(1, Value::highest)),
            llvm::json::Value("[1, ...]"));
  EXPECT_EQ(toJSON(Value::symbolic("(n + 255) / 256")),
            llvm::json::Value("(n + 255) / 256"));
  EXPECT_EQ(toJSON(Value::unknown("why")),
            llvm::json::Value(llvm::json::Object{{"unknown", "why"}}));
}

TEST(ProgramJSON, ALaunch) {
  Program program = readSnippet("void go(int n, cudaStream_t s) { "
                                "front<<<n, 32, 0, s>>>(nullptr); }");
  llvm::json::Value json = toJSON(program);
  const llvm::json::Object &trace =
      *(*json.getAsObject()->getArray("traces"))[0].getAsObject();
  EXPECT_EQ(trace.getString("function"), "go");
  const llvm::json::Object &step = *(*trace.getArray("steps"))[0].getAsObject();
  EXPECT_EQ(step.getString("kind"), "launch");
  EXPECT_EQ(step.getString("kernel"), "front");
  EXPECT_EQ(step.getString("stream"), "s");
  EXPECT_EQ(*step.get("grid"), llvm::json::Value(llvm::json::Array{"n", 1, 1}));
  EXPECT_EQ(step.getString("place"), "/snippet/a.cu:4:34");
  EXPECT_EQ(json.getAsObject()->getBoolean("ownDeclarations"), true);
  EXPECT_FALSE(json.getAsObject()->get("unread"));
}

} // namespace
