// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WrittenMessages.h"

#include "llvm/Support/raw_ostream.h"

using namespace coreside;
namespace json = llvm::json;

std::string coreside::jsonText(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << value;
  return text;
}

std::string coreside::makeNotification(llvm::StringRef method,
                                       json::Value params) {
  return jsonText(json::Object{
      {"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

std::string coreside::makeRequest(llvm::StringRef id, llvm::StringRef method,
                                  json::Value params) {
  return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":" +
          jsonText(method) + ",\"params\":" + jsonText(params) + "}")
      .str();
}

std::string coreside::makeResponse(llvm::StringRef id, llvm::StringRef result) {
  return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}")
      .str();
}

std::string coreside::makeErrorResponse(llvm::StringRef id, int code,
                                        llvm::StringRef message) {
  return ("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":" +
          jsonText(json::Object{{"code", code}, {"message", message}}) + "}")
      .str();
}
